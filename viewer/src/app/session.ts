// What all panels share: data, theme, selection, notes to the user.
import type { DataSource, Session, SessionInfo, Theme } from '../api/types';

type Event = 'theme' | 'runs' | 'select';

export class PageSession implements Session {
  theme: Theme;
  selected: string | null = null;
  readonly shifts: number[] = [];
  onNote: (text: string, kind: 'info' | 'error') => void = () => {};
  private readonly listeners = new Map<Event, Set<() => void>>();

  constructor(readonly source: DataSource, readonly info: SessionInfo) {
    this.theme = startTheme();
    document.documentElement.dataset.theme = this.theme;
  }

  on(event: Event, listener: () => void): () => void {
    const set = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, set.add(listener));
    return () => set.delete(listener);
  }
  private tell(event: Event): void {
    for (const l of this.listeners.get(event) ?? []) l();
  }

  shift(run: number): number {
    return this.shifts[run] ?? 0;
  }
  setShift(run: number, seconds: number): void {
    this.shifts[run] = seconds;
    this.tell('runs');
  }
  select(part: string | null): void {
    if (part === this.selected) return;
    this.selected = part;
    this.tell('select');
  }
  setTheme(theme: Theme): void {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
    store('theme', theme);
    this.tell('theme');
  }
  notify(text: string, kind: 'info' | 'error' = 'info'): void {
    this.onNote(text, kind);
  }
}

function startTheme(): Theme {
  const kept = stored('theme');
  if (kept === 'light' || kept === 'dark') return kept;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

// Storage may be forbidden (files opened from disk): then choices last as long as the page.
function store(key: string, value: string): void {
  try {
    localStorage.setItem(`monocoque.${key}`, value);
  } catch {
    // nothing to do
  }
}
function stored(key: string): string | null {
  try {
    return localStorage.getItem(`monocoque.${key}`);
  } catch {
    return null;
  }
}
