import { SURE } from '../suggestion.js';
import { MODE_TRAITS } from '../../core/mode.js';
import type { Candidate } from '../choose/candidate.js';
import { type DraftContext, usesOf } from './context.js';
import type { Plain } from './flow.js';
import { addressOrder, joined } from './join.js';
import { entryLines } from './lines.js';
import { withoutPlaceholders } from './value.js';

/** The sections of phones, e-mails and addresses. */
export function draftContacts(context: DraftContext): void {
  if (!MODE_TRAITS[context.mode].hasPhones) return;
  draftPhones(context);
  draftList(
    context,
    'emails',
    usesOf(context, 'emails').map((use) => [[use], emailEntry(context, use)]),
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

type Entry = readonly [uses: readonly Candidate[], value: Plain];

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
  const phones = uses.filter(({ column }) => column.cells.filled > 0);
  const empty = uses.filter(({ column }) => column.cells.filled === 0);
  if (phones.length > 0 && !country.isGiven)
    lines.note(
      1,
      country.code === undefined
        ? `No country is known for phones without a country code: ${country.why}`
        : `Phones without a country code are taken to be of ${country.code}: ${country.why}`,
    );
  draftList(
    context,
    'phones',
    [...phones, ...empty].map((use) => [[use], phoneEntry(context, use)]),
  );
}

/** Share of valid numbers below which phones are taken as they are. */
const VALID = 0.7;

function phoneEntry(
  { country, mode }: DraftContext,
  { column, phoneType = 'MOB' }: Candidate,
): Plain {
  const { cells, phoneSeparator: split, phoneShare } = column;
  const empty = withoutPlaceholders(column);
  const isChecked = cells.filled === 0 || phoneShare >= VALID;
  const hasPlus = cells.filled > 0 && cells.shareOf((text) => text.startsWith('+')) > 0.99;
  const steps: Plain[] = [...empty];
  if (isChecked && country.code !== undefined) steps.push({ phone: { country: country.code } });
  else if (isChecked && hasPlus) steps.push('phone');
  return {
    column: column.header,
    ...(mode === 'contacts' ? {} : { type: phoneType }),
    ...(split === null ? {} : { split }),
    ...(steps.length > 0 ? { transform: steps } : {}),
    ...statusOf(mode),
  };
}

/** Contacts get a status in this mode, which no column of a list shows for sure. */
function statusOf(mode: DraftContext['mode']): Record<string, Plain> {
  return mode === 'contacts' ? { active: true } : {};
}

function emailEntry({ mode }: DraftContext, { column }: Candidate): Plain {
  const empty = withoutPlaceholders(column);
  const separator = [';', ','].find(
    (sign) => column.cells.shareOf((text) => text.includes(sign)) > 0,
  );
  const steps: Plain[] = [...empty, 'lower'];
  return {
    column: column.header,
    ...(separator === undefined ? {} : { split: separator }),
    transform: steps,
    ...statusOf(mode),
  };
}

function addressEntry(context: DraftContext, parts: readonly Candidate[]): Entry {
  const ordered = addressOrder(parts, context.language);
  const sure = ordered.filter(({ score }) => score >= SURE);
  const used = sure.length > 0 ? sure : ordered;
  const { addressType = 'HOME' } = used[0] ?? {};
  const type: Record<string, Plain> = context.mode === 'contacts' ? {} : { type: addressType };
  return [ordered, { ...joined(used, ', '), ...type, ...statusOf(context.mode) }];
}

/** A list whose sure entries stand there, and whose likely ones can be uncommented. */
function draftList({ lines }: DraftContext, key: string, entries: readonly Entry[]): void {
  const isSure = ([uses]: Entry): boolean => uses.some(({ score }) => score >= SURE);
  if (entries.length === 0) return;
  const sure = entries.some(isSure);
  if (sure) lines.add(1, `${key}:`);
  else lines.note(1, `${key}:`);
  for (const entry of entries) {
    const [uses, value] = entry;
    const best = Math.max(...uses.map(({ score }) => score));
    lines.note(2, `${best.toFixed(2)}: ${[...new Set(uses.map(({ why }) => why))].join('; ')}`);
    for (const text of entryLines(value))
      if (isSure(entry)) lines.add(2, text);
      else lines.note(2, text);
    const left = uses
      .filter(({ score }) => isSure(entry) && score < SURE)
      .map(({ column }) => column.header);
    if (left.length > 0 && uses.length > 1) lines.note(2, `perhaps also: ${left.join(', ')}`);
  }
}
