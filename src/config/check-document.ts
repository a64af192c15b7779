import { z } from 'zod';
import { readFileSync } from 'node:fs';
import { ConfigurationError, type ConfigMistake } from '../core/errors.js';
import { defined, isRecord, suggestion } from '../core/text.js';
import { type PlacedDocument, pathText, type Path } from './document.js';

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
  const issues = withoutEchoes(result.error.issues);
  const subject = { document, schema, wording };
  throw new ConfigurationError(
    inDocumentOrder(issues.flatMap((issue) => mistakesOf(subject, issue, []))),
  );
}

interface Subject {
  readonly document: PlacedDocument;
  readonly schema: z.ZodType;
  readonly wording: Wording;
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

function mistakesOf(subject: Subject, issue: Issue, above: Path): ConfigMistake[] {
  const { document, wording } = subject;
  const steps = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const path = [...above, ...steps];
  if (issue.code === 'invalid_union') {
    const branch = likeliestBranch(issue.errors);
    if (branch) return withoutEchoes(branch).flatMap((inner) => mistakesOf(subject, inner, path));
  }
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownKey(subject, issue, [...path, key]));
  }
  const general = describe(issue);
  const [message, hint] = wording(issue, path, general[1]) ?? general;
  return [mistakeAt(document, path, message, hint)];
}

/**
 * Of the forms that a value may have, the one that was meant: the one that got furthest, and of those the one with
 * the fewest mistakes. A form that the value does not even begin to have says `invalid_type` of the whole.
 */
function likeliestBranch(branches: readonly Issue[][]): Issue[] | undefined {
  const begun = branches.filter((issues) => !issues.some(isOtherKind));
  return begun.toSorted((a, b) => a.length - b.length)[0];
}

function isOtherKind({ path, code, input }: Issue): boolean {
  // A list is no word of another form, right or wrong.
  const isType = code === 'invalid_type' || (code === 'invalid_value' && Array.isArray(input));
  return path.length === 0 && isType;
}

function unknownKey(
  { document, schema, wording }: Subject,
  issue: Issue,
  path: Path,
): ConfigMistake {
  const key = String(path.at(-1));
  const general = suggestion(key, keysAt(schema, path.slice(0, -1)));
  const [message, hint] = wording(issue, path, general) ?? [`"${key}" is not known here.`, general];
  return mistakeAt(document, path, message, hint, document.placeOfKey(path));
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
    case 'invalid_type':
      return invalidType(issue);
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

function invalidType(issue: z.core.$ZodIssueInvalidType): [string, string?] {
  const noun = NOUNS[issue.expected] ?? issue.expected;
  const missing = issue.input === undefined;
  return missing ? [`this is required.`, `Add ${noun}.`] : [`it must be ${noun}.`];
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
      : forms.flatMap((form) => keysAt(childOf(form, step), rest));
  return [...new Set(found)];
}

/** The forms behind optional, default and union. */
function formsOf(schema: unknown): unknown[] {
  const { innerType, options } = definition(schema);
  if (innerType !== undefined) return formsOf(innerType);
  return options === undefined ? [schema] : options.flatMap(formsOf);
}

function childOf(schema: unknown, step: string | number): unknown {
  const { shape, element, valueType } = definition(schema);
  return typeof step === 'number' ? element : (shape?.[step] ?? valueType);
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

const WORDS = {
  mapping: {
    message: 'this is an installation file, not a mapping.',
    suggestion: 'Give it with -i, and the mapping with -m.',
  },
  installation: {
    message: 'this is a mapping, not an installation file.',
    suggestion: 'Give it with -m, and the installation file with -i.',
  },
} as const;

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
  if (isInstallation === isMapping) return;
  if (isInstallation === (wanted === 'installation')) return;
  throw new ConfigurationError([{ file, ...WORDS[wanted] }]);
}
