import { FORMATS } from '../../source/formats.js';

/** What input files may be, for a person: kinds of workbooks count as one. */
export const INPUT_FORMAT_WORDS: string = listed([
  ...new Set(Object.values(FORMATS).map(({ words }) => words.replace(/ \(.*\)$/, ''))),
]);

function listed(words: readonly string[]): string {
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
}
