import {
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  CST,
  Lexer,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  type YAMLError,
} from 'yaml';
import { codeOf, ConfigurationError, type ConfigMistake } from '../core/errors.js';
import { NotRegularError, readSmallFile, TooLargeError } from '../files/regular-file.js';

/** A value of a YAML file as plain data. */
export type Plain =
  string | number | boolean | readonly Plain[] | { readonly [key: string]: Plain };

/** The same, with the nothing of a key that has no value. */
export type YamlValue = Plain | null | readonly YamlValue[] | { readonly [key: string]: YamlValue };

/** Letters, digits and a few signs, neither a number nor a word that YAML takes for something else. */
const BARE = /^[\p{L}_/][\p{L}\p{M}\p{N}_ ./()+-]*$/u;
/** In a value, a colon without a space after it means nothing. */
const URL_TEXT = /^https?:\/\/[\w.:/~-]*\w$/;
const RESERVED = /^(?:true|false|yes|no|on|off|null|y|n|~)$/i;
const NUMERIC = /^[-+.]?\d/;

/** Text as YAML, in quotes where it needs them. */
export function quoted(text: string): string {
  if (/[\p{Cc}\u0085\u2028\u2029\ufeff]/u.test(text)) return JSON.stringify(text);
  if (URL_TEXT.test(text)) return text;
  const isBare =
    BARE.test(text) && !RESERVED.test(text) && !NUMERIC.test(text) && text.trim() === text;
  return isBare ? text : `'${text.replaceAll("'", "''")}'`;
}

