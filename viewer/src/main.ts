import '../style.css';
import { HttpSource } from './api/http_source';
import { openPage } from './app/page';
import { embeddedSource } from './export';

const container = document.getElementById('app')!;
openPage(embeddedSource() ?? new HttpSource(), container).catch((e: Error) => {
  container.setAttribute('role', 'alert');
  container.textContent = `Monocoque cannot start: ${e.message}`;
});
