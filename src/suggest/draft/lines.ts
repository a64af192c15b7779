import { type Plain, flow, quoted } from '../../config/yaml-text.js';

/** Lines of YAML, indented by their depth. */
export class Lines {
  readonly #lines: string[] = [];

  add(depth: number, text: string, comment?: string): void {
    const line = '  '.repeat(depth) + text;
    this.#lines.push(comment === undefined ? line : `${line} # ${oneLine(comment)}`);
  }

  /** A line that a person takes the sign off to use it, or that only says something. */
  note(depth: number, text: string): void {
    this.#lines.push(`${'  '.repeat(depth)}# ${oneLine(text)}`);
  }

  blank(): void {
    if (this.#lines.at(-1) !== '') this.#lines.push('');
  }

  toString(): string {
    return `${this.#lines.join('\n').trimEnd()}\n`;
  }
}

/** Nothing of a file breaks out of a comment. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u0085\u2028\u2029]+/gu, ' ');
}

/** Longest line before a value is written over several. */
const WIDE = 110;

/** `key: value`, with a map of values one pair a line. */
export function pairLines(key: string, value: Plain): string[] {
  const short = `${quoted(key)}: ${flow(value)}`;
  if (
    typeof value !== 'object' ||
    !('map' in value) ||
    (short.length <= WIDE && !short.includes('map'))
  )
    return [short];
  return [`${quoted(key)}:`, ...keyLines(value).map((line) => `  ${line}`)];
}

/** An entry of a list. */
export function entryLines(value: Plain): string[] {
  if (typeof value !== 'object' || !('map' in value)) return [`- ${flow(value)}`];
  return keyLines(value).map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`));
}

function keyLines(value: object): string[] {
  return Object.entries(value).flatMap(([key, inner]: [string, Plain]) =>
    key === 'map' && typeof inner === 'object'
      ? [
          'map:',
          ...Object.entries(inner).map(
            ([from, to]: [string, Plain]) => `  ${quoted(from)}: ${flow(to)}`,
          ),
        ]
      : [`${key}: ${flow(inner)}`],
  );
}
