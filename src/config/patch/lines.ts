/** A place of a text that is replaced. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export const spliced = (text: string, { from, to, text: by }: Splice): string =>
  text.slice(0, from) + by + text.slice(to);

/** The line end that a text uses. */
export const lineEndOf = (text: string): string =>
  /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';

export const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

/** The place behind the line end of the line, or the end of the text. */
export function nextLine(text: string, at: number): number {
  if (at > 0 && text[at - 1] === '\n' && at <= text.length) return at;
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

/** Where the text of the line ends, without its line end. */
export function lineTextEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  const last = end < 0 ? text.length : end;
  return text[last - 1] === '\r' && last > at ? last - 1 : last;
}

/** Columns by which the line is indented up to a place of it. */
export const columnOf = (text: string, at: number): number => at - lineStart(text, at);

/** Whether nothing but white space is before a place in its line. */
export const isFirstOfLine = (text: string, at: number): boolean =>
  text.slice(lineStart(text, at), at).trim() === '';
