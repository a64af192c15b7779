import { scoreText, SURE } from '../suggestion.js';
import { MODE_TRAITS } from '../../core/mode.js';
import type { Candidate, Column } from '../choose/columns.js';
import { type DraftContext, usesOf } from './context.js';
import { flow, type Plain, quoted } from '../../config/yaml-text.js';
import { areaSteps, type CountryBeside, isProven, stepsBeside } from '../beside-phones.js';
import { addressOrder, joined, entryLines, blankOf } from './lines.js';
import { callingCodeOf, writtenAbroad, isPhone } from '../phones.js';
import { toEmail, toPhone } from '../../mapping/compile/convert.js';

/** The sections of phones, e-mails and addresses. */
export function draftContacts(context: DraftContext): void {
  if (!MODE_TRAITS[context.mode].hasPhones) return;
  draftPhones(context);
  draftList(
    context,
    'emails',
    usesOf(context, 'emails').map((use) => emailEntry(context, use)),
  );
  const groups = grouped(usesOf(context, 'addresses'));
  draftList(
    context,
    'addresses',
    [...groups.values()].map((parts) => addressEntry(context, parts)),
  );
}

/** Columns that make up one address each. */
function grouped(uses: readonly Candidate[]): Map<string, Candidate[]> {
  const groups = new Map<string, Candidate[]>();
  for (const use of uses) {
    const key = use.group ?? '';
    groups.set(key, [...(groups.get(key) ?? []), use]);
  }
  return groups;
}

interface Entry {
  readonly uses: readonly Candidate[];
  readonly value: Plain;
  /** The comment above its line. */
  readonly note?: string | undefined;
}

function draftPhones(context: DraftContext): void {
  const { lines, country, mode } = context;
  const uses = usesOf(context, 'phones');
  if (uses.length === 0 && MODE_TRAITS[mode].creates) {
    lines.note(
      1,
      'FILL IN: phones: [{ column: COLUMN, type: MOB }] — a client needs at least one phone',
    );
    context.fillIn('client.phones');
    return;
  }
  if (MODE_TRAITS[mode].creates && uses.every(({ score }) => score < SURE))
    context.fillIn('client.phones (uncomment a line if it is right)');
  const phones = uses.filter(({ column }) => column.cells.filled > 0);
  const empty = uses.filter(({ column }) => column.cells.filled === 0);
  const all = [...phones, ...uses];
  const main = all.find(({ score }) => score >= SURE) ?? uses.at(0);
  for (const use of phones) noteBeside(context, use);
  const others = phones.filter((use) => besideOf(context, use) === null);
  const isRead = others.some((use) => stepsFor(context, use, use !== main) !== null);
  const areCoded = others.every(hasCodes);
  if (others.length > 0 && (!country.isGiven || !(isRead || areCoded)))
    noteCountry(context, isRead, areCoded);
  draftList(
    context,
    'phones',
    [...phones, ...empty].map((use) => phoneEntry(context, use, use !== main)),
  );
}

/** What another column says of the countries of the numbers, where it is read row by row. */
function besideOf({ country, isWhole }: DraftContext, { column }: Candidate): CountryBeside | null {
  const { beside } = column;
  if (!beside || !isProven(beside) || beside.national === 0) return null;
  const isOne =
    beside.codes.size === 1 && beside.unknown.length === 0 && country.code !== undefined;
  // Rows that nobody looked at may be of another country.
  return isOne && isWhole && [...beside.codes.keys()][0] === callingCodeOf(country.code)
    ? null
    : beside;
}

/** Of the numbers of one country, those with nothing beside them are taken to be of it as well. */
const forOthers = ({ country }: DraftContext, { codes }: CountryBeside): string | undefined =>
  country.isGiven || codes.size === 1 ? country.code : undefined;

