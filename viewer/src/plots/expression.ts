// The text of a derived channel, seen by the editor: tokens for completing and marking, never its value. Grammar and
// errors are the server's; here is only what helps while typing.

export type TokenKind = 'channel' | 'number' | 'name' | 'operator' | 'space' | 'unknown';

export interface Token {
  kind: TokenKind;
  text: string;
  begin: number;
  /** A channel whose bracket is not closed yet. */
  open?: boolean;
}

export const functionNames = [
  'derivative', 'integral', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'atan2', 'sqrt', 'exp', 'log', 'abs', 'min', 'max', 'sign',
  'deg', 'step', 'ramp',
];

export function tokens(expression: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  while (at < expression.length) {
    const rest = expression.slice(at);
    let kind: TokenKind = 'unknown';
    let text = rest.charAt(0);
    let open = false;
    let m: RegExpExecArray | null;
    if ((m = /^\s+/.exec(rest))) [kind, text] = ['space', m[0]];
    else if ((m = /^\[[^\][]*\]?/.exec(rest))) {
      [kind, text] = ['channel', m[0]];
      open = !text.endsWith(']');
    } else if ((m = /^(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?/.exec(rest))) [kind, text] = ['number', m[0]];
    else if ((m = /^[A-Za-z_]\w*/.exec(rest))) [kind, text] = ['name', m[0]];
    else if ('+-*/^(),'.includes(text)) kind = 'operator';
    found.push(open ? { kind, text, begin: at, open } : { kind, text, begin: at });
    at += text.length;
  }
  return found;
}

export const channelsIn = (expression: string): string[] =>
  tokens(expression)
    .filter((t) => t.kind === 'channel' && !t.open)
    .map((t) => t.text.slice(1, -1));

/** The begun channel name or function before the caret, for suggestions; null where there is none. */
export function completionAt(expression: string, caret: number): { kind: 'channel' | 'name'; begin: number; text: string } | null {
  for (const t of tokens(expression.slice(0, caret))) {
    if (t.begin + t.text.length !== caret) continue;
    if (t.kind === 'channel' && t.open) return { kind: 'channel', begin: t.begin, text: t.text.slice(1) };
    if (t.kind === 'name') return { kind: 'name', begin: t.begin, text: t.text };
  }
  return null;
}

/** Column (from 1) that an error of the server points to; null when it names none. */
export function errorColumn(message: string, length: number): number | null {
  if (/ at the end\b/.test(message)) return length + 1;
  const m = /(?:column|character|position)\s+(\d+)/i.exec(message);
  return m ? Number(m[1]) : null;
}
