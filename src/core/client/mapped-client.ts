import type { Client, FieldValue } from './card.js';

/** A client as a row becomes it; as JSON it is a `Client`. */
export interface MappedClient extends Omit<Client, 'fields'> {
  readonly fields: FieldList;
}

/**
 * Custom fields of a client: names, which all rows share, and their values, `null` where there is none. An object that
 * gets a property for each takes several times as long to make and to write, for every row of an import.
 */
export class FieldList {
  constructor(
    readonly names: readonly string[],
    readonly values: readonly (FieldValue | null)[],
  ) {}

  /** Fields that have a value, as JSON shows them. */
  toJSON(): Readonly<Record<string, FieldValue>> {
    const filled = this.names
      .map((name, place) => [name, this.values[place] ?? null] as const)
      .filter(([, value]) => value !== null);
    return Object.fromEntries(filled);
  }
}