function noteBeside(context: DraftContext, use: Candidate): void {
  const { lines, decide } = context;
  const { beside, header } = use.column;
  if (!beside || beside.national === 0) return;
  const { column, codes, told, fitting, national, unknown } = beside;
  const list = [...codes].map(([code, texts]) => `${code} (${texts.slice(0, 4).join(', ')})`);
  const named = `${list.slice(0, 8).join(', ')}${list.length > 8 ? ', …' : ''}`;
  const found = `${fitting} of ${told} numbers exist there`;
  const isRead = besideOf(context, use) !== null;
  if (!isRead && isProven(beside)) return;
  const sentence = `"${column.header}" says of which country the numbers of "${header}" are: ${named}; ${found}`;
  const steps = stepsBeside(beside, use.column.area ?? undefined, forOthers(context, beside));
  if (!isRead || steps === null) {
    if (fitting < told * MAY_FIT) return;
    lines.note(1, `DECIDE: ${sentence}. It is not looked at`);
    if (steps) lines.note(2, `for this: - ${flow({ ...entryOf(context, use), transform: steps })}`);
    decide(`${sentence}: it is not looked at (client.phones).`);
    return;
  }
  lines.note(1, sentence);
  const without = national - told;
  if (without === 0 || forOthers(context, beside) !== undefined) return;
  const odd = unknown.length === 0 ? '' : ` but ${unknown.slice(0, 4).map(quoted).join(', ')}`;
  const lost = `${without} of ${national} numbers of "${header}" have no country in "${column.header}"${odd}`;
  lines.note(1, `DECIDE: ${lost}: their rows are rejected`);
  decide(`${lost}: their rows are rejected (client.phones).`);
}

/** Share of the numbers that exist with what stands beside them, for that to be asked. */
const MAY_FIT = 0.5;

/** Whether the phones of a column have their country code. */
const hasCodes = ({ column: { cells } }: Candidate): boolean =>
  cells.filled > 0 && cells.shareOf((text) => writtenAbroad(text) !== null) > 0.99;

/**
 * Of which country phones without a country code are, which a person has to decide where it is only guessed.
 * @param isRead whether any phones are read, and not sent as they stand
 * @param areCoded whether no phone lacks its code
 */
function noteCountry(
  { lines, country, decide }: DraftContext,
  isRead: boolean,
  areCoded: boolean,
): void {
  const { code, why, doubt } = country;
  const sentence =
    code === undefined
      ? 'No country is known for phones without a country code'
      : `Phones without a country code are taken to be of ${code}`;
  if (isRead || areCoded) {
    lines.note(1, `${doubt === undefined ? '' : 'DECIDE: '}${sentence}: ${why}`);
    if (doubt !== undefined) decide(`${sentence}: ${doubt}. ${NAME_COUNTRY}`);
    return;
  }
  const unread = 'Phones are sent as they stand';
  const reason = code === undefined ? why : `too few of them are numbers of ${code}`;
  lines.note(1, `DECIDE: ${unread}: ${reason}`);
  decide(`${unread}: ${reason}. ${NAME_COUNTRY}`);
}

const NAME_COUNTRY =
  'Name the country with --country, or at "phone" in the mapping (client.phones).';

/** Shares of valid numbers below which phones are taken as they are: the main ones, and those beside them. */
const VALID = { main: 0.7, other: 0.4 };

/** A phone; without `isOther` the one that a client has to have. */
function phoneEntry(context: DraftContext, use: Candidate, isOther: boolean): Entry {
  const { column } = use;
  const steps = stepsFor(context, use, isOther);
  const beside = besideOf(context, use);
  const wrong = !isOther
    ? 0
    : beside
      ? beside.national - beside.fitting
      : wrongPhones(column, context.country.code, steps !== null);
  const { note } = dropped(wrong, column, 'phones');
  return {
    uses: [use],
    note,
    value: {
      ...entryOf(context, use),
      ...(steps === null ? {} : { transform: steps }),
      ...(isOther ? { invalid: 'drop' } : {}),
      ...statusOf(context.mode),
    },
  };
}

function entryOf(
  { mode }: DraftContext,
  { column, phoneType = 'MOB' }: Candidate,
): Record<string, Plain> {
  const { header, phoneSeparator: split } = column;
  return {
    column: header,
    ...(mode === 'contacts' ? {} : { type: phoneType }),
    ...(split === null ? {} : { split }),
    ...blankOf([column]),
  };
}

/** How the phones of a column are read; `null`: they are sent as they stand. */
function stepsFor(context: DraftContext, use: Candidate, isOther: boolean): Plain[] | null {
  const { cells, phoneShare, area } = use.column;
  const { code } = context.country;
  if (cells.filled > 0 && phoneShare < (isOther ? VALID.other : VALID.main)) return null;
  const beside = besideOf(context, use);
  if (beside) {
    const steps = stepsBeside(beside, area ?? undefined, forOthers(context, beside));
    if (steps) return steps;
  }
  const before = area === null ? [] : (areaSteps(area) ?? []);
  if (code !== undefined) return [...before, { phone: { country: code } }];
  return hasCodes(use) ? [...before, 'phone'] : null;
}

