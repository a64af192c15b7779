import type { FieldValue } from '../../core/card.js';
import type { CardField, Installation } from '../../core/installation.js';
import { syncFields } from '../../core/installation.js';
import type { Path } from '../document.js';
import type { Mapping } from '../mapping.js';
import { suggestion } from '../suggest.js';
import type { CompileContext } from './context.js';
import { toField } from './convert.js';
import { compilePart, missing, type Part } from './part.js';
import { compileReading } from './reading.js';

/** One custom field of the card. */
export interface FieldPart {
  readonly name: string;
  readonly part: Part<FieldValue>;
}

/** The custom fields of the card: those that identify, in the order of the card, and the others. */
export interface Fields {
  readonly identifiers: readonly { readonly name: string; readonly part: Part<string | number> }[];
  readonly others: readonly FieldPart[];
}

const PATH: Path = ['client', 'fields'];

/** Compiles the fields, and holds them against the card: unknown, missing. Without a card every value is text. */
export function compileFields(
  written: Mapping['client']['fields'],
  card: Installation['card'] | undefined,
  context: CompileContext,
): Fields {
  if (card) checkNames(Object.keys(written), card, context);
  const identifying = card ? syncFields(card) : [];
  const compile = (name: string) => compileField(name, written[name], card, context);
  return {
    identifiers: identifying
      .filter((name) => written[name] !== undefined)
      .map((name) => ({ name, part: compile(name) as Part<string | number> })),
    others: Object.keys(written)
      .filter((name) => !identifying.includes(name))
      .map((name) => ({ name, part: compile(name) })),
  };
}

function checkNames(
  written: readonly string[],
  card: Installation['card'],
  context: CompileContext,
): void {
  for (const name of written) {
    if (Object.hasOwn(card, name)) continue;
    const unused = Object.keys(card).filter((field) => !written.includes(field));
    context.fault([...PATH, name], `the card has no field "${name}".`, suggestion(name, unused));
  }
  for (const [name, { sync, required }] of Object.entries(card)) {
    if (written.includes(name) || !(sync || required)) continue;
    const why = sync ? 'is a synchronization identifier' : 'is required';
    context.fault(PATH, `the field "${name}" ${why} and is missing here.`, `Add "${name}: …".`);
  }
}

function compileField(
  name: string,
  spec: Mapping['client']['fields'][string] | undefined,
  card: Installation['card'] | undefined,
  context: CompileContext,
): Part<FieldValue> {
  const path = [...PATH, name];
  if (spec === undefined) return () => null;
  const field = card && Object.hasOwn(card, name) ? card[name] : undefined;
  const reading = compileReading(spec, path, context);
  const required = reading.required || isRequired(field) ? missing(`The field ${name}`) : null;
  const part = compilePart(reading, toField(field), required, context);
  const { constant } = reading;
  // Without a card nothing says what the type should be, so a constant keeps the one that it was written with.
  return field === undefined && constant !== undefined && typeof constant !== 'string'
    ? () => constant
    : part;
}

function isRequired(field: CardField | undefined): boolean {
  return field !== undefined && (field.sync || field.required);
}
