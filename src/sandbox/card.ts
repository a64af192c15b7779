import { MESSAGES } from '../contract/shapes.js';
import { identityOf } from '../core/client.js';
import { syncFields, type CardField, type Installation } from '../installation/installation.js';
import { cardValue, exactNumber, type CardValue } from './card-value.js';
import { isBlank } from './validate-value.js';
import { invalid } from './refusal.js';

export type CardValues = Record<string, CardValue>;

/** The card configuration of the installation, ready to validate and identify clients. */
export class Card {
  /** Field names in the order of the configuration. */
  readonly names: readonly string[];
  readonly syncNames: readonly string[];
  readonly #fields: ReadonlyMap<string, CardField>;
  readonly #requiredNames: readonly string[];

  constructor(card: Installation['card']) {
    this.names = Object.keys(card);
    this.syncNames = syncFields(card);
    this.#fields = new Map(Object.entries(card));
    this.#requiredNames = this.names.filter((name) => card[name]?.required && !card[name].sync);
  }

  field(name: string): CardField | undefined {
    return this.#fields.get(name);
  }

  /** Values in the form in which they are kept. @throws Refusal for an unknown field or a value that does not fit. */
  values(given: Readonly<Record<string, unknown>>): CardValues {
    const values: CardValues = {};
    for (const [name, value] of Object.entries(given)) {
      const field = this.#fields.get(name);
      if (!field) throw invalid(`Field [${name}] is not in the card configuration.`);
      values[name] = cardValue(name, field, value);
    }
    return values;
  }

  /** @throws Refusal unless every synchronization identifier is there and not blank (interface.md 2.1). */
  needIdentifiers(given: Readonly<Record<string, unknown>>): void {
    if (this.syncNames.some((name) => isBlank(ownValue(given, name)))) {
      throw invalid(MESSAGES.identifiersMissing);
    }
  }

  /** @throws Refusal unless every mandatory field is there and not blank (interface.md 2.2). */
  needMandatory(given: Readonly<Record<string, unknown>>): void {
    const missing = this.#requiredNames.find((name) => isBlank(ownValue(given, name)));
    if (missing !== undefined) throw invalid(MESSAGES.fieldRequired(missing));
  }

  mustNotBeBlank(name: string): boolean {
    const field = this.#fields.get(name);
    return field !== undefined && (field.required || field.sync);
  }

  /** One text for a client's identifiers, the same whether a number came as number or as text. */
  identity(given: Readonly<Record<string, unknown>>): string {
    const kept = this.syncNames.map((name): [string, unknown] => {
      const value = ownValue(given, name);
      const isNumber = this.#fields.get(name)?.type === 'Number';
      return [name, isNumber ? (exactNumber(value) ?? value) : value];
    });
    return identityOf(Object.fromEntries(kept), this.syncNames);
  }

  /** Identifiers for a message: `name=value, name2=value2`, in the order of the configuration. */
  describe(given: Readonly<Record<string, unknown>>): string {
    return this.syncNames.map((name) => `${name}=${String(ownValue(given, name))}`).join(', ');
  }
}

function ownValue(given: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(given, name) ? given[name] : undefined;
}
