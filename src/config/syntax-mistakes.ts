import type { YAMLError } from 'yaml';

/** What is wrong with the syntax of a file, and the line (from 1) and column that a person has to mend. */
export interface SyntaxMistake {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

type PlaceAt = (offset: number) => { readonly line: number; readonly column: number };

const WORDS: Partial<Record<YAMLError['code'], string>> = {
  DUPLICATE_KEY: 'this key appears twice. Keep one of them.',
  MULTIPLE_DOCS: 'a second document begins here ("---"). Keep one document in a file.',
  TAB_AS_INDENT: 'a tab is used to indent. Use spaces.',
  BLOCK_AS_IMPLICIT_KEY:
    'there are two colons in this line. Put the text in quotes when it holds a colon.',
  UNEXPECTED_TOKEN: 'this is not YAML: no key and no "-" leads to this text.',
  MISSING_CHAR: 'something is left open here, such as a quote or a bracket.',
};

/** More of them say that the file is something else. */
const MAX_MISTAKES = 5;

const DEEPER =
  'this line is indented more than the one above, which has a value already. Begin both in the same column.';
const ITEM = 'this "-" does not stand below the others of its list. Begin it in the same column.';
const OTHER_COLUMN =
  'this line does not begin in the same column as the others of its section. Indent it as they are.';
const NO_COLON = 'this key has no colon and no value after it.';

/** Each mistake once, at the line that causes it: the parser reports some where what it fails to continue began. */
export function syntaxMistakes(
  errors: readonly YAMLError[],
  text: string,
  placeAt: PlaceAt,
): SyntaxMistake[] {
  const lines = text.split('\n');
  const found = errors.map((error) => mistakeOf(error, errors, lines, placeAt));
  const byLine = new Map<number, SyntaxMistake>();
  // The first error of a line is the cause of the others.
  for (const mistake of found) if (!byLine.has(mistake.line)) byLine.set(mistake.line, mistake);
  return [...byLine.values()].slice(0, MAX_MISTAKES);
}

function mistakeOf(
  error: YAMLError,
  all: readonly YAMLError[],
  lines: readonly string[],
  placeAt: PlaceAt,
): SyntaxMistake {
  const place = placeAt(error.pos[0]);
  const atText = (line: number, message: string): SyntaxMistake => {
    const at = HAS_TEXT.test(lines[line - 1] ?? '') ? line : textAfter(line, lines);
    return { line: at, column: (lines[at - 1]?.search(/\S/) ?? 0) + 1, message };
  };
  const isHere = (what: RegExp): boolean =>
    all.some(({ message, pos }) => pos[0] === error.pos[0] && what.test(message));
  // "key: value" goes on in the next line, where a second colon makes a key of both.
  if (isHere(/^Nested mappings/) && isHere(/need to be on a single line/))
    return atText(textAfter(place.line, lines), DEEPER);
  if (/block sequence may not be used/i.test(error.message)) return atText(place.line, ITEM);
  if (/without - indicator/.test(error.message)) return atText(place.line, OTHER_COLUMN);
  if (/keys need to be followed/.test(error.message)) return atText(place.line, NO_COLON);
  if (error.code !== 'BAD_INDENT')
    return { ...place, message: WORDS[error.code] ?? `this is not YAML: ${error.message}.` };
  if (/^Flow/.test(error.message))
    return { ...place, message: 'a bracket that was opened above is not closed before this line.' };
  return atText(place.line, /sequence items/.test(error.message) ? ITEM : OTHER_COLUMN);
}

/** More than a comment. */
const HAS_TEXT = /^\s*[^\s#]/;

/** The next line that has text. */
function textAfter(line: number, lines: readonly string[]): number {
  const after = lines.slice(line).findIndex((text) => HAS_TEXT.test(text));
  return after === -1 ? line : line + after + 1;
}
