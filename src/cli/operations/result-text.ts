import { counted } from '../../core/text.js';
import { operations, type OperationName } from '../../contract/operations.js';
import { cellText, isObject, rowsTable } from './table.js';

/** What an operation came to, as it is printed. */
export interface Printed {
  readonly operation: OperationName;
  /** Path parameters of the request. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The answer; `undefined` for an acknowledgement. */
  readonly value: unknown;
  /** How many clients the request was about, where it was about several things. */
  readonly clients?: number | undefined;
  readonly columns?: readonly string[] | undefined;
  /** Width of the terminal. */
  readonly width?: number | undefined;
}

/** For a program: the answer as the interface gives it; of an acknowledgement, what was done. */
export function resultJson({ operation, params, value }: Printed): string {
  return `${JSON.stringify(value ?? { operation, done: true, ...params }, null, 2)}\n`;
}

/** For a person: a table, or a sentence where there is nothing to show. */
export async function resultText(printed: Printed): Promise<string> {
  const { operation, value, columns, width } = printed;
  if (operation === 'addApplications') return `${addedText(printed)}\n`;
  if (Array.isArray(value)) return listText(value, columns, width);
  if (!isObject(value)) return `${doneText(printed)}\n`;
  const [inner, ...others] = Object.values(value);
  // An answer that is one list or one object, such as `clientFieldsToValues`, is shown without its wrapping.
  if (others.length === 0 && Array.isArray(inner)) return listText(inner, columns, width);
  const shown = others.length === 0 && isObject(inner) ? inner : value;
  const rows = Object.entries(shown).map(([field, content]) => ({ field, value: content }));
  return rowsTable(rows, undefined, width);
}

const listText = async (
  list: readonly unknown[],
  columns?: readonly string[],
  width?: number,
): Promise<string> =>
  list.length === 0 ? 'There are none.\n' : rowsTable(list.filter(isObject), columns, width);

function doneText({ operation, params }: Printed): string {
  const { summary } = operations[operation];
  const ids = Object.entries(params).map(([name, id]) => `${name} ${cellText(id)}`);
  const about = ids.length === 0 ? '' : ` (${ids.join(', ')})`;
  return `Done: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}${about}.`;
}

function addedText({ value, clients = 0 }: Printed): string {
  const errors = isObject(value) && Array.isArray(value['errors']) ? value['errors'].length : 0;
  return `${clients - errors} of ${counted(clients, 'client')} ${clients - errors === 1 ? 'was' : 'were'} added to the campaign.`;
}
