import type { Scalar } from '../../config/document.js';
import type { Path, PlacedDocument } from '../../config/document.js';
import { type ColumnTarget, isList } from '../column-uses.js';
import { type FlagSpec, value, type ValueObject, type ValueSpec } from '../schema.js';
import {
  hasExponent,
  InvalidValue,
  LOST_DIGITS,
  comparedWord,
  type Table,
} from '../transforms/step.js';
import {
  clearBlanks,
  type CompileContext,
  compileContext,
  compilePart,
  compileValue,
  missing,
  type Convert,
  type Part,
  RowProblems,
} from './values.js';
import { CLIENT_TYPES, type FieldValue, TIME_ZONE_LENGTH } from '../../core/client.js';
import { type CardField, type Installation, syncFields } from '../../installation/installation.js';
import type { LoadedMapping } from '../mapping.js';
import { MODE_TRAITS } from '../../core/outcome.js';
import { suggestion, nearest } from '../../core/text.js';
import { looksWritten } from '../transforms/date/dates.js';
import { type Cell, headerName } from '../../core/table.js';
import { shortZone } from '../../calling/zones/zones.js';
import { booleanReader } from '../transforms/registry.js';
import { forbidsCalls, forbidsMail, isForbiddenIn } from '../transforms/phone/forbidding.js';
import { NOBODY_CALLS, ROUNDED, SEVERAL_PHONES } from '../transforms/phone/phone.js';
import { plainSigns, plainWord } from '../transforms/phone/words.js';
import { EXTENSION, wholeNumber } from '../transforms/phone/read-phone.js';

/** True, false, or what the row says. `required` is the problem of a row that says nothing; `null` when it need not. */
export function compileFlag(
  spec: FlagSpec,
  required: InvalidValue | null,
  path: Path,
  context: CompileContext,
): Part<boolean> {
  if (typeof spec === 'boolean') return () => spec;
  const isRequired = typeof spec === 'object' && spec.required === true;
  const needed = required ?? (isRequired ? missing('This') : null);
  return compilePart(spec, path, booleanReader(), needed, context);
}

/** The custom fields of the card: those that identify, in the order of the card, and the others. */
export interface Fields {
  readonly identifiers: readonly { readonly name: string; readonly part: Part<string | number> }[];
  readonly others: readonly { readonly name: string; readonly part: Part<FieldValue> }[];
}

const PATH: Path = ['client', 'fields'];

/**
 * Compiles the fields, and holds them against the card: unknown, missing, not used. Without a card every value is text,
 * and nothing says which fields identify. A mode that neither creates nor changes clients has no use for the others.
 */
export function compileFields(
  { sections, mode, borrowed }: Pick<LoadedMapping, 'sections' | 'mode' | 'borrowed'>,
  card: Installation['card'] | undefined,
  context: CompileContext,
): Fields {
  const specs = new Map(Object.entries(sections.client.fields));
  const { creates } = MODE_TRAITS[mode];
  const isNeeded = ({ sync, required }: CardField): boolean => sync || (creates && required);
  if (card) checkNames([...specs.keys()], card, isNeeded, context);
  const identifying = card ? syncFields(card) : [];
  const compile = (name: string, spec: ValueSpec): Part<string | number> => {
    const field = card && Object.hasOwn(card, name) ? card[name] : undefined;
    const isWanted = typeof spec === 'object' && spec.required === true;
    const isMissed = isWanted || (field !== undefined && isNeeded(field));
    const required = isMissed ? missing(`The field ${name}`) : null;
    const convert = seeDates(spec, field, context);
    return compilePart(spec, [...PATH, name], convert, required, context, field?.type === 'Number');
  };
  const identifiers = identifying.flatMap((name) => {
    const spec = specs.get(name);
    specs.delete(name);
    return spec === undefined ? [] : [{ name, part: compile(name, spec) }];
  });
  if (card && !creates && mode !== 'update') {
    const known = [...specs.keys()].filter((name) => Object.hasOwn(card, name));
    for (const name of borrowed ? [] : known)
      context.mistake(
        [...PATH, name],
        `mode ${mode} does not use the field "${name}".`,
        `It uses the synchronization identifiers alone: ${identifying.join(', ')}.`,
      );
    return { identifiers, others: [] };
  }
  const others = [...specs].map(([name, spec]) => {
    const part = compile(name, spec);
    const { value }: ValueObject = typeof spec === 'string' ? {} : spec;
    // Without a card nothing says what the type should be, so a constant keeps the one that it was written with.
    const keepsType = !card && (typeof value === 'number' || typeof value === 'boolean');
    return { name, part: keepsType ? () => value : part };
  });
  return { identifiers, others };
}