/** Contacts get a status in this mode, which no column of a list shows for sure. */
function statusOf(mode: DraftContext['mode']): Record<string, Plain> {
  return mode === 'contacts' ? { active: true } : {};
}

function emailEntry({ mode }: DraftContext, use: Candidate): Entry {
  const { column } = use;
  const separator = [';', ','].find(
    (sign) => column.cells.shareOf((text) => text.includes(sign)) > 0,
  );
  const { keys, note } = dropped(wrongEmails(column, separator), column, 'e-mail addresses');
  return {
    uses: [use],
    note,
    value: {
      column: column.header,
      ...(separator === undefined ? {} : { split: separator }),
      ...blankOf([column]),
      transform: ['lower'],
      ...keys,
      ...statusOf(mode),
    },
  };
}

function addressEntry(context: DraftContext, parts: readonly Candidate[]): Entry {
  const ordered = addressOrder(parts, context.language);
  const sure = ordered.filter(({ score }) => score >= SURE);
  const used = sure.length > 0 ? sure : ordered;
  const { addressType = 'HOME' } = used[0] ?? {};
  const type: Record<string, Plain> = context.mode === 'contacts' ? {} : { type: addressType };
  const blank = blankOf(used.map(({ column }) => column));
  return {
    uses: ordered,
    value: { ...joined(used, ', '), ...blank, ...type, ...statusOf(context.mode) },
  };
}

/** A list whose sure entries stand there, and whose likely ones can be uncommented. */
function draftList({ lines }: DraftContext, key: string, entries: readonly Entry[]): void {
  const isSure = ({ uses }: Entry): boolean => uses.some(({ score }) => score >= SURE);
  if (entries.length === 0) return;
  const sure = entries.some(isSure);
  if (sure) lines.add(1, `${key}:`);
  else lines.note(1, `${key}:`);
  for (const entry of entries) {
    const { uses, value, note } = entry;
    const best = Math.max(...uses.map(({ score }) => score));
    lines.note(2, `${scoreText(best)}: ${[...new Set(uses.map(({ why }) => why))].join('; ')}`);
    if (note !== undefined) lines.note(2, note);
    for (const text of entryLines(value))
      if (isSure(entry)) lines.add(2, text);
      else lines.note(2, text);
    const left = uses
      .filter(({ score }) => isSure(entry) && score < SURE)
      .map(({ column }) => column.header);
    if (left.length > 0 && uses.length > 1) lines.note(2, `perhaps also: ${left.join(', ')}`);
  }
}

/** What is done with wrong values, with a remark on how many there are. */
interface WrongValues {
  readonly keys: Readonly<Record<string, Plain>>;
  readonly note?: string;
}

/** Leaves wrong values out where the rows that were looked at have some. */
function dropped(count: number, { cells }: Column, what: string): WrongValues {
  if (count === 0) return { keys: {} };
  const note = `${count} of ${cells.filled} cells looked at are no ${what}: they are left out, with a remark`;
  return { keys: { invalid: 'drop' }, note };
}

/** How many cells hold something that is no e-mail address. */
function wrongEmails(column: Column, separator: string | undefined): number {
  return countWrong(column, separator, (part) => typeof toEmail(part) === 'string');
}

/** How many cells hold something that is no phone; `isChecked`: no number that can exist in the country. */
function wrongPhones(column: Column, country: string | undefined, isChecked: boolean): number {
  return countWrong(column, column.phoneSeparator ?? undefined, (part) =>
    isChecked ? isPhone(part, country) : typeof toPhone(part) === 'string',
  );
}

function countWrong(
  { cells }: Column,
  separator: string | undefined,
  isRight: (part: string) => boolean,
): number {
  let wrong = 0;
  for (const [text, count] of cells.values) {
    const parts = separator === undefined ? [text] : text.split(separator);
    if (!parts.every((part) => part.trim() === '' || isRight(part.trim()))) wrong += count;
  }
  return wrong;
}
