import '../style.css';
import { HttpSource } from './api/http_source';
import { embeddedSource } from './export';

const source = embeddedSource() ?? new HttpSource();
document.title = source.embedded ? 'Monocoque (export)' : 'Monocoque';