function checkNames(
  written: readonly string[],
  card: Installation['card'],
  required: (field: CardField) => boolean,
  context: CompileContext,
): void {
  for (const name of written) {
    if (Object.hasOwn(card, name)) continue;
    const unused = Object.keys(card).filter((field) => !written.includes(field));
    context.mistake([...PATH, name], `the card has no field "${name}".`, suggestion(name, unused));
  }
  for (const [name, field] of Object.entries(card)) {
    if (written.includes(name) || !required(field)) continue;
    const why = field.sync ? 'is a synchronization identifier' : 'is required';
    context.mistake(PATH, `the field "${name}" ${why} and is missing here.`, `Add "${name}: …".`);
  }
}

/** Dates in figures have a sign behind one digit or two, which hardly any other text has: identifiers are digits alone. */
const MAYBE_DATE = /^\d\d?[-./ ]/;

/** How a field takes text. Where cells are sent as they stand, it counts what looks like a date in figures, unchecked. */
function seeDates(
  spec: ValueSpec,
  field: CardField | undefined,
  context: CompileContext,
): Convert<string | number> {
  const convert = toField(field);
  const isText = field === undefined || (field.type === 'TextField' && !field.sync);
  const { column, transform, map }: ValueObject =
    typeof spec === 'string' ? { column: spec } : spec;
  if (!isText || column === undefined || transform !== undefined || map !== undefined)
    return convert;
  const watch = context.watch(headerName(column), 'text');
  return (text) => {
    watch.see();
    if (MAYBE_DATE.test(text) && looksWritten(text)) watch.look('dates');
    return convert(text);
  };
}

const NUMBER = /^-?\d+(\.\d+)?$/;

const NOT_A_NUMBER = new InvalidValue(
  'not_a_number',
  'This is not a number. Write digits, such as 1250 or 12.5.',
);
const NOT_WHOLE = new InvalidValue(
  'not_an_integer',
  'This is not a whole number. Write digits alone.',
);
const TOO_LARGE = new InvalidValue(
  'number_too_large',
  'This number has too many digits to be exact. Numbers go up to 9007199254740991.',
);

/** Text to a number; `whole` for identifiers and ids. Leading zeros say nothing. */
export function toNumber(whole: boolean): Convert<number> {
  return (text) => {
    const trimmed = text.trim();
    if (!NUMBER.test(trimmed)) return NOT_A_NUMBER;
    const number = Number(trimmed);
    if (Math.abs(number) > Number.MAX_SAFE_INTEGER) return TOO_LARGE;
    if (whole && !Number.isInteger(number)) return NOT_WHOLE;
    return number === 0 ? 0 : number;
  };
}

/** A whole number that is a client role. `roles`: those that exist. */
export function toRole(roles: readonly number[] | undefined): Convert<number> {
  const whole = toNumber(true);
  if (roles === undefined) return whole;
  const known = new Set(roles);
  const wrong = new InvalidValue(
    'unknown_role',
    `There is no such role. Roles: ${roles.join(', ')}.`,
  );
  return (text) => {
    const role = whole(text);
    return typeof role === 'number' && !known.has(role) ? wrong : role;
  };
}

/** Text that is one of a few words, white space at its ends aside. */
export function toWord<T extends string>(words: readonly T[], code: string): Convert<T> {
  const known = new Map<string, T>(words.map((word) => [comparedWord(word), word]));
  const choice = words.slice(0, SHOWN).join(', ') + (words.length > SHOWN ? ', …' : '');
  const wrong = new InvalidValue(code, `This value is not allowed. Use one of: ${choice}.`);
  return (text) => {
    const trimmed = text.trim();
    const word = known.get(trimmed);
    if (word !== undefined) return word;
    const near = nearest(trimmed, words);
    return near === undefined
      ? wrong
      : new InvalidValue(
          code,
          `This value is not allowed. Did you mean "${near}"? Allowed: ${choice}.`,
        );
  };
}

const SHOWN = 12;

const NOT_BLANK = new InvalidValue('required', 'There is only white space. Fill in the cell.');

const toText: Convert<string> = (text) => text;

/** Text without white space at its ends, and not empty. */
export const toFilledText: Convert<string> = (text) => {
  const trimmed = text.trim();
  return trimmed === '' ? NOT_BLANK : trimmed;
};

