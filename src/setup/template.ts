import { UsageError } from '../core/errors.js';
import type { Mode } from '../core/outcome.js';
import { loadInstallation } from '../installation/installation.js';
import { loadMapping, type LoadedMapping } from '../mapping/mapping.js';
import { isLarge, type Table } from '../mapping/transforms/step.js';
import {
  type ExampleValue,
  type TemplateColumn,
  sheetName,
  writeTemplate,
} from '../report/xlsx.js';
import { lookupTable } from '../prepare/lookup-table.js';
import { outputPlace } from '../options/places.js';
import type { Installation } from '../installation/installation.js';
import { columnUses, type ColumnUse, type UseTarget } from '../mapping/column-uses.js';
import { type CompiledMapping, compileMapping } from '../mapping/compile.js';
import { examplePhones, isCountry, planOf } from '../mapping/transforms/phone/plans.js';
import { ADDRESS_TYPES, CLIENT_TYPES, PHONE_TYPES } from '../core/client.js';
import type { TransformStep } from '../mapping/schema.js';

interface TemplateRequest {
  /** Path of the mapping file. */
  readonly mapping: string;
  readonly mode?: Mode | undefined;
  /** Path of the installation file. */
  readonly installation: string;
  /** Path of the workbook. */
  readonly out: string;
  /** Whether a file that is there is replaced. */
  readonly force: boolean;
}

export interface TemplateResult {
  /** Whether there was a file, which was replaced. */
  readonly replaced: boolean;
  readonly columns: number;
  /** Headers of the columns that have to be filled in. */
  readonly required: readonly string[];
  /** Whether the mapping takes the row of examples; else a person should correct it. */
  readonly isExampleTaken: boolean;
}

/**
 * Writes a workbook for whoever fills in lists for a mapping.
 * @throws UsageError, ConfigurationError, OutputError; then nothing is written
 */
export async function makeTemplate(request: TemplateRequest): Promise<TemplateResult> {
  if (!/\.xlsx$/i.test(request.out))
    throw new UsageError(`${request.out} is no workbook. Give a file that ends with .xlsx.`);
  const { file, isThere } = outputPlace(request.out, request.force);
  const installation = await loadInstallation(request.installation);
  const mapping = await loadMapping(request.mapping, {
    readTable: lookupTable,
    mode: request.mode,
  });
  const { columns, isExampleTaken } = describeColumns(mapping, installation);
  if (columns.length === 0)
    throw new UsageError(`${request.mapping} names no columns, so there is nothing to fill in.`);
  const { sheet, allSheets: isAlone = false, headerRow = 1 } = mapping.source ?? {};
  if (headerRow === 'none')
    throw new UsageError(
      `${request.mapping} reads columns by their letters ("headerRow: none"), and a template has headers. Name the columns instead.`,
    );
  const position = typeof sheet === 'number' ? sheet : 1;
  if (position !== 1 && position !== 2)
    throw new UsageError(
      `${request.mapping} reads sheet ${position}, and a template has two. Name the sheet in "source.sheet" instead.`,
    );
  const name = typeof sheet === 'string' ? sheet : 'Data';
  if (sheetName(name, 1) !== name)
    throw new UsageError(
      `${request.mapping} reads the sheet "${name}", which no workbook can have. Correct "source.sheet".`,
    );
  await writeTemplate(file, { sheet: name, position, headerRow, isAlone, columns });
  const required = columns.filter(({ isRequired }) => isRequired).map(({ header }) => header);
  return { replaced: isThere, columns: columns.length, required, isExampleTaken };
}

/** A day that shows which of its numbers is the month. */
const DAY = '2001-12-31';
/** A time that lies ahead, as that of a callback must. */
const MOMENT = '2030-12-31T10:00:00';
const NUMBER = '1250';
const FRACTION = '1250.5';

/**
 * What a person has to know of every column that a mapping names, and whether it takes the row of examples. Whatever can
 * be tried out is: examples, choices, formats, and which columns are required.
 * @throws ConfigurationError when the mapping does not suit the card
 */