/** A value in one line. */
export function flow(value: YamlValue): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (isList(value)) return `[${value.map(flow).join(', ')}]`;
  const pairs = Object.entries(value).map(([key, inner]) => `${quoted(key)}: ${flow(inner)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

function isList(value: YamlValue): value is readonly YamlValue[] {
  return Array.isArray(value);
}

/** Where something stands in a file, from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** A YAML or JSON file as plain values, which still knows where each of them stands. */
export interface PlacedDocument {
  readonly file: string;
  readonly value: unknown;
  /** The file as it is written. */
  readonly text: string;
  /**
   * Place of the value at a path, or of its key when it holds further keys; of the nearest parent when the path leads
   * nowhere.
   */
  placeOf(path: Path): Place;
  /** Place of the key itself, for keys that should not be there. */
  placeOfKey(path: Path): Place;
}

/** A mapping is written by hand; more than this is some other file. */
const MAX_BYTES = 4 * 1024 * 1024;
/** References that may be followed in all, so that a few lines cannot unfold into gigabytes. */
export const MAX_ALIASES = 100;

/**
 * Reads a YAML or JSON file.
 * @throws ConfigurationError when there is no such file, or it is not YAML; it lists every syntax error.
 */
export async function readDocument(file: string): Promise<PlacedDocument> {
  return parsePlaced(file, await readText(file));
}

/**
 * The text of a YAML or JSON file, whatever is wrong in it.
 * @throws ConfigurationError when there is no such file, or it is no text
 */
export async function readText(file: string): Promise<string> {
  try {
    const bytes = await readSmallFile(file, MAX_BYTES);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const [message, suggestion] = readFailure(error) ?? [];
    throw message === undefined ? error : new ConfigurationError([{ file, message, suggestion }]);
  }
}

function readFailure(error: unknown): readonly [message: string, suggestion: string] | undefined {
  if (error instanceof TypeError) return ['the file is not text in UTF-8.', 'Save it as UTF-8.'];
  if (error instanceof NotRegularError)
    return error.kind === 'folder'
      ? ['this is a folder.', 'Name the file inside it.']
      : [`this is a ${error.kind}, not a file.`, 'Save what comes out of it, and name that.'];
  if (error instanceof TooLargeError)
    return [`${error.message}.`, 'Is it the spreadsheet? Name the YAML file.'];
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return ['there is no such file.', 'Check the name and the folder.'];
  if (code === 'EACCES' || code === 'EPERM')
    return ['the file may not be read.', 'Check its permissions.'];
  return undefined;
}

/**
 * Reads YAML or JSON that is in memory already; `file` is what mistakes call it.
 * @throws ConfigurationError when it is not YAML; it lists every syntax error.
 */
export function parsePlaced(file: string, text: string): PlacedDocument {
  refuseDeep(file, text);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeAt: PlaceAt = (offset) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  if (document.errors.length > 0) {
    const mistakes = syntaxMistakes(document.errors, text, placeAt);
    throw new ConfigurationError(mistakes.map((mistake) => ({ file, ...mistake })));
  }
  if (document.contents === null) {
    throw new ConfigurationError([
      {
        file,
        message: 'the file is empty.',
        suggestion: 'See the samples for what belongs in it.',
      },
    ]);
  }
  refuseReserved(file, document, placeAt);
  return {
    file,
    value: plainValue(file, document),
    text,
    placeOf: (path) => placeAt(offsetOf(document, path, 'value')),
    placeOfKey: (path) => placeAt(offsetOf(document, path, 'key')),
  };
}

/** Parsing goes as deep as the text does, which takes seconds, or all of the stack. */
function refuseDeep(file: string, text: string): void {
  // Most texts have too few brackets to begin with, and need no second look.
  const mayBeDeep =
    text.split(/[[{]/, MAX_BRACKETS + 2).length > MAX_BRACKETS + 1 || INDENTED.test(text);
  const offset = mayBeDeep ? deepToken(text) : undefined;
  if (offset === undefined) return;
  const before = text.slice(0, offset).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  const message = 'this is nested too deeply.';
  throw new ConfigurationError([
    {
      ...{ file, line: before.length, column, message },
      suggestion: 'Close brackets, and begin lines further left.',
    },
  ]);
}

/** A key that JavaScript takes for something else would vanish without a word. */
function refuseReserved(file: string, document: Document, placeAt: PlaceAt): void {
  const mistakes: ConfigMistake[] = [];
  visit(document, {
    Pair: (_, { key }) => {
      if (!isScalar(key) || key.value !== '__proto__') return;
      const message = 'this name cannot be used.';
      mistakes.push({ file, ...placeAt(startOf(key) ?? 0), path: '__proto__', message });
    },
  });
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
}

function plainValue(file: string, document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw new ConfigurationError([
      {
        file,
        message: /excessive/i.test(error.message)
          ? `the file refers to itself more than ${MAX_ALIASES} times.`
          : 'a reference ("*name") has no anchor ("&name") before it.',
        suggestion: 'Write the values out.',
      },
    ]);
  }
}

/** Brackets within each other, and columns before the first word of a line. */
const [MAX_BRACKETS, MAX_INDENT] = [100, 500];

const INDENTED = new RegExp(`^[ \\-?:]{${MAX_INDENT}}`, 'm');

/** Where a text is nested deeper than anybody writes it: its offset. */
function deepToken(text: string): number | undefined {
  let [offset, brackets, indent, isLineStart, isScalar] = [0, 0, 0, true, false];
  for (const token of new Lexer().lex(text)) {
    const type = isScalar ? null : CST.tokenType(token);
    isScalar = type === 'scalar';
    // These stand for something else, and are not in the text.
    if (type === 'scalar' || type === 'doc-mode' || type === 'flow-error-end') continue;
    if (type === 'newline') [indent, isLineStart] = [0, true];
    else if (isLineStart && INDENTS.has(type)) indent += token.length;
    else isLineStart = false;
    if (type === 'flow-seq-start' || type === 'flow-map-start') brackets++;
    if (type === 'flow-seq-end' || type === 'flow-map-end') brackets--;
    if (brackets > MAX_BRACKETS || (brackets === 0 && indent > MAX_INDENT)) return offset;
    offset += token.length;
  }
  return undefined;
}

const INDENTS = new Set<CST.TokenType | null>([
  ...(['space', 'explicit-key-ind', 'map-value-ind', 'seq-item-ind'] as const),
]);

/** Offset of the value at `path`, or of its key when that is wanted; of the nearest parent that there is. */
function offsetOf(document: Document, path: Path, what: 'value' | 'key'): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [depth, step] of path.entries()) {
    const child = childOf(document, node, step);
    if (child === undefined) return offset;
    const isKey = isCollection(child.value) || (what === 'key' && depth === path.length - 1);
    const [first, second] = isKey ? [child.key, child.value] : [child.value, child.key];
    offset = startOf(first) ?? startOf(second) ?? offset;
    node = child.value;
  }
  return offset;
}

function childOf(
  document: Document,
  parent: unknown,
  step: string | number,
): { key: unknown; value: unknown } | undefined {
  const node = isAlias(parent) ? parent.resolve(document) : parent;
  if (!isCollection(node)) return undefined;
  if (!isMap(node)) {
    const value: unknown = typeof step === 'number' ? node.items[step] : undefined;
    return value === undefined ? undefined : { key: value, value };
  }
  const pair = node.items.find((item) => isPair(item) && keyText(item.key) === String(step));
  return pair && { key: pair.key, value: pair.value };
}

/** A key as the value of the document has it. */
export function keyText(key: unknown): string {
  if (isScalar(key) && key.value === null) return '';
  return String(isScalar(key) ? key.value : key);
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

/** What is wrong with the syntax of a file, and where a person has to mend it. */
interface SyntaxMistake extends Place {
  readonly message: string;
}

type PlaceAt = (offset: number) => Place;

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
function syntaxMistakes(
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

function textAfter(line: number, lines: readonly string[]): number {
  const after = lines.slice(line).findIndex((text) => HAS_TEXT.test(text));
  return after === -1 ? line : line + after + 1;
}

/** Way from the top of a file to a value: keys and list positions. */
export type Path = readonly (string | number)[];

/** `client.phones[0].column`. */
export function pathText(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}
