/** Synchronization identifiers of a client: field name to value (interface.md 2.1). */
export type SyncIdentifiers = Readonly<Record<string, string | number>>;

/**
 * One text for a set of identifiers, equal for equal identifiers whatever the order of their fields and whether a
 * number came as text. `names` are the synchronization fields of the installation.
 */
export function identityOf(
  identifiers: Readonly<Record<string, unknown>>,
  names: readonly string[],
): string {
  return JSON.stringify(names.map((name) => textOf(identifiers[name])));
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
