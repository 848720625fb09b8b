// The channels as a tree of their path parts, and as the flat list of rows that is visible now. Chains of single
// children stay separate levels: the path is what people know from model files.

import { search } from './search';

export interface TreeChannel {
  path: string;
  unit: string;
}

interface Node {
  name: string;
  path: string;
  children: Node[];
  channel: number; // -1: a group
  count: number; // channels below
}

export interface Row {
  /** Full path of the group or channel; unique. */
  path: string;
  label: string;
  unit: string;
  depth: number;
  channel: number;
  open: boolean;
  count: number;
}

export class TreeModel {
  private root: Node = { name: '', path: '', children: [], channel: -1, count: 0 };
  private open = new Set<string>();
  private query = '';
  private visible: Row[] = [];
  private channels: readonly TreeChannel[] = [];

  setChannels(channels: readonly TreeChannel[]): void {
    this.channels = channels;
    this.root = { name: '', path: '', children: [], channel: -1, count: 0 };
    const groups = new Map<string, Node>([['', this.root]]);
    channels.forEach((c, index) => {
      const parts = c.path.startsWith('e:') ? [c.path] : c.path.split('/');
      let at = this.root;
      at.count += 1;
      for (let k = 0; k + 1 < parts.length; ++k) {
        const path = parts.slice(0, k + 1).join('/');
        let next = groups.get(path);
        if (!next) {
          next = { name: parts[k] as string, path, children: [], channel: -1, count: 0 };
          groups.set(path, next);
          at.children.push(next);
        }
        at = next;
        at.count += 1;
      }
      at.children.push({ name: parts[parts.length - 1] as string, path: c.path, children: [], channel: index, count: 1 });
    });
    if (this.root.children.length === 1 && this.root.children[0]) this.open.add(this.root.children[0].path);
    this.refresh();
  }

  setQuery(query: string): void {
    this.query = query.trim();
    this.refresh();
  }

  get searching(): boolean {
    return this.query.length > 0;
  }

  get rows(): readonly Row[] {
    return this.visible;
  }

  path(channel: number): string {
    return this.channels[channel].path;
  }

  toggle(path: string, open?: boolean): void {
    const now = open ?? !this.open.has(path);
    if (now) this.open.add(path);
    else this.open.delete(path);
    this.refresh();
  }

  /** Index of the row of the group around row `at`, or -1. */
  parentOf(at: number): number {
    const row = this.visible[at];
    if (!row) return -1;
    for (let k = at - 1; k >= 0; --k) if ((this.visible[k] as Row).depth < row.depth) return k;
    return -1;
  }

  /** Channels of a row: itself, or all directly in the group. */
  channelsOf(row: Row): number[] {
    if (row.channel >= 0) return [row.channel];
    const found: number[] = [];
    this.channels.forEach((c, index) => {
      if (c.path.startsWith(row.path + '/') && !c.path.slice(row.path.length + 1).includes('/')) found.push(index);
    });
    return found;
  }

  private refresh(): void {
    const rows: Row[] = [];
    if (this.query) {
      // A found list is flat, best first: in a tree the best hit could be far down.
      for (const hit of search(this.channels.map((c) => c.path), this.query, this.channels.map((c) => c.unit))) {
        const c = this.channels[hit.index] as TreeChannel;
        rows.push({ path: c.path, label: c.path, unit: c.unit, depth: 0, channel: hit.index, open: false, count: 1 });
      }
    } else {
      const walk = (node: Node, depth: number): void => {
        for (const child of node.children) {
          const leaf = child.channel >= 0;
          const open = !leaf && this.open.has(child.path);
          rows.push({
            path: child.path,
            label: child.name,
            unit: leaf ? (this.channels[child.channel] as TreeChannel).unit : '',
            depth,
            channel: child.channel,
            open,
            count: child.count,
          });
          if (open) walk(child, depth + 1);
        }
      };
      walk(this.root, 0);
    }
    this.visible = rows;
  }
}
