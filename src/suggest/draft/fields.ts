import { scoreText, SURE } from '../suggestion.js';
import type { Candidate } from '../choose/columns.js';
import { fieldFor, knownFields, isIdentifying } from '../choose/fields.js';
import type { CardField } from '../../installation/installation.js';
import type { Concept } from '../words.js';
import { type DraftContext, usesOf } from './context.js';
import { type Plain, flow, quoted } from '../../config/yaml-text.js';
import {
  joined,
  namesLikeNothing,
  nameOrder,
  pairLines,
  blankOf,
  type DraftedValue,
  plainValue,
} from './lines.js';
import { fieldValue } from './value.js';

/** The section `client.fields`. Gives the names of fields that are needed and have no column. */
export function draftFields(context: DraftContext): string[] {
  const { lines, installation, mode } = context;
  const missing: string[] = [];
  const onlySync = mode !== 'create' && mode !== 'upsert' && mode !== 'update';
  lines.add(1, hasSure(context, onlySync) ? 'fields:' : 'fields: {}');
  for (const [name, field] of Object.entries(installation.card)) {
    if (onlySync && !field.sync) continue;
    const uses = usesOf(context, `fields.${name}`);
    const isNeeded = field.sync || (field.required && mode !== 'update');
    if (uses.length > 0) {
      const isDecided = draftField(context, name, field, uses);
      const isOpen = isNeeded && (!isDecided || uses.every(({ score }) => score < SURE));
      if (isOpen) context.fillIn(`client.fields.${name} (uncomment its line if it is right)`);
    } else if (isNeeded && composed(context, name) === null) {
      missing.push(name);
      fillInField(context, name, field);
    } else if (isNeeded) draftComposed(context, name);
  }
  return missing;
}

function hasSure(context: DraftContext, onlySync: boolean): boolean {
  return Object.entries(context.installation.card).some(([name, field]) => {
    if (onlySync && !field.sync) return false;
    const uses = usesOf(context, `fields.${name}`);
    return (
      uses.some(({ score }) => score >= SURE) ||
      (uses.length === 0 && composed(context, name) !== null)
    );
  });
}

/** Whether the field stands in the mapping, or can be uncommented, without a decision. */
function draftField(
  context: DraftContext,
  name: string,
  field: CardField,
  uses: readonly Candidate[],
): boolean {
  const { lines, language } = context;
  const ordered = nameOrder(uses, language);
  const [first] = ordered;
  if (!first) return false;
  const score = Math.max(...uses.map((use) => use.score));
  const sure = ordered.filter((use) => use.score >= SURE);
  const parts = sure.length > 0 ? sure : ordered;
  const meant = conceptsOf(context, name);
  const value =
    parts.length === 1
      ? fieldValue(
          first.column,
          field,
          context.dayOrder,
          (what) => context.countOf(first.column, what),
          meant,
        )
      : plainValue;
  const blank = blankOf(
    parts.map(({ column }) => column),
    field.values,
  );
  if (value.decision) {
    undecided(context, name, { use: first, blank }, value);
    return false;
  }
  const joinedBy = language === 'zh' || language === 'ja' ? '' : ' ';
  const spec = { ...joined(parts, joinedBy), ...blank, ...value.keys };
  const why = `${scoreText(score)}: ${parts.map((use) => use.why).join('; ')}${value.note === undefined ? '' : `; ${value.note}`}`;
  lines.note(2, why);
  write(context, pairLines(name, short(spec)), sure.length > 0);
  for (const use of ordered.filter((each) => sure.length > 0 && !sure.includes(each)))
    lines.note(
      2,
      `${scoreText(use.score)}: add the column ${quoted(use.column.header)}? ${use.why}`,
    );
  oddCells(context, name, first, value);
  wordsAsNames(context, name, parts, spec);
  unknownValues(context, name, field, value, sure.length > 0);
  if (parts.length === 1) unlistedValues(context, name, field, first);
  return true;
}

function conceptsOf({ installation }: DraftContext, name: string): Concept[] {
  const field = knownFields(installation.card).find((each) => each.name === name);
  return field?.meanings.map(({ concept }) => concept) ?? [];
}

/** A column alone is written as its name. */
function short(spec: Record<string, Plain>): Plain {
  const { column } = spec;
  return column !== undefined && Object.keys(spec).length === 1 ? column : spec;
}

function write({ lines }: DraftContext, texts: readonly string[], isSure: boolean): void {
  for (const text of texts)
    if (isSure) lines.add(2, text);
    else lines.note(2, text);
}

function undecided(
  context: DraftContext,
  name: string,
  { use, blank }: { readonly use: Candidate; readonly blank: Record<string, Plain> },
  { decision }: DraftedValue,
): void {
  if (!decision) return;
  const { lines } = context;
  lines.note(2, `DECIDE: ${decision.sentence}. Take the sign # off one of the lines:`);
  for (const { note, keys } of decision.choices)
    lines.note(
      2,
      `${quoted(name)}: ${flow({ column: use.column.header, ...blank, ...keys })} # ${note}`,
    );
  context.decide(`${decision.sentence}: decide at client.fields.${name}.`);
}

function oddCells(
  { lines, decide }: DraftContext,
  name: string,
  { column: { header, cells } }: Candidate,
  { odd }: DraftedValue,
): void {
  if (!odd) return;
  const sentence = `${odd.count} of ${cells.filled} cells of "${header}" looked at are no ${odd.what}`;
  lines.note(
    3,
    `DECIDE: ${sentence}: their rows are rejected, or go without it with "invalid: drop"`,
  );
  decide(`${sentence}: their rows are rejected (client.fields.${name}).`);
}

