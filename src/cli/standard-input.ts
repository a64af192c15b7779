/** How the person names standard input among the files. */
export const STANDARD_INPUT = '-';

// The parser loses a lone dash among the files; this word, which no file can have, takes its place meanwhile.
const STAND_IN = '\0stdin';

/** The arguments with each lone dash kept safe from the parser. */
export function keepDashes(argv: readonly string[]): string[] {
  return argv.map((word) => (word === STANDARD_INPUT ? STAND_IN : word));
}

/** Brings the dashes back into what was parsed. */
export function restoreDashes(args: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(args)) {
    args[name] = Array.isArray(value) ? value.map(restore) : restore(value);
  }
}

const restore = (value: unknown): unknown => (value === STAND_IN ? STANDARD_INPUT : value);
