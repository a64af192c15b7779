import type { FieldValue } from '../../core/card.js';
import type { CardField, Installation } from '../../core/installation.js';
import { syncFields } from '../../core/installation.js';
import type { Path } from '../path.js';
import type { Mapping } from '../mapping.js';
import type { ValueSpec } from '../schema/value.js';
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
  const specs = new Map(Object.entries(written));
  if (card) checkNames([...specs.keys()], card, context);
  const identifying = new Set(card ? syncFields(card) : []);
  const identifiers: Fields['identifiers'][number][] = [];
  for (const name of identifying) {
    const spec = specs.get(name);
    if (spec !== undefined)
      identifiers.push({ name, part: compileField(name, spec, card, context) });
  }
  const others = [...specs]
    .filter(([name]) => !identifying.has(name))
    .map(([name, spec]) => ({
      name,
      part: asWritten(spec, compileField(name, spec, card, context), card),
    }));
  return { identifiers, others };
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
  spec: ValueSpec,
  card: Installation['card'] | undefined,
  context: CompileContext,
): Part<string | number> {
  const field = card && Object.hasOwn(card, name) ? card[name] : undefined;
  const reading = compileReading(spec, [...PATH, name], context);
  const required = reading.required || isRequired(field) ? missing(`The field ${name}`) : null;
  return compilePart(reading, toField(field), required, context);
}

/** Without a card nothing says what the type should be, so a constant keeps the one that it was written with. */
function asWritten(
  spec: ValueSpec,
  part: Part<string | number>,
  card: Installation['card'] | undefined,
): Part<FieldValue> {
  if (card || typeof spec === 'string') return part;
  const { value } = spec;
  return typeof value === 'number' || typeof value === 'boolean' ? () => value : part;
}

function isRequired(field: CardField | undefined): boolean {
  return field !== undefined && (field.sync || field.required);
}