function describeColumns(mapping: LoadedMapping, installation: Installation) {
  const uses = columnUses(mapping);
  const trial = trialOf(mapping, installation, uses);
  const sketches = [];
  let cells: Cells = {};
  for (const header of new Set(uses.map(({ column }) => column))) {
    const ofColumn = uses.filter(({ column }) => column === header);
    const before = cells;
    const takes = (text: string): boolean => trial.accepts(header, { ...before, [header]: text });
    const choices = agreed(ofColumn.map((use) => choicesOf(use, mapping, installation)));
    const values = choices.values.filter(takes);
    const datePatterns = values.length > 0 ? [] : patternsOf(ofColumn);
    const isNumber =
      values.length === 0 &&
      isNumeric(ofColumn, installation.card) &&
      [NUMBER, FRACTION].every(takes);
    const taken = new Set(Object.values(cells));
    const others = ofColumn.flatMap((use) => examplesOf(use, taken));
    const found =
      datePatterns.map(datedFormat).find((one) => one !== undefined && takes(one.text)) ??
      (isNumber
        ? { format: NUMBER_FORMAT, text: NUMBER }
        : { format: TEXT_FORMAT, text: [...values, ...others].find(takes) ?? '' });
    cells = { ...cells, [header]: found.text };
    sketches.push({
      ...{ header, uses: ofColumn, datePatterns },
      ...{ choices: { ...choices, values }, ...found },
    });
  }
  const isExampleTaken = trial.isWhole(cells);
  const columns = sketches.map(
    ({ header, uses, choices, format, text, datePatterns }): TemplateColumn => {
      const groups = trial.lacking.filter((group) => group.includes(header));
      const isNeeded = isExampleTaken && !trial.isWhole({ ...cells, [header]: '' });
      const isRequired = isNeeded || groups.some((group) => group.length === 1);
      const notes = [
        needText(isRequired, groups[0] ?? []),
        ...uses.flatMap((use) => useText(use, installation.card)),
        ...choiceText(choices),
        ...(datePatterns.length > 0 ? [`Date as ${datePatterns.join(' or ')}.`] : []),
        ...uses.flatMap(hints),
      ];
      return {
        ...{ header, isRequired, format, isOpen: choices.isOpen, choices: choices.values },
        note: [...new Set(notes)].join('\n'),
        example: exampleValue(text, format),
      };
    },
  );
  return { columns, isExampleTaken };
}

/** A column may be used more than once: what all its uses take. */
function agreed(all: readonly (Choices | undefined)[]): Choices {
  const [first, ...others] = all.filter((one) => one !== undefined);
  if (!first) return { values: [], isOpen: false };
  const closed = others.filter(({ isOpen }) => !isOpen);
  const values = first.values.filter((value) => closed.every((one) => one.values.includes(value)));
  return { values, isOpen: [first, ...others].every(({ isOpen }) => isOpen) };
}

const patternsOf = (uses: readonly ColumnUse[]): string[] =>
  uses.flatMap((use) => {
    const date = stepNamed(use, 'date');
    return date === undefined ? [...(use.patterns ?? [])] : [date.from ?? 'yyyy-MM-dd'].flat();
  });

/** The reader gives dates of a workbook in the forms of ISO. */
function datedFormat(
  pattern: string,
): { readonly format: string; readonly text: string } | undefined {
  const format = dateFormat(pattern);
  return format === undefined ? undefined : { format, text: format.includes('h') ? MOMENT : DAY };
}

/** Numbers of a card are numbers in the cells too, unless they identify: then each digit counts. */
function isNumeric(uses: readonly ColumnUse[], card: Installation['card']): boolean {
  return uses.every(({ target, field, value }) => {
    const own = field === undefined ? undefined : card[field];
    return target === 'field' && value !== undefined && own?.type === 'Number' && !own.sync;
  });
}

function exampleValue(text: string, format: string): ExampleValue {
  if (format === TEXT_FORMAT) return text;
  return format === NUMBER_FORMAT ? Number(text) : new Date(text.includes('T') ? `${text}Z` : text);
}

/** Number format for text: what is typed stays as it is, with leading zeros and long digits. */
const TEXT_FORMAT = '@';
const NUMBER_FORMAT = 'General';

/** Tokens of a mapping's date pattern. A spreadsheet program writes the same ones in small letters. */
const TOKENS: ReadonlySet<string> = new Set('yyyy yy MM M dd d HH H mm ss'.split(' '));

