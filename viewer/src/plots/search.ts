// Search in channel paths: every word must be found, as a piece of the path or, failing that, as letters in order
// ("flsf" finds FL/spring/force). Pieces score above letters, begins of names above their middles.

export interface Hit {
  index: number;
  score: number;
}

const separators = new Set(Array.from('/_. -', (c) => c.charCodeAt(0)));
const small = (c: number): boolean => c >= 97 && c <= 122;
const capital = (c: number): boolean => c >= 65 && c <= 90;

/** Whether a name or word begins at this place. */
function boundary(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  return separators.has(before) || (small(before) && capital(text.charCodeAt(at)));
}

/** Score of one lower-case word in a path; negative infinity when it is not there. */
export function wordScore(path: string, lower: string, word: string): number {
  let best = -Infinity;
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
    let score = 100 + word.length;
    if (boundary(path, at)) score += 40;
    const end = at + word.length;
    if (end === path.length || '/_.'.includes(path.charAt(end))) score += 20;
    best = Math.max(best, score);
  }
  if (best > -Infinity) return best;
  return letterScore(path, lower, word);
}

/** Letters in order; at least half of them must begin a name or follow their neighbour. */
function letterScore(path: string, lower: string, word: string): number {
  if (word.length < 2) return -Infinity;
  let at = -1;
  let good = 0;
  for (let k = 0; k < word.length; ++k) {
    const letter = word.charAt(k);
    let next = -1;
    if (lower.charAt(at + 1) === letter && at >= 0) next = at + 1;
    for (let p = at + 1; next < 0 && p < lower.length; ++p) if (lower.charAt(p) === letter && boundary(path, p)) next = p;
    if (next >= 0) good += 1;
    else next = lower.indexOf(letter, at + 1);
    if (next < 0) return -Infinity;
    at = next;
  }
  return good * 2 >= word.length ? (20 * good) / word.length : -Infinity;
}

/** Indices of matching paths, best first; equal ones in their order. An empty query matches all, in order. */
export function search(paths: readonly string[], query: string, units: readonly string[] = []): Hit[] {
  const words = query.toLowerCase().split(/\s+/).filter((w) => w.length > 0);
  const hits: Hit[] = [];
  for (let index = 0; index < paths.length; ++index) {
    const path = paths[index] as string;
    const lower = path.toLowerCase();
    let score = 0;
    for (const word of words) {
      // [m/s] asks for the unit.
      const unit = /^\[(.*?)\]?$/.exec(word);
      score += unit ? ((units[index] ?? '').toLowerCase() === unit[1] ? 10 : -Infinity) : wordScore(path, lower, word);
      if (score === -Infinity) break;
    }
    if (score > -Infinity) hits.push({ index, score: score - path.length * 0.01 });
  }
  if (words.length > 0) hits.sort((a, b) => b.score - a.score || a.index - b.index);
  return hits;
}