const TIME_ZONE_TOO_LONG = new InvalidValue(
  'too_long',
  `A time zone has at most ${TIME_ZONE_LENGTH} characters, such as Europe/Moscow.`,
);

/** Text as it stands; a name that is too long gives way to an equal zone with a shorter one. */
export const toTimeZone: Convert<string> = (text) => {
  const filled = toFilledText(text);
  if (typeof filled !== 'string' || filled.length <= TIME_ZONE_LENGTH) return filled;
  const short = shortZone(filled);
  return short.length > TIME_ZONE_LENGTH ? TIME_ZONE_TOO_LONG : short;
};

const NOT_A_PHONE = new InvalidValue(
  'not_a_phone',
  'This is not a phone number: it has fewer than three digits.',
);
const THREE_DIGITS = /\d\D*\d\D*\d/;
/** Words, or signs that stand for some. */
const SAYS_MORE = /[^\d\s+().\-/]/;
/** The same in a cell of several numbers. */
const HOLDS_WORDS = /[^\d\s+().\-/;,|]/;
const LONG_PHONE = new InvalidValue(
  'not_a_phone',
  'This is not a phone number: it has more than 100 characters. Write the number alone.',
);
const MAX_PHONE = 100;
const LETTER_WITHIN = new InvalidValue(
  'not_a_phone',
  'This is not a phone number: a letter stands among its digits. Check the digits.',
);
/** Digits before and behind a letter, of which either are more than those of an hour. */
const AMONG_DIGITS = /\d{3}(?=\p{L}\d)|\d(?=\p{L}\d{3})/u;
/** Digits of a number at least that an extension stands behind. */
const FEWEST = /(?:\d\D*){7}$/;

/** Whether a letter stands among the digits, and does not begin an extension behind those of a whole number. */
function holdsLetter(text: string): boolean {
  const found = AMONG_DIGITS.exec(text);
  if (found === null) return false;
  const at = found.index + found[0].length;
  return !(FEWEST.test(text.slice(0, at)) && EXTENSION.test(plainWord(text.slice(at))));
}
/** As most are, and never two. */
const PLAIN_PHONE = /^\+?\d{3,15}$/;

/** A phone that no transform reads goes out as it stands, but two phones are not one, and some must not be called. */
export const toPhone: Convert<string> = (text, cell) => {
  const trimmed = text.trim();
  // What a transform left out of the cell may forbid the call as well.
  if (cell && cell !== text && HOLDS_WORDS.test(cell) && isForbiddenIn(plainSigns(cell), trimmed))
    return NOBODY_CALLS;
  if (PLAIN_PHONE.test(trimmed)) return trimmed;
  if (trimmed.length > MAX_PHONE) return LONG_PHONE;
  const whole = wholeNumber(trimmed);
  if (whole !== trimmed) return whole ?? ROUNDED;
  if (!THREE_DIGITS.test(trimmed)) return NOT_A_PHONE;
  if (SAYS_MORE.test(trimmed)) {
    if (forbidsCalls(trimmed)) return NOBODY_CALLS;
    if (holdsLetter(trimmed)) return LETTER_WITHIN;
  }
  return holdsSeveral(trimmed) ? SEVERAL_PHONES : trimmed;
};

const NOT_AN_EMAIL = new InvalidValue(
  'not_an_email',
  'This is not an e-mail address. It looks like name@example.com.',
);
const NOBODY_WRITES = new InvalidValue(
  'not_an_email',
  'The words say that nobody may write to this address. Remove the words where somebody may.',
);
/** Characters of an address at most, and of one with a name before it. */
const [MAX_ADDRESS, MAX_NAMED] = [254, 320];
/** Something, one `@`, and a domain; no white space, brackets, quotes or separators of lists. Linear in the text. */
const EMAIL =
  /^[^\s@,:;<>()[\]"]+@(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*\.)+(?:xn--[a-z\d-]+|\p{L}[\p{L}\p{M}]+)$/iu;
/** Letters of Japanese programs, which no server knows. */
const FULL_WIDTH = /[\uff00-\uffef]/;
/** Letters of two scripts in one word, of which some only look alike. */
const MIXED =
  /[A-Za-z][^\s@._-]*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}][^\s@._-]*[A-Za-z]/u;
