// An exported page carries its data; a served page does not.

import type { DataSource } from '../api/types';
import { EmbeddedSource } from './embedded_source';
import { fromBase64, gunzip, readPack, type Pack } from './pack';

/// The data of a one-file export, when this page is one.
export function embeddedSource(): DataSource | null {
  const block = document.getElementById('monocoque-data');
  if (!block?.textContent) return null;
  const text = block.textContent;
  // The text is the largest thing on the page; the bytes alone are kept.
  block.remove();
  const pack = (async (): Promise<Pack> => readPack(await gunzip(fromBase64(text))))();
  return new EmbeddedSource(pack);
}
