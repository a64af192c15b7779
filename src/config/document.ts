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
import { z } from 'zod';
import { readFileSync } from 'node:fs';
import { defined, isRecord, suggestion } from '../core/text.js';

/*
 * A file that a person writes, as YAML or JSON: values that know where they stand, checks against a schema that tell all
 * mistakes at once, and the JSON Schema for editors. How a file is changed without harm stands in `patch-yaml.ts`.
 */

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
  /** The first line from this one on that has more than a comment. */
  const textFrom = (line: number, otherwise = line): number => {
    const after = lines.slice(line - 1).findIndex((one) => /^\s*[^\s#]/.test(one));
    return after === -1 ? otherwise : line + after;
  };
  const atText = (line: number, message: string): SyntaxMistake => {
    const at = textFrom(line);
    return { line: at, column: (lines[at - 1]?.search(/\S/) ?? 0) + 1, message };
  };
  const mistakeOf = ({ code, message, pos }: YAMLError): SyntaxMistake => {
    const place = placeAt(pos[0]);
    const isHere = (what: RegExp): boolean =>
      errors.some((other) => other.pos[0] === pos[0] && what.test(other.message));
    // "key: value" goes on in the next line, where a second colon makes a key of both.
    if (isHere(/^Nested mappings/) && isHere(/need to be on a single line/))
      return atText(textFrom(place.line + 1, place.line), DEEPER);
    if (/block sequence may not be used/i.test(message)) return atText(place.line, ITEM);
    if (/without - indicator/.test(message)) return atText(place.line, OTHER_COLUMN);
    if (/keys need to be followed/.test(message)) return atText(place.line, NO_COLON);
    if (code !== 'BAD_INDENT')
      return { ...place, message: WORDS[code] ?? `this is not YAML: ${message}.` };
    if (/^Flow/.test(message))
      return {
        ...place,
        message: 'a bracket that was opened above is not closed before this line.',
      };
    return atText(place.line, /sequence items/.test(message) ? ITEM : OTHER_COLUMN);
  };
  const byLine = new Map<number, SyntaxMistake>();
  // The first error of a line is the cause of the others.
  for (const mistake of errors.map(mistakeOf))
    if (!byLine.has(mistake.line)) byLine.set(mistake.line, mistake);
  return [...byLine.values()].slice(0, MAX_MISTAKES);
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

/** Text as people write it in YAML: `1`, `true` and `new` are all meant as text where text is wanted. */
export const scalar = z.union([z.string(), z.number(), z.boolean()]);

export type Scalar = z.output<typeof scalar>;

export const filled = z.string().refine((text) => text.trim() !== '', 'it must not be blank.');

/** Text in which white space counts, such as what stands between two parts. */
export const someText = z.string().refine((text) => text !== '', 'it must not be empty.');

/** Text that means something, as `read` finds it; else what is wrong is said: by it, or `mistake`. */
export const textAs = <T>(
  read: (text: string) => T | { readonly mistake: string } | undefined,
  mistake = '',
) =>
  z.string().transform((text, context): T => {
    const found = read(text) ?? { mistake };
    if (!isMistake(found)) return found;
    context.addIssue({ code: 'custom', message: found.mistake });
    return z.NEVER;
  });

const isMistake = (found: unknown): found is { readonly mistake: string } =>
  isRecord(found) && typeof found['mistake'] === 'string';

export const columnName = filled.describe('Header of a column, exactly as it stands in the file.');

type Issue = z.core.$ZodIssue;

/** Better words for some mistakes; `undefined` leaves a mistake to the general ones, `hint` being theirs. */
export type Wording = (
  issue: Issue,
  path: Path,
  hint: string | undefined,
) => readonly [message: string, suggestion?: string | undefined] | undefined;

/**
 * Checks a document against a schema.
 * @throws ConfigurationError with every mistake: place, path, plain words, what would be right.
 */
export function checkDocument<S extends z.ZodType>(
  document: PlacedDocument,
  schema: S,
  wording: Wording = () => undefined,
): z.output<S> {
  // A document is read once: compiling the schema for it would take longer than using it once.
  const result = schema.safeParse(document.value, { reportInput: true, jitless: true });
  if (result.success) return result.data;
  const mistakesOf = (issue: Issue, above: Path): ConfigMistake[] => {
    const steps = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
    const path = [...above, ...steps];
    const branch = issue.code === 'invalid_union' ? likeliestBranch(issue.errors) : undefined;
    if (branch) return withoutEchoes(branch).flatMap((inner) => mistakesOf(inner, path));
    if (issue.code !== 'unrecognized_keys') {
      const general = describe(issue);
      const [message, hint] = wording(issue, path, general[1]) ?? general;
      return [mistakeAt(document, path, message, hint)];
    }
    return issue.keys.map((key) => {
      const at = [...path, key];
      const near = suggestion(key, keysAt(schema, path));
      const [message, hint] = wording(issue, at, near) ?? [`"${key}" is not known here.`, near];
      return mistakeAt(document, at, message, hint, document.placeOfKey(at));
    });
  };
  const issues = withoutEchoes(result.error.issues);
  throw new ConfigurationError(inDocumentOrder(issues.flatMap((issue) => mistakesOf(issue, []))));
}

/** Mistakes as a person meets them who reads the file from its top. */
export function inDocumentOrder(mistakes: readonly ConfigMistake[]): ConfigMistake[] {
  const at = ({ line = 0, column = 0 }: ConfigMistake): number => line * 100_000 + column;
  return mistakes.toSorted((a, b) => at(a) - at(b));
}

/** A misspelt key also looks like a missing one. One word about it is enough. */
function withoutEchoes(issues: readonly Issue[]): Issue[] {
  const misspelt = new Set(
    issues.filter(({ code }) => code === 'unrecognized_keys').map(({ path }) => path.join('\n')),
  );
  return issues.filter(({ code, path }) => code !== 'custom' || !misspelt.has(path.join('\n')));
}

/** A mistake of the value at `path`. */
export function mistakeAt(
  document: PlacedDocument,
  path: Path,
  message: string,
  hint?: string,
  place: ReturnType<PlacedDocument['placeOf']> = document.placeOf(path),
): ConfigMistake {
  const shown = pathText(path);
  return {
    ...{ file: document.file, ...place, message },
    ...defined({ path: shown === '' ? undefined : shown, suggestion: hint }),
  };
}

/**
 * Of the forms that a value may have, the one that was meant: the one that got furthest, and of those the one with
 * the fewest mistakes. A form that the value does not even begin to have says `invalid_type` of the whole.
 */
function likeliestBranch(branches: readonly Issue[][]): Issue[] | undefined {
  // A list is no word of another form, right or wrong.
  const isOtherKind = ({ path, code, input }: Issue): boolean =>
    path.length === 0 &&
    (code === 'invalid_type' || (code === 'invalid_value' && Array.isArray(input)));
  const begun = branches.filter((issues) => !issues.some(isOtherKind));
  return begun.toSorted((a, b) => a.length - b.length)[0];
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'keys and values',
  record: 'keys and values',
};

function describe(issue: Issue): [message: string, hint?: string | undefined] {
  switch (issue.code) {
    case 'invalid_type': {
      const noun = NOUNS[issue.expected] ?? issue.expected;
      return issue.input === undefined
        ? ['this is required.', `Add ${noun}.`]
        : [`it must be ${noun}.`];
    }
    case 'invalid_value':
      return invalidValue(issue);
    case 'too_small':
      if (issue.minimum === 1 && issue.origin === 'array') return ['it must have an entry.'];
      return [
        issue.inclusive === false
          ? `it must be more than ${issue.minimum}${unitOf(issue.origin)}.`
          : `it must be at least ${issue.minimum}${unitOf(issue.origin)}.`,
      ];
    case 'too_big':
      return [`it must be at most ${issue.maximum}${unitOf(issue.origin)}.`];
    case 'invalid_key':
      return [issue.issues[0]?.message ?? issue.message];
    case 'invalid_union':
      return noForm(issue);
    default:
      return [issue.message];
  }
}

/** None of the forms that are allowed here. */
function noForm(issue: z.core.$ZodIssueInvalidUnion): [string, string?] {
  const forms = issue.errors.flatMap((branch) => branch.flatMap(expectedOf));
  const known = [...new Set(forms)].join(' or ');
  if (issue.input === undefined) return ['this is required.', `Add ${known}.`];
  const constant = typeof issue.input === 'number' || typeof issue.input === 'boolean';
  return constant && forms.includes(NOUNS['object'] ?? '')
    ? [`it must be ${known}.`, `A constant is written { value: ${String(issue.input)} }.`]
    : [`it must be ${known}.`];
}

function expectedOf(issue: Issue): string[] {
  if (issue.code === 'invalid_union')
    return issue.errors.flatMap((branch) => branch.flatMap(expectedOf));
  return issue.code === 'invalid_type' ? [NOUNS[issue.expected] ?? issue.expected] : [];
}

function invalidValue(issue: z.core.$ZodIssueInvalidValue): [string, string | undefined] {
  const allowed = issue.values.map(String);
  if (issue.input === undefined)
    return ['this is required.', `It is one of: ${allowed.join(', ')}.`];
  const known = allowed.length === 1 ? `"${allowed.join()}"` : `one of ${allowed.join(', ')}`;
  const hint = typeof issue.input === 'string' ? suggestion(issue.input, allowed) : undefined;
  return [`it must be ${known}.`, hint?.startsWith('Did') ? hint : undefined];
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' entries long' : '';
}

/** What a look into a zod schema needs of it; zod shows the rest of a definition by class alone. */
interface Definition {
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly options?: readonly unknown[];
  readonly element?: unknown;
  readonly valueType?: unknown;
  readonly innerType?: unknown;
}

/** Keys that a schema knows at `path`, in all the forms that are allowed there. */
export function keysAt(schema: unknown, path: Path): string[] {
  const forms = formsOf(schema);
  const [step, ...rest] = path;
  const found =
    step === undefined
      ? forms.flatMap((form) => Object.keys(definition(form).shape ?? {}))
      : forms.flatMap((form) => {
          const { shape, element, valueType } = definition(form);
          return keysAt(typeof step === 'number' ? element : (shape?.[step] ?? valueType), rest);
        });
  return [...new Set(found)];
}

/** The forms behind optional, default and union. */
function formsOf(schema: unknown): unknown[] {
  const { innerType, options } = definition(schema);
  if (innerType !== undefined) return formsOf(innerType);
  return options === undefined ? [schema] : options.flatMap(formsOf);
}

function definition(schema: unknown): Definition {
  return (schema as { readonly def?: Definition } | undefined)?.def ?? {};
}

/** Texts by keys: a key alone counts in all places, and with keys above it, or the mode of the file, in these. */
type Texts = ReadonlyMap<string, string>;

/**
 * JSON Schema (draft 7, which editors understand best) of a file. What its keys are for stands in a table beside the schema,
 * since that is asked for once in a while, and the schema for each run.
 * @param texts table of what its keys are for: lines of keys with points between them, a tab, and the text
 */
export function describedSchema(
  schema: z.ZodType,
  title: string,
  texts: URL,
): Record<string, unknown> {
  const rows = readFileSync(texts, 'utf8').split('\n');
  const known = new Map(
    rows.flatMap((row) => {
      const [keys = '', text] = row.split('\t');
      return text === undefined ? [] : [[keys, text] as const];
    }),
  );
  const found = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
  describeIn(found, [], '', known);
  return { title, ...found };
}

/** @param mode of the form of the file that the node is a part of */
function describeIn(node: unknown, path: readonly string[], mode: string, texts: Texts): void {
  if (Array.isArray(node)) for (const one of node) describeIn(one, path, mode, texts);
  if (!isRecord(node)) return;
  for (const [key, inner] of Object.entries(node)) {
    if (key === 'properties' && isRecord(inner)) describeKeys(inner, path, mode, texts);
    else if (key === 'definitions' && isRecord(inner))
      for (const [name, part] of Object.entries(inner)) describeIn(part, [name], '', texts);
    else if (key === 'anyOf' && Array.isArray(inner) && path.length === 0)
      for (const form of inner) describeIn(form, path, modeOf(form), texts);
    // Beside properties, forms say no more than which of them there must be.
    else if (key !== 'anyOf' || !('properties' in node)) describeIn(inner, path, mode, texts);
  }
}

function describeKeys(
  properties: Record<string, unknown>,
  path: readonly string[],
  mode: string,
  texts: Texts,
): void {
  for (const [name, option] of Object.entries(properties)) {
    const here = [...path, name];
    describeIn(option, here, mode, texts);
    const description = textOf(here, mode, texts);
    if (description === undefined || !isRecord(option) || saysMore(option)) continue;
    // What stands beside a reference does not count in this draft.
    properties[name] =
      '$ref' in option ? { description, allOf: [option] } : { ...option, description };
  }
}

/** Whether the schema itself says what the key is for, and not only that it is a column. */
const saysMore = ({ description }: Record<string, unknown>): boolean =>
  description !== undefined && description !== columnName.description;

/** The text of the longest way to the key that has one. */
function textOf(path: readonly string[], mode: string, texts: Texts): string | undefined {
  const ways = path.map((_, from) => path.slice(from).join('.'));
  return [`${mode} ${path.join('.')}`, ...ways].map((way) => texts.get(way)).find(Boolean);
}

function modeOf(form: unknown): string {
  const properties = isRecord(form) && isRecord(form['properties']) ? form['properties'] : {};
  const mode = properties['mode'];
  return isRecord(mode) && typeof mode['const'] === 'string' ? mode['const'] : '';
}

/**
 * Refuses a mapping where an installation file is wanted, and the reverse: against the wrong schema, every line of it
 * would be a mistake.
 * @throws ConfigurationError
 */
export function refuseOtherFile(
  { file, value }: PlacedDocument,
  wanted: 'mapping' | 'installation',
): void {
  if (typeof value !== 'object' || value === null) return;
  const isInstallation = 'baseUrl' in value || 'card' in value;
  const isMapping = 'client' in value;
  if (isInstallation === isMapping || isInstallation === (wanted === 'installation')) return;
  const [message, suggestion] = isInstallation
    ? ['this is an installation file, not a mapping.', 'Give it with -i, and the mapping with -m.']
    : [
        'this is a mapping, not an installation file.',
        'Give it with -m, and the installation file with -i.',
      ];
  throw new ConfigurationError([{ file, message, suggestion }]);
}
