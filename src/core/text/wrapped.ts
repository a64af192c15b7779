/** Room for words that there is in any case: a column of single letters helps nobody. */
const NARROWEST = 24;

/**
 * A prefix and a text broken at its blanks, so that no line is wider than `width`. Lines after the first are indented by the
 * prefix. A word that is wider stays whole, since it may be a path or an id.
 */
export function wrapped(prefix: string, text: string, width: number | undefined): string {
  if (width === undefined) return prefix + text;
  const room = Math.max(NARROWEST, width - prefix.length);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && longer.length > room) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return prefix + [...lines, line].join(`\n${' '.repeat(prefix.length)}`);
}
