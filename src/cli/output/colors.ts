import { styleText } from 'node:util';
import { GOOD_OUTCOMES, OUTCOMES } from '../../core/outcome.js';

/** The colors of words that begin a line, or stand behind the count that does. */
const COLORS = new Map<string, 'green' | 'red' | 'yellow'>([
  ...OUTCOMES.map((name) => [name, GOOD_OUTCOMES.has(name) ? 'green' : 'red'] as const),
  ...([
    ['skipped', 'yellow'],
    ['warning', 'yellow'],
    ['FAILED', 'red'],
  ] as const),
  ...([
    ['ok', 'green'],
    ['no', 'red'],
  ] as const),
]);

/** With headings in bold, and outcomes in their colors where there are any of them. */
export function colored(text: string): string {
  return text
    .replaceAll(/^\p{Lu}[^:\n]*:$/gmu, (line) => styled('bold', line))
    .replaceAll(
      /^( *(?:[\d,]+ {2})?)(\w+)(?=:| {2})(?! +0(?:\s|$))/gm,
      (line, before: string, word: string) => {
        const color = COLORS.get(word);
        return color ? `${before}${styled(color, word)}` : line;
      },
    );
}

const styled = (format: Parameters<typeof styleText>[0], text: string): string =>
  styleText(format, text, { validateStream: false });
