// Place holder until live driving lands.
import type { App } from '../api/types';

export async function mountLive(app: App): Promise<void> {
  app.session.notify('Live driving is not part of this build.', 'error');
}
