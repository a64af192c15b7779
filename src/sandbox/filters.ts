import type { z } from 'zod';
import { FILTER_VALUES, type criterion } from '../contract/applications.js';
import type { CardField } from '../installation/installation.js';
import type { Card } from './card.js';
import { exactNumber } from './card-value.js';
import { contactKey } from './contact-key.js';
import { invalid } from './refusal.js';
import { HAS_RECALL, type Condition } from './store/applications.js';

/** The filters of interface.md 4.11 as SQL conditions. */

export type Criterion = z.output<typeof criterion>;

/** Where the values of the keys with fixed values lie. */
const FIXED_COLUMNS = {
  'application.status': 'a.status',
  'application.ccprojectCallStatus': 'a.ccproject_call_status',
  'ts.clientCallStatus': 'a.client_call_status',
  'application.hasRecall': `CASE WHEN ${HAS_RECALL} THEN 'true' ELSE 'false' END`,
} as const satisfies Record<keyof typeof FILTER_VALUES, string>;

const CARD_VALUE = '(SELECT j.value FROM json_each(c.fields) j WHERE j.key = ?)';

/**
 * The condition that a criterion means. A card field wins over `id`, the internal client id.
 * @throws Refusal for a key that does not exist or a value that it cannot have
 */
export function conditionOf(criterion: Criterion, card: Card): Condition {
  const { key } = criterion;
  const field = card.field(key);
  if (field) return onCardField(criterion, field);
  if (key === 'phones.phoneNumber') return onPhones(criterion);
  if (key === 'id') return compare('c.id', [], criterion, numberFor(criterion));
  if (isFixed(key)) return onFixed(criterion, key);
  throw invalid(`Filter key [${key}] is not known.`);
}

function isFixed(key: string): key is keyof typeof FILTER_VALUES {
  return Object.hasOwn(FILTER_VALUES, key);
}

function onFixed(criterion: Criterion, key: keyof typeof FILTER_VALUES): Condition {
  const allowed: readonly string[] = FILTER_VALUES[key];
  const value = String(criterion.value);
  if (!allowed.includes(value)) {
    throw invalid(`Filter value of [${key}] must be one of ${allowed.join(', ')}.`);
  }
  return compare(FIXED_COLUMNS[key], [], criterion, value);
}

function onCardField(criterion: Criterion, field: CardField): Condition {
  const value = field.type === 'Number' ? numberFor(criterion) : String(criterion.value);
  return compare(CARD_VALUE, [criterion.key], criterion, value);
}

/** The value for a numeric key; a part of its digits will do for LIKE. */
function numberFor({ key, value, operator }: Criterion): string | number {
  if (operator !== '=') return String(value);
  const number = exactNumber(value);
  if (number === undefined) throw invalid(`Filter value of [${key}] must be a number.`);
  return number;
}

/** Any phone of the client counts: `NOT LIKE` holds when none of them is like the value. */
function onPhones({ value, operator }: Criterion): Condition {
  const text = String(value);
  const any = (sql: string): string =>
    `EXISTS (SELECT 1 FROM contacts p WHERE p.client_id = c.id AND p.kind = 'phone' AND ${sql})`;
  if (operator === '=') return { sql: any('p.key = ?'), values: [contactKey('phone', text)] };
  // As it was written, and by its digits alone: +7 (916) is like 7916.
  const sql = any('(p.value GLOB ? OR p.key GLOB ?)');
  return { sql: operator === 'LIKE' ? sql : `NOT ${sql}`, values: [globOf(text), globOf(text)] };
}

/** A value that is not there is like nothing. */
function compare(
  column: string,
  columnValues: readonly string[],
  { operator }: Criterion,
  value: string | number,
): Condition {
  if (operator === '=') return { sql: `${column} = ?`, values: [...columnValues, value] };
  const like = `coalesce(CAST(${column} AS TEXT), '') GLOB ?`;
  const sql = operator === 'LIKE' ? like : `NOT (${like})`;
  return { sql, values: [...columnValues, globOf(String(value))] };
}

/** `LIKE` means: contains; with `%` in the value: the pattern it is in SQL. GLOB minds case in every alphabet. */
function globOf(text: string): string {
  const escaped = text.replace(/[*?[]/g, '[$&]');
  return escaped.includes('%') ? escaped.replaceAll('%', '*') : `*${escaped}*`;
}
