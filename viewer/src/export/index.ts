// Place holder until the export lands.
import type { DataSource } from '../api/types';

/// The data of a one-file export, when this page is one.
export function embeddedSource(): DataSource | null {
  return null;
}