/** What programs put around an address: a name before it, brackets, the scheme of a link with what belongs to the mail. */
const NAMED = /^([^<>@]*)<([^<>]*)>$/;
const LINK = /^(?:mailto|e-?mail|mail):\s*([^?]*)(?:\?.*)?$/i;
const OPEN_BRACKET = /^[<("'\u2018\u201c\u201e\u00ab]|[>)"'\u2019\u201c\u201d\u00bb]$/g;
const AT_THE_END = /[,;]+$/;
/** Dots that begin or end what stands before the `@`, or follow each other, and hyphens that end a part of the domain. */
const MISPLACED = /^\.|\.[.@]|-(?:\.[^@]*)?$/;
/** As nearly all are: found in half the time. */
const PLAIN_EMAIL = /^[\w+-]+(?:\.[\w+-]+)*@(?:[a-z\d](?:[\w-]*\w)?\.)+[a-z]{2,}$/i;
/** As programs copy it: `ada@example.com<mailto:ada@example.com>`. */
const TWICE = /^(\S+@[^\s<]+)\s*<(?:mailto:)?\1>$/i;

export const toEmail: Convert<string> = (text) => {
  const trimmed = text.trim();
  if (trimmed.length <= MAX_ADDRESS && PLAIN_EMAIL.test(trimmed)) return trimmed;
  if (trimmed.length > MAX_NAMED) return NOT_AN_EMAIL;
  const isBare = isAddress(trimmed) && !LINK.test(trimmed);
  const address = isBare ? trimmed : bareAddress(trimmed);
  if (address === null) return NOBODY_WRITES;
  return address.length <= MAX_ADDRESS && isAddress(address) ? address : NOT_AN_EMAIL;
};

const isAddress = (text: string): boolean =>
  EMAIL.test(text) && !MISPLACED.test(text) && !FULL_WIDTH.test(text) && !MIXED.test(text);

/**
 * An address without what is known to stand around it; `null` where words before it forbid it. Brackets and quotes of which
 * one is missing are left out as well.
 */
function bareAddress(text: string): string | null {
  const written = text.replace(AT_THE_END, '').trim();
  const twice = TWICE.exec(written)?.[1];
  if (twice !== undefined) return twice;
  const [, name = '', inner = written.replace(OPEN_BRACKET, '')] = NAMED.exec(written) ?? [];
  if (forbidsMail(name)) return null;
  const linked = LINK.exec(inner.trim());
  return (linked?.[1] ?? inner).trim().replace(OPEN_BRACKET, '').trim();
}

/** How a custom field of the card takes text. Identifiers are cut at their ends: they are compared, not read. */
export function toField(field: CardField | undefined): Convert<string | number> {
  if (field === undefined) return toText;
  if (field.type === 'Number') return toNumber(field.sync);
  if (field.values !== undefined) return toWord(field.values, 'not_allowed');
  if (field.sync) return (text) => (hasExponent(text) ? LOST_DIGITS : toFilledText(text));
  if (field.type !== 'TextField') return toFilledText;
  return field.required ? (text) => (text.trim() === '' ? NOT_BLANK : text) : toText;
}

/** Digits of a whole number, whatever stands before them. */
const WHOLE = 6;
/** Of calling codes the first two digits alone are known, so that one more belongs to those of a place. */
const [CALLING_CODE, PREFIX] = [/^[\s(]*(?:\+|00)\d{2}/, /^[\s(]*[08]/];
/** No number has more, with what is dialled before it. */
const LARGEST = 19;
/** What ends the digits of one number and their signs. */
const BETWEEN = /[^\d ().\-/[\]]+/;

/** Whether a text holds more than one phone, by its form alone. */
function holdsSeveral(text: string): boolean {
  const plain = withoutExtension(plainSigns(text));
  const numbers = plain.split(BETWEEN).filter((part) => digitsIn(part) >= WHOLE);
  if (numbers.length > 1 || digitsIn(plain) > LARGEST) return true;
  // A slash between two whole numbers, and not behind the digits of a place.
  for (let at = plain.indexOf('/'); at >= 0; at = plain.indexOf('/', at + 1)) {
    if (digitsIn(plain.slice(at)) < WHOLE) return false;
    const head = plain.slice(0, at);
    const isAbroad = CALLING_CODE.test(head);
    const own = digitsIn(head.replace(isAbroad ? CALLING_CODE : PREFIX, ''));
    if (own >= WHOLE + (isAbroad ? 1 : 0)) return true;
  }
  return false;
}

const digitsIn = (text: string): number => text.replace(/\D/g, '').length;

/** The same without the digits of an extension at its end. */
function withoutExtension(text: string): string {
  const words = plainWord(text);
  const first = /\d[\d ().\-/[\]]*/.exec(words);
  if (first === null) return words;
  const end = first.index + first[0].trimEnd().length;
  const found = EXTENSION.exec(words.slice(end));
  return found === null ? words : words.slice(0, end) + words.slice(end + found[0].length);
}

/** What values are tried with. */
export interface TryContext {
  readonly document: PlacedDocument;
  readonly tables: ReadonlyMap<string, Table>;
  readonly installation: Pick<Installation, 'card' | 'clientRoles'>;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Words that count as an empty cell in every column. */
  readonly blank?: readonly Scalar[] | undefined;
}

/**
 * Maps rows with one value of a mapping alone, whatever the rest of the mapping still lacks. `null` where the value is
 * written as none, or needs a table that is not there; the first mistake, where it has one; else how many rows have something there, how many of them are good, what
 * is wrong with the others, the most frequent first, and what becomes of the first cells.
 * @param given.spec as it is written, but for the keys of a contact or a callback beside it
 */
export function tryValue(
  { target, spec, path }: { target: ColumnTarget; spec: unknown; path: Path },
  context: TryContext,
) {
  const written = value.safeParse(spec);
  if (!written.success) return null;
  const { tables, installation, rows, blank = [] } = context;
  const compiling = compileContext(context, context.headers);
  const absent = new Set<string>();
  const table = (file: string): Table | undefined => {
    const found = tables.get(file);
    if (!found) absent.add(file);
    return found;
  };
  const { card, clientRoles } = installation;
  const name = target.startsWith('fields.') ? target.slice('fields.'.length) : undefined;
  const field = name !== undefined && Object.hasOwn(card, name) ? card[name] : undefined;
  const isNumber = NUMBERS.has(target) || field?.type === 'Number';
  const use = { several: isList(target), isNumber };
  const reader = compileValue(written.data, path, { ...compiling, table }, use);
  const [mistake] = compiling.mistakes();
  if (mistake) return { mistake };
  if (absent.size > 0) return null;
  let convert = CONVERTERS[target] ?? toFilledText;
  if (name !== undefined) convert = toField(field);
  else if (target === 'clientRoleId') convert = toRole(clientRoles);
  const clear = blank.length > 0 ? clearBlanks(blank) : undefined;
  /** Each with the cells that have it, and how often. */
  const problems = new Map<
    string,
    { code: string; message: string; count: number; values: Map<string, number> }
  >();
  /** A cell, what is sent of it, and why not all of it is. */
  const examples: { from: string; to: string | null; message: string | null }[] = [];
  let [filled, good] = [0, 0];
  for (const row of rows) {
    const cells = clear ? clear(row) : row;
    const raw = reader.raw(cells);
    if (raw === null) continue;
    filled++;
    const remarks = new RowProblems();
    const values = reader.readAll?.(cells, remarks) ?? [reader.read(cells, remarks)];
    const results = values.map((one) => (typeof one === 'string' ? convert(one) : one));
    const wrong = results.find((one) => one instanceof InvalidValue);
    if (examples.length < EXAMPLES && !examples.some(({ from }) => from === raw)) {
      const isSent = wrong === undefined || reader.drops;
      const sent = results.filter(
        (one) => isSent && one !== null && !(one instanceof InvalidValue),
      );
      const to = sent.length === 0 ? null : sent.map(String).join(' · ');
      examples.push({ from: raw, to, message: wrong?.message ?? null });
    }
    if (wrong === undefined) {
      good++;
      continue;
    }
    const { code, message } = wrong;
    const known = problems.get(code) ?? {
      code,
      message,
      count: 0,
      values: new Map<string, number>(),
    };
    known.count++;
    known.values.set(raw, (known.values.get(raw) ?? 0) + 1);
    problems.set(code, known);
  }
  const byCount = [...problems.values()].sort((a, b) => b.count - a.count);
  return { filled, good, problems: byCount, examples };
}

const EXAMPLES = 5;

const NUMBERS: ReadonlySet<ColumnTarget> = new Set<ColumnTarget>([
  'clientRoleId',
  'clientId',
  'callback.operatorId',
]);

const CONVERTERS: Partial<Record<ColumnTarget, Convert<unknown>>> = {
  phones: toPhone,
  emails: toEmail,
  timeZone: toTimeZone,
  type: toWord(CLIENT_TYPES, 'not_allowed'),
  clientId: toNumber(true),
  'callback.operatorId': toNumber(true),
};
