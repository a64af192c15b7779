import { columnsInTemplate } from './transforms/template-columns.js';

/**
 * What a mapping does with the columns of a file: the part of the client that each fills, such as `phones` or
 * `fields.offerId`, and `null` for those that it leaves out. Columns that only decide something, such as which rows are
 * taken, are not among them.
 */
export function columnTargets(
  written: unknown,
  headers: readonly string[],
): Record<string, string | null> {
  const targets = new Map<string, string>();
  const note = (value: unknown, target: string): void => {
    for (const column of columnsNamedIn(value))
      if (!targets.has(column)) targets.set(column, target);
  };
  const { client, uuid } = recordOf(written);
  const { fields, ...parts } = recordOf(client);
  for (const [name, value] of Object.entries(recordOf(fields))) note(value, `fields.${name}`);
  for (const [part, value] of Object.entries(parts))
    for (const entry of Array.isArray(value) ? (value as unknown[]) : [value]) note(entry, part);
  note(uuid, 'uuid');
  const mentioned = new Set(textsIn(written));
  return Object.fromEntries(
    headers.flatMap((header): [string, string | null][] => {
      const target = targets.get(header);
      return target === undefined && mentioned.has(header) ? [] : [[header, target ?? null]];
    }),
  );
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};

/** Columns of a value as it is written: a bare string names one. */
function columnsNamedIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  const { column, columns, template } = recordOf(value);
  return [
    ...(typeof column === 'string' ? [column] : []),
    ...(Array.isArray(columns) ? columns.filter((each) => typeof each === 'string') : []),
    ...(typeof template === 'string' ? columnsInTemplate(template) : []),
  ];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap((inner: unknown) => textsIn(inner))
    : [];
}
