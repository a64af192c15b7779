import type { FieldValue } from '../../core/client.js';
import { type CardField, type Installation, syncFields } from '../../installation/installation.js';
import type { Mode } from '../../core/mode.js';
import type { LoadedMapping } from '../load.js';
import type { Path } from '../../config/path.js';
import type { FieldSpecs } from '../schema/client.js';
import type { ValueSpec } from '../schema/value.js';
import { suggestion } from '../../config/nearest.js';
import type { CompileContext } from './context.js';
import { toField } from './convert.js';
import { looksWritten } from '../transforms/date/date-looks.js';
import { compilePart, type Convert, missing, type Part } from './part.js';
import { compileValue, type ValueReader } from './value-reader.js';

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

/**
 * What becomes of the fields that do not identify: all are `sent`, those with a value are `changed`, or the mode has no
 * use for them, and they are `refused` or `ignored`.
 */
export type OtherFields = 'sent' | 'changed' | 'refused' | 'ignored';

const PATH: Path = ['client', 'fields'];

/**
 * Compiles the fields, and holds them against the card: unknown, missing, not used. Without a card every value is text,
 * and nothing says which fields identify.
 */
export function compileFields(
  written: FieldSpecs,
  others: OtherFields,
  { mapping: { mode }, card }: FieldsRequest,
  context: CompileContext,
): Fields {
  const specs = new Map(Object.entries(written));
  const required = others === 'sent' ? isRequired : isIdentifier;
  if (card) checkNames([...specs.keys()], card, required, context);
  const identifying = card ? syncFields(card) : [];
  const compile = (name: string, spec: ValueSpec) =>
    compileField(name, spec, card, required, context);
  const identifiers: Fields['identifiers'][number][] = [];
  for (const name of identifying) {
    const spec = specs.get(name);
    specs.delete(name);
    if (spec !== undefined) identifiers.push({ name, part: compile(name, spec) });
  }
  if (card && (others === 'refused' || others === 'ignored')) {
    const known = [...specs.keys()].filter((name) => Object.hasOwn(card, name));
    if (others === 'refused') refuseOthers(mode, identifying, known, context);
    return { identifiers, others: [] };
  }
  return {
    identifiers,
    others: [...specs].map(([name, spec]) => ({
      name,
      part: asWritten(spec, compile(name, spec), card),
    })),
  };
}

interface FieldsRequest {
  readonly mapping: Pick<LoadedMapping, 'mode'>;
  readonly card?: Installation['card'] | undefined;
}

function checkNames(
  written: readonly string[],
  card: Installation['card'],
  required: (field: CardField) => boolean,
  context: CompileContext,
): void {
  for (const name of written) {
    if (Object.hasOwn(card, name)) continue;
    const unused = Object.keys(card).filter((field) => !written.includes(field));
    context.mistake([...PATH, name], `the card has no field "${name}".`, suggestion(name, unused));
  }
  for (const [name, field] of Object.entries(card)) {
    if (written.includes(name) || !required(field)) continue;
    const why = field.sync ? 'is a synchronization identifier' : 'is required';
    context.mistake(PATH, `the field "${name}" ${why} and is missing here.`, `Add "${name}: …".`);
  }
}

function refuseOthers(
  mode: Mode,
  identifying: readonly string[],
  others: readonly string[],
  context: CompileContext,
): void {
  for (const name of others) {
    context.mistake(
      [...PATH, name],
      `mode ${mode} does not use the field "${name}".`,
      `It uses the synchronization identifiers alone: ${identifying.join(', ')}.`,
    );
  }
}

function compileField(
  name: string,
  spec: ValueSpec,
  card: Installation['card'] | undefined,
  isRequired: (field: CardField) => boolean,
  context: CompileContext,
): Part<string | number> {
  const field = card && Object.hasOwn(card, name) ? card[name] : undefined;
  const isNumber = field?.type === 'Number';
  const reader = compileValue(spec, [...PATH, name], context, { isNumber });
  const convert = toField(field);
  const isMissed = reader.required || (field !== undefined && isRequired(field));
  const required = isMissed ? missing(`The field ${name}`) : null;
  return compilePart(
    reader,
    isPlainText(spec, field) ? seeDates(convert, reader, context) : convert,
    required,
    context,
  );
}

/** Whether the cells of a column are sent as texts, as they stand. */
function isPlainText(spec: ValueSpec, field: CardField | undefined): boolean {
  if (field !== undefined && (field.type !== 'TextField' || field.sync)) return false;
  if (typeof spec === 'string') return true;
  return spec.column !== undefined && spec.transform === undefined && spec.map === undefined;
}

/** Dates in figures have a sign behind one digit or two, which hardly any other text has: identifiers are digits alone. */
const MAYBE_DATE = /^\d\d?[-./ ]/;

/** Counts texts that look like dates in figures, which nobody has checked. */
function seeDates(
  convert: Convert<string | number>,
  { label }: ValueReader,
  context: CompileContext,
): Convert<string | number> {
  const watch = context.watch(label, 'text');
  return (text) => {
    watch.see();
    if (MAYBE_DATE.test(text) && looksWritten(text)) watch.look('dates');
    return convert(text);
  };
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

function isRequired({ sync, required }: CardField): boolean {
  return sync || required;
}

function isIdentifier({ sync }: CardField): boolean {
  return sync;
}
