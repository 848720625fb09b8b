// Which channels there are: of each run by path, and the derived ones by name.

import type { ChannelInfo } from '../api/types';
import { derivedKey, type Derived } from './layout';

export class ChannelBook {
  private readonly runs: { list: ChannelInfo[]; index: Map<string, number> }[] = [];
  derived: Derived[] = [];

  setRun(run: number, channels: ChannelInfo[]): void {
    this.runs[run] = { list: channels, index: new Map(channels.map((c, k) => [c.path, k])) };
  }

  channels(run: number): readonly ChannelInfo[] {
    return this.runs[run]?.list ?? [];
  }

  /** How the server knows the channel: index, or 'e:EXPR'; null when this run has no such channel. */
  address(run: number, key: string): number | string | null {
    const book = this.runs[run];
    if (!book) return null;
    const index = book.index.get(key);
    if (index !== undefined) return index;
    return key.startsWith('e:') ? key : null;
  }

  unit(key: string): string {
    for (const book of this.runs) {
      const k = book?.index.get(key);
      if (k !== undefined && (book.list[k].unit !== '' || !key.startsWith('e:'))) return book.list[k].unit;
    }
    return this.derived.find((d) => derivedKey(d) === key)?.unit ?? '';
  }

  label(key: string): string {
    const d = this.derived.find((e) => derivedKey(e) === key);
    return d ? d.name : key.startsWith('e:') ? key.slice(2) : key;
  }
}