/** People are called Null and None: such words are taken for names, and a person may say otherwise. */
function wordsAsNames(
  { lines, decide }: DraftContext,
  name: string,
  parts: readonly Candidate[],
  spec: Record<string, Plain>,
): void {
  const found = parts.flatMap(({ column }) => {
    const words = namesLikeNothing(column);
    return words.length === 0 ? [] : [{ column, words }];
  });
  for (const { column, words } of found) {
    const sentence = `${words.map((word) => `"${word}"`).join(', ')} in "${column.header}" ${words.length === 1 ? 'is' : 'are'} taken for names`;
    lines.note(3, `DECIDE: ${sentence}; where they mean nothing, take this line instead:`);
    const known = Array.isArray(spec['blank']) ? spec['blank'].map(String) : [];
    const blank = [...new Set([...known, ...words.map((word) => word.toLowerCase())])];
    lines.note(2, `${quoted(name)}: ${flow({ ...spec, blank })}`);
    decide(`${sentence} (client.fields.${name}).`);
  }
}

function unknownValues(
  context: DraftContext,
  name: string,
  field: CardField,
  { unknown }: DraftedValue,
  isSure: boolean,
): void {
  if (!unknown) return;
  const depth = 3;
  context.lines.note(
    depth,
    `no value of the list is like these; add them to "map" (${(field.values ?? []).join(', ')}), else their rows are rejected:`,
  );
  for (const [text, count] of [...unknown].slice(0, MAX_UNKNOWN))
    context.lines.note(depth, `  ${quoted(text)}: …  (${count} of the rows looked at)`);
  if (isSure) context.decide(`Some values of client.fields.${name} are not in its list.`);
}

const MAX_UNKNOWN = 20;

/** A list of which the installation does not say what it allows: the interface does not show it. */
function unlistedValues(
  { lines, decide }: DraftContext,
  name: string,
  field: CardField,
  { column: { cells } }: Candidate,
): void {
  const { size } = cells.values;
  if (!OF_LISTS.has(field.type) || field.values !== undefined || size === 0 || size > MAX_UNKNOWN)
    return;
  const entry = flow({ type: field.type, values: [...cells.values.keys()] });
  lines.note(3, 'DECIDE: the installation does not say what is allowed here. If it is what the');
  lines.note(3, 'file has, write there, else what is allowed, and run suggest again:');
  lines.note(3, `  ${quoted(name)}: ${entry}`);
  decide(
    `The installation does not say which values ${name} allows; those of the file are sent as they are (client.fields.${name}).`,
  );
}

const OF_LISTS: ReadonlySet<CardField['type']> = new Set<CardField['type']>([
  'ComboBox',
  'StatusField',
]);

/** First and last name have fields of their own, and the full name is made of the same columns. */
function composed(context: DraftContext, name: string): Candidate[] | null {
  const fields = knownFields(context.installation.card);
  if (fieldFor(fields, 'fullName')?.name !== name) return null;
  const parts = (['firstName', 'middleName', 'lastName'] as const).flatMap((part) => {
    const own = fieldFor(fields, part);
    const use = own && usesOf(context, `fields.${own.name}`).find(({ score }) => score >= SURE);
    return use ? [{ ...use, part }] : [];
  });
  return parts.length > 0 ? parts : null;
}

function draftComposed(context: DraftContext, name: string): void {
  const parts = nameOrder(composed(context, name) ?? [], context.language);
  context.lines.note(2, 'made of the columns of the name');
  write(context, pairLines(name, joined(parts, ' ')), true);
}

/** Columns of another value in every row that are named at most. */
const MAX_NAMED = 3;

/** The lines for a field that a client must have and no column is like. */
function fillInField(context: DraftContext, name: string, field: CardField): void {
  const { lines, fillIn } = context;
  const what = field.sync ? 'a synchronization identifier' : 'required';
  lines.note(
    2,
    `FILL IN: ${quoted(name)}: COLUMN — ${what}, and no column is like it; for the same value in all rows: { value: … }`,
  );
  for (const [value, why] of field.sync ? identifiersFor(context, field) : [])
    lines.note(2, `perhaps: ${quoted(name)}: ${flow(value)} # ${why}`);
  fillIn(`client.fields.${name}`);
}

/** What distinguishes the clients: columns of another value in every row, else the phone. */
function identifiersFor(context: DraftContext, field: CardField): [value: Plain, why: string][] {
  const unique = context.assigned.filter(
    ({ use, column }) => use === null && isIdentifying(column),
  );
  const fitting = unique.filter(
    ({ column }) =>
      field.type !== 'Number' || column.cells.shareOf((text) => /^\d{1,15}$/.test(text)) === 1,
  );
  if (fitting.length > 0)
    return fitting
      .slice(0, MAX_NAMED)
      .map(({ column }) => [column.header, 'it has another value in every row']);
  const phones = usesOf(context, 'phones').filter(
    ({ score, column }) => score >= SURE && column.cells.filled > 0,
  );
  const [phone] = phones.toSorted((a, b) => b.column.cells.filled - a.column.cells.filled);
  if (!phone) return [];
  const { code } = context.country;
  const steps: Plain[] = code === undefined ? ['digits'] : [{ phone: { country: code } }, 'digits'];
  const value = { column: phone.column.header, transform: steps };
  return [[value, 'nothing else distinguishes the clients: one client for each phone']];
}