/**
 * A mapping's date pattern as a number format; `undefined` where it shows no whole day, or a program would take minutes
 * for months.
 */
export function dateFormat(pattern: string): string | undefined {
  const pieces: readonly string[] = pattern.match(/'[^']*'|([A-Za-z])\1*|[^A-Za-z']+/g) ?? [];
  const has = (...tokens: string[]): boolean => tokens.some((token) => pieces.includes(token));
  const isDay = has('yyyy', 'yy') && has('MM', 'M') && has('dd', 'd');
  const hourAt = pieces.findIndex((piece) => piece === 'HH' || piece === 'H');
  const isMinuteClear = !has('mm') || (hourAt >= 0 && pieces.indexOf('mm') === hourAt + 2);
  if (!isDay || !isMinuteClear) return undefined;
  return pieces.map(formatOf).join('');
}

function formatOf(piece: string): string {
  if (TOKENS.has(piece)) return piece.toLowerCase();
  const text = piece.length > 1 && piece.startsWith("'") ? piece.slice(1, -1) : piece;
  return /^[-./: ]*$/.test(text) ? text : `"${text.replaceAll('"', '')}"`;
}

/** Cells by their headers; absent or empty: nothing is filled in. */
type Cells = Readonly<Record<string, string>>;

/**
 * Tries out what a mapping makes of cells, since no list of rules could know it as well.
 * @throws ConfigurationError when the mapping does not suit the card
 */
function trialOf(
  mapping: LoadedMapping,
  { card, clientRoles }: Installation,
  uses: readonly ColumnUse[],
) {
  const headers = [...new Set(uses.map(({ column }) => column))];
  const ofPhones = uses.filter(({ target }) => target === 'phone').map(({ column }) => column);
  const phoneColumns = [...new Set(ofPhones)];
  const request = { mapping, card, clientRoles, headers, file: 'the template' };
  const whole = compileMapping(request);
  // A row that is left out says nothing of its cells.
  const unfiltered = compileMapping({ ...request, mapping: { ...mapping, where: undefined } });
  const rowOf = (cells: Cells): (string | null)[] =>
    headers.map((header) => (cells[header] ?? '') || null);
  const problemsOf = (compiled: CompiledMapping, cells: Cells) => {
    const row = compiled.map(rowOf(cells));
    return row.status === 'client' ? [] : row.problems;
  };
  return {
    /** Whether the mapping finds nothing wrong with this column, whatever it finds in the others. The cell is filled in. */
    accepts: (column: string, cells: Cells): boolean =>
      problemsOf(unfiltered, cells).every((problem) => !columnsIn(problem.column).includes(column)),
    /** Whether the row becomes what is sent. */
    isWhole: (cells: Cells): boolean => whole.map(rowOf(cells)).status === 'client',
    /** Columns of which at least one has to be filled in, for each value that an empty row lacks. */
    lacking: problemsOf(unfiltered, {}).flatMap(({ code, column }) => {
      if (code === NO_PHONE) return [phoneColumns];
      return code === REQUIRED ? [columnsIn(column).filter((name) => headers.includes(name))] : [];
    }),
  };
}

/** Codes of problems: a value is missing, or a client has no phone at all. */
const [REQUIRED, NO_PHONE] = ['required', 'no_phone'];

/** A value of several columns names them all. A header that holds a comma stands for itself. */
const columnsIn = (label: string | null): string[] =>
  label === null ? [] : [...new Set([label, ...label.split(', ')])];

/**
 * Texts that may be an example of what a column holds, the likeliest first. Each is tried out before it is shown.
 * `taken`: examples of other columns, which another phone should not repeat.
 */
function examplesOf(use: ColumnUse, taken: ReadonlySet<string>): readonly string[] {
  if (stepNamed(use, 'phone') !== undefined || use.target === 'phone')
    return phones(use).filter((phone) => !taken.has(phone));
  const own = use.target === 'field' ? ['Example', '1001'] : TARGETS[use.target].examples;
  return [...literals(use), ...own, ...ANYTHING];
}

/** A condition on plain words, such as `(?i)^call again$`, is met by them. */
function literals({ where }: ColumnUse): string[] {
  const words = where?.matches?.replace(/^(?:\(\?\w+\))?\^?|\$$/g, '') ?? '';
  return words === '' || /[\\^$.*+?()[\]{}|]/.test(words) ? [] : [words];
}

