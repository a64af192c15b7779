import type { CardField } from '../../installation/installation.js';
import { isIdentifying } from '../choose/nameless.js';
import { SURE } from '../suggestion.js';
import { type DraftContext, usesOf } from './context.js';
import { flow, type Plain, quoted } from '../../config/yaml-text.js';

/** Columns of another value in every row that are named at most. */
const MAX_NAMED = 3;

/** The lines for a field that a client must have and no column is like. */
export function fillInField(context: DraftContext, name: string, field: CardField): void {
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
  const phone = usesOf(context, 'phones').find(({ score }) => score >= SURE);
  if (!phone) return [];
  const { code } = context.country;
  const steps: Plain[] = code === undefined ? ['digits'] : [{ phone: { country: code } }, 'digits'];
  const value = { column: phone.column.header, transform: steps };
  return [[value, 'nothing else distinguishes the clients: one client for each phone']];
}