/** What fits most values that a mapping may want. */
const ANYTHING = ['1001', '1', 'Example', 'name@example.com', 'yes', '2030-12-31'];

const YES_AND_NO = ['yes', 'no'];

/** What a person has to know of what a column becomes, examples of it, and all the words that it knows. */
interface TargetTraits {
  readonly text: string;
  readonly examples: readonly string[];
  readonly words?: readonly string[];
}

const TARGETS: Readonly<Record<Exclude<UseTarget, 'field' | 'phone'>, TargetTraits>> = {
  clientRoleId: { text: 'The role of the client.', examples: ['1'] },
  type: { text: 'The type of the client.', examples: ['SIMPLE'], words: CLIENT_TYPES },
  timeZone: {
    text: 'The time zone of the client, such as Europe/Berlin.',
    examples: ['Europe/Berlin', '+01:00'],
  },
  email: { text: 'An e-mail address.', examples: ['name@example.com'] },
  address: { text: 'A postal address.', examples: ['1 Main Street, Springfield'] },
  'phone type': { text: 'The kind of phone.', examples: ['MOB'], words: PHONE_TYPES },
  'address type': { text: 'The kind of address.', examples: ['HOME'], words: ADDRESS_TYPES },
  flag: { text: 'Yes or no.', examples: ['yes'], words: YES_AND_NO },
  uuid: {
    text: 'The id of the row: a different one in each.',
    examples: ['7b0c4b62-6c0c-4a35-9a0e-0f5ad5c1a001'],
  },
  'client id': { text: 'The internal id of the client, a whole number.', examples: ['1001'] },
  'operator id': { text: 'The operator, a whole number.', examples: ['7'] },
  'call at': { text: 'When the client is called.', examples: ['2030-12-31T10:00:00+01:00'] },
  text: { text: 'Text of the callback.', examples: ['Example'] },
  filter: { text: 'Decides whether the row is imported.', examples: ['Example'] },
  received: {
    text: 'When the lead came in: old ones may be left out.',
    // A row that is too old is left out.
    examples: [new Date().toISOString().slice(0, 10)],
  },
  shown: { text: 'Shown in the report.', examples: ['Example'] },
};

/** Of ranges that are set aside for examples. */
const PHONES = ['+447700900123', '+12025550123', '74951234567'];

function phones(use: ColumnUse): string[] {
  const country = stepNamed(use, 'phone')?.country?.trim().toUpperCase() ?? '';
  const plan = isCountry(country) ? planOf(country) : null;
  if (plan === null) return PHONES;
  const own = `+${plan.callingCode}${examplePhones()[plan.country]}`;
  return [own, ...['0', '1', '2', '3', '4'].map((digit) => own.slice(0, -1) + digit), ...PHONES];
}

/** Longest list of choices that a note spells out. */
const SHOWN = 12;

/** @param oneOf columns of which at least one has to be filled in */
function needText(isRequired: boolean, oneOf: readonly string[]): string {
  if (isRequired) return 'Required.';
  return oneOf.length > 1
    ? `At least one has to be filled in: ${oneOf.join(', ')}.`
    : 'May be left empty.';
}

function useText({ target, field }: ColumnUse, card: Installation['card']): string[] {
  if (target === 'phone') return ['A phone number.'];
  if (target !== 'field') return [TARGETS[target].text];
  const own = field === undefined ? undefined : card[field];
  const kind = own?.type === 'Number' ? ', a number' : '';
  return [
    `Card field ${field ?? ''}${kind}${own?.sync === true ? '; identifies the client' : ''}.`,
  ];
}

function choiceText({ values, isOpen }: Choices): string[] {
  if (values.length === 0) return [];
  const shown = values.slice(0, SHOWN).join(', ') + (values.length > SHOWN ? ', …' : '');
  return [isOpen ? `Known values: ${shown}.` : `One of: ${shown}.`];
}

function hints(use: ColumnUse): string[] {
  const { value } = use;
  const phone = stepNamed(use, 'phone');
  const fallback = value?.default;
  const without =
    phone?.country === undefined ? ', always with it' : `; without it: ${phone.country}`;
  return [
    ...(phone === undefined ? [] : [`With "+" and the country code${without}.`]),
    ...(value?.split !== undefined && value.part === undefined
      ? [`Several with "${value.split}" between them.`]
      : []),
    ...(fallback === undefined ? [] : [`Empty: ${String(fallback)}.`]),
  ];
}

interface Choices {
  readonly values: readonly string[];
  /** Whether a default takes the place of what is not among them. */
  readonly isOpen: boolean;
}

/** A longer list helps nobody to choose. */
const MAX_CHOICES = 1_000;

/** The values that a use of a column allows, before they are tried out; `undefined`: any. */
function choicesOf(
  use: ColumnUse,
  mapping: Pick<LoadedMapping, 'tables'>,
  installation: Installation,
): Choices | undefined {
  if (use.where) {
    const { in: among, equals } = use.where;
    const wanted = among ?? (equals === undefined ? undefined : [equals]);
    return wanted && { values: wanted.map(String), isOpen: false };
  }
  const { value } = use;
  // A cell with several values has no list to choose one from.
  if (value === undefined || value.split !== undefined) return undefined;
  const values = fromSteps(use, mapping.tables) ?? fromTarget(use, installation);
  if (values === undefined || values.length === 0 || values.length > MAX_CHOICES) return undefined;
  const fallback = defaultOf(use);
  // Only a map and a table know values, for others of which a default can stand in.
  const isListed = stepNamed(use, 'map') !== undefined || stepNamed(use, 'lookup') !== undefined;
  if (fallback === undefined || !isListed) return { values, isOpen: false };
  return { values: [...new Set([...values, fallback])], isOpen: true };
}

/** The last step that knows certain values decides, as far as no other follows that changes texts. */
function fromSteps(
  use: ColumnUse,
  tables: ReadonlyMap<string, Table>,
): readonly string[] | undefined {
  const map = stepNamed(use, 'map');
  if (map !== undefined) return Object.keys(map);
  const lookup = stepNamed(use, 'lookup');
  if (lookup?.file !== undefined) return keysOf(tables.get(lookup.file), lookup.key);
  const words = stepNamed(use, 'boolean');
  if (words === undefined) return undefined;
  const [yes, no] = [words.true?.[0], words.false?.[0]];
  return [String(yes ?? YES_AND_NO[0]), String(no ?? YES_AND_NO[1])];
}

function keysOf(table: Table | undefined, key: string | undefined): string[] | undefined {
  // A large one has more values than anybody chooses from.
  if (table === undefined || isLarge(table)) return undefined;
  const at = table[0]?.findIndex((name) => name.trim() === key?.trim()) ?? -1;
  if (at < 0) return undefined;
  const keys = table.slice(1).map((row) => row[at]?.trim() ?? '');
  return [...new Set(keys.filter((one) => one !== ''))];
}

function fromTarget(
  { target, field }: ColumnUse,
  { card, clientRoles }: Installation,
): readonly string[] | undefined {
  if (target === 'field') return field === undefined ? undefined : card[field]?.values;
  if (target === 'clientRoleId') return clientRoles?.map(String);
  return target === 'phone' ? undefined : TARGETS[target].words;
}

function defaultOf(use: ColumnUse): string | undefined {
  const steps = stepsOf(use).filter((step) => typeof step !== 'string');
  const found = use.value?.default ?? steps.find((step) => step.default !== undefined)?.default;
  return found === undefined ? undefined : String(found);
}

/** The steps that a mapping writes for the value of a column, in order; its map is the last one. */
function stepsOf({ value }: ColumnUse): readonly TransformStep[] {
  const { transform, map } = value ?? {};
  const written = transform === undefined ? [] : [transform].flat();
  return map === undefined ? written : [...written, { map }];
}

/** The options of the first step that has this name, with `{}` for a bare name. */
function stepNamed<N extends 'date' | 'phone' | 'boolean' | 'map' | 'lookup' | 'number'>(
  use: ColumnUse,
  name: N,
): Partial<NonNullable<Extract<TransformStep, object>[N]>> | undefined {
  for (const step of stepsOf(use)) {
    if (step === name) return {};
    const options = typeof step === 'string' ? undefined : step[name];
    if (options !== undefined) return options;
  }
  return undefined;
}
