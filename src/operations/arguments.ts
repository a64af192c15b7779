import { z } from 'zod';
import {
  criterion,
  FILTER_OPERATORS,
  FILTER_VALUES,
  operations,
  type OperationName,
  type Operation,
  syncIdentifiers,
} from '../contract/operations.js';
import { type Installation, syncFields, type CardField } from '../installation/installation.js';
import { suggestion, nearest, isRecord } from '../core/text.js';
import type { SyncIdentifiers, FieldValue } from '../core/client.js';
import { toField } from '../mapping/compile/convert.js';
import { InvalidValue } from '../mapping/transforms/step.js';
import { ConfigurationError, type ConfigMistake } from '../core/errors.js';
import { parsePlaced, readDocument, type PlacedDocument, type Path } from '../config/document.js';
import { mistakeAt, checkDocument } from '../config/document.js';
import { randomUUID } from 'node:crypto';
import { DEFAULT_RECOVERY } from '../installation/installation.js';
import type { RequestExtras } from '../client/contact-center.js';

/** How a person gives a field of a request. */
export type FieldKind =
  | 'text'
  | 'integer'
  | 'boolean'
  /** One of a few words. */
  | 'choice'
  /** Synchronization identifiers (interface.md 2.1), as `name=value` texts. */
  | 'identifiers'
  /** A list of clients by their identifiers; the texts name one. */
  | 'clients'
  /** Custom card fields, as `name=value` texts. */
  | 'card'
  /** Filters (4.11), as texts such as `application.status = FAILED`. */
  | 'criteria'
  /** A campaign, by its id or its name. */
  | 'campaign'
  /** A campaign's task, by its id. */
  | 'task'
  /** Too much for a text of its own: it comes with the data. */
  | 'nested';

/** One field of an operation's request, as data. */
export interface Field {
  /** As the interface names it. */
  readonly name: string;
  readonly part: 'params' | 'query' | 'body';
  readonly kind: FieldKind;
  readonly required: boolean;
  /** One sentence. */
  readonly description: string;
  /** The words of a `choice`. */
  readonly choices?: readonly string[];
}

/** Where the identifiers of a GET stand: they are its whole query. */
const QUERY_FIELD = 'syncIdentifiers';

/** The fields of an operation's request, read off the contract's table: path, query, body. Paging is not among them. */
export function fieldsOf(name: OperationName): Field[] {
  const { params, query, body }: Operation = operations[name];
  return [
    ...fieldsIn('params', params?.shape),
    ...(query instanceof z.ZodRecord ? fieldsIn('query', { [QUERY_FIELD]: syncIdentifiers }) : []),
    ...(body instanceof z.ZodObject ? fieldsIn('body', body.shape) : []),
  ];
}

/** Whether an operation answers with a list. */
export function isList(name: OperationName): boolean {
  const { response }: Operation = operations[name];
  return response instanceof z.ZodArray;
}

function fieldsIn(part: Field['part'], shape: Readonly<Record<string, unknown>> = {}): Field[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    if (!(schema instanceof z.ZodType)) return [];
    const inner = unwrapped(schema);
    const choices = inner instanceof z.ZodEnum ? inner.options.map(String) : undefined;
    return {
      ...{ name, part, kind: kindOf(name, inner) },
      required: !schema.safeParse(undefined).success,
      description: schema.description ?? `${words(name)}.`,
      ...(choices && { choices }),
    };
  });
}

/** The path of 4.9 spells it in its own way. */
const CAMPAIGN: ReadonlySet<string> = new Set(['campaignId', 'campaigId']);

function kindOf(name: string, schema: z.ZodType): FieldKind {
  if (CAMPAIGN.has(name)) return 'campaign';
  if (name === 'taskId') return 'task';
  if (schema === syncIdentifiers) return 'identifiers';
  if (schema instanceof z.ZodRecord) return 'card';
  if (schema instanceof z.ZodArray) return listKind(schema.element);
  if (schema instanceof z.ZodEnum) return 'choice';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodNumber) return 'integer';
  return schema instanceof z.ZodString || schema instanceof z.ZodStringFormat ? 'text' : 'nested';
}

function listKind(element: unknown): FieldKind {
  if (element === criterion) return 'criteria';
  const shape = element instanceof z.ZodObject ? Object.values(element.shape) : [];
  return shape.length === 1 && shape[0] === syncIdentifiers ? 'clients' : 'nested';
}

function unwrapped(schema: z.ZodType): z.ZodType {
  if (!(schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)) return schema;
  const inner = schema.unwrap();
  return inner instanceof z.ZodType ? unwrapped(inner) : schema;
}

/** `emailAddress` -> `Email address`. */
function words(name: string): string {
  const spaced = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

type Card = Installation['card'];

/** What a person says for a field, before it is understood. */
export type ArgumentValue = string | boolean | readonly string[];

/** What a person says for an operation. */
export interface OperationArguments {
  readonly operation: OperationName;
  /** By the names of the operation's fields. */
  readonly values: Readonly<Record<string, ArgumentValue | undefined>>;
  /** How the person calls each field, such as `--id`, for messages about it. */
  readonly labels: Readonly<Record<string, string>>;
  /** In place of the field of a task: the campaign that it belongs to, by id or name. */
  readonly taskOf?: string | undefined;
}

/** A campaign as a person gives it: digits are an id, anything else is a name. */
export type CampaignGiven = { readonly id: number } | { readonly name: string };

/** What a field means; `undefined` when it cannot be understood, which was added as a mistake. */
function parseArgument(
  field: Field,
  given: ArgumentValue,
  card: Card,
  addMistake: AddMistake,
): unknown {
  const texts = typeof given === 'object' ? given : [String(given)];
  const [text = ''] = texts;
  const { kind, choices = [] } = field;
  switch (kind) {
    case 'integer':
    case 'task':
      if (/^-?\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
      addMistake(`takes a whole number, but got "${text}".`);
      return undefined;
    case 'boolean':
      return given === true || given === 'true';
    case 'choice':
      if (choices.includes(text)) return text;
      addMistake(
        `takes one of ${choices.join(', ')}, but got "${text}".`,
        suggestion(text, choices),
      );
      return undefined;
    case 'identifiers':
      return identifiersOf(texts, card, addMistake);
    case 'clients':
      return [{ clientIdentifiers: identifiersOf(texts, card, addMistake) }];
    case 'card':
      return cardFieldsOf(texts, card, addMistake);
    case 'criteria':
      return texts.map((one) => criterionOf(one, card, addMistake));
    case 'text':
    case 'campaign':
    case 'nested':
      return text;
  }
}

/** The campaign that is meant. */
function campaignGiven(text: string, addMistake: AddMistake): CampaignGiven | undefined {
  const id = Number(text);
  if (!/^\d+$/.test(text)) {
    if (text.trim() !== '') return { name: text };
    addMistake('takes the id or the name of a campaign.');
  } else if (id >= 1 && Number.isSafeInteger(id)) return { id };
  else addMistake(`an id is a whole number from 1, but got "${text}".`);
  return undefined;
}

/** Synchronization identifiers from `name=value` texts, typed by the card configuration (interface.md 2.1). */
function identifiersOf(
  texts: readonly string[],
  card: Card,
  addMistake: AddMistake,
): SyncIdentifiers {
  const unreadable: string[] = [];
  const pairs = pairsOf(texts, (message, suggestion) => {
    unreadable.push(message);
    addMistake(message, suggestion);
  });
  // What could not be read may have been the identifier that seems to be missing.
  if (unreadable.length === 0) checkNames([...pairs.keys()], card, addMistake);
  const identifiers: Record<string, string | number> = {};
  for (const [name, text] of pairs) {
    const field = fieldNamed(name, card);
    const value = field && typedValue(name, field, text, addMistake);
    if (value !== undefined) identifiers[name] = value;
  }
  return identifiers;
}

/** Adds a mistake for every name that is no synchronization identifier, and of every identifier that is missing. */
function checkNames(given: readonly string[], card: Card, addMistake: AddMistake): void {
  const known = syncFields(card);
  for (const name of given) {
    if (fieldNamed(name, card) === undefined) addMistake(...unknownField(name, known));
    else if (!known.includes(name))
      addMistake(
        `"${name}" is a field of the card, but not a synchronization identifier.`,
        suggestion(name, known),
      );
  }
  // A misspelt name also looks like a missing one; one word about it is enough.
  if (given.some((name) => !known.includes(name))) return;
  for (const name of known.filter((name) => !given.includes(name)))
    addMistake(`the synchronization identifier "${name}" is missing.`);
}

/** A filter of interface.md 4.11; a person writes it as `key operator value`. */
type Criterion = z.output<typeof criterion>;

const PHONE = 'phones.phoneNumber';
/** The internal client id, unless the card configuration has a field of this name. */
const CLIENT_ID = 'id';

/** An operator in signs needs no blanks around it; one in letters does. A doubled or negated sign is read whole. */
const FILTER = /^\s*(.+?)\s*(?:\s(NOT\s+LIKE|LIKE)\s|([=!<>~]+))\s*(.*?)\s*$/is;
const THREE_PARTS = /^\s*(\S+)\s+(\S+)(?:\s|$)/;

/** A criterion from its text; `undefined` when it could not be read, which was added as a mistake. */
export function criterionOf(
  text: string,
  card: Card,
  addMistake: AddMistake,
): Criterion | undefined {
  const [, key = '', word, signs, value = ''] = FILTER.exec(text) ?? [];
  const given = (word ?? signs)?.toUpperCase().replace(/\s+/g, ' ');
  const operator = FILTER_OPERATORS.find((one) => one === given);
  if (operator === undefined) {
    addMistake(...(given === undefined ? unreadable(text) : unknownOperator(given)));
    return undefined;
  }
  const unquoted = /^(["'])(.*)\1$/s.exec(value)?.[2] ?? value;
  const made = { key, operator, value: typed(key, operator, unquoted, card) };
  checkCriterion(made, card, addMistake);
  return made;
}

/** Adds a mistake for a key that does not exist and of a value that the key cannot have. */
function checkCriterion(
  { key, operator, value }: Criterion,
  card: Card,
  addMistake: AddMistake,
): void {
  const known = [
    ...new Set([...Object.keys(FILTER_VALUES), PHONE, ...Object.keys(card), CLIENT_ID]),
  ];
  if (!known.includes(key)) {
    addMistake(`there is no filter key "${key}".`, choice(key, known));
    return;
  }
  if (value === '') addMistake(`"${key} ${operator}" needs a value.`);
  const field = fieldNamed(key, card);
  const fixed: readonly string[] | undefined = new Map(Object.entries(FILTER_VALUES)).get(key);
  const allowed = field ? field.values : fixed;
  if (allowed && !allowed.includes(String(value)) && (fixed !== undefined || operator === '='))
    addMistake(`"${key}" cannot be "${String(value)}".`, choice(String(value), allowed));
  const isNumber = typeof value === 'number' || /^-?\d+(\.\d+)?$/.test(String(value));
  if (operator === '=' && isOfNumbers(key, card) && !isNumber)
    addMistake(`"${key}" is compared with a number, but got "${String(value)}".`);
}

/** Whether the values of a filter key are numbers. */
function isOfNumbers(key: string, card: Card): boolean {
  const field = fieldNamed(key, card);
  return field ? field.type === 'Number' : key === CLIENT_ID;
}

/** Integers are written without quotes, strings with quotes (4.11): a number's own digits are an integer. */
function typed(key: string, operator: string, text: string, card: Card): string | number {
  if (!isOfNumbers(key, card)) return text;
  const whole = operator === '=' ? /^-?\d+$/.test(text) : String(Number(text)) === text;
  return whole && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

function unreadable(text: string): [message: string, suggestion?: string] {
  const [, , second] = THREE_PARTS.exec(text) ?? [];
  if (second !== undefined && !/^(?:NOT|LIKE)$/i.test(second))
    return unknownOperator(second.toUpperCase());
  return [
    `takes "key operator value", but got "${text}".`,
    `Such as "application.status = FAILED".`,
  ];
}

const unknownOperator = (word: string): [message: string, suggestion: string] => [
  `"${word}" is not an operator.`,
  // What looks most like "!=" is "=", its very opposite: only words are guessed.
  choice(/^[A-Z]/.test(word) ? word : '', FILTER_OPERATORS),
];

/** The nearest, and the list. */
function choice(given: string, allowed: readonly string[]): string {
  const near = given === '' ? undefined : nearest(given, allowed);
  const guess = near === undefined ? '' : `Did you mean "${near}"? `;
  return `${guess}There is: ${allowed.join(', ')}.`;
}

/** `name=value` texts as names and values. The first `=` parts them. */
function pairsOf(texts: readonly string[], addMistake: AddMistake): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const text of texts) {
    const at = text.indexOf('=');
    const name = text.slice(0, at).trim();
    if (at < 0 || name === '') addMistake(`takes name=value, but got "${text}".`);
    else if (pairs.has(name)) addMistake(`"${name}" is given twice.`, 'Keep one of them.');
    else pairs.set(name, text.slice(at + 1));
  }
  return pairs;
}

/** A value typed by the card configuration: a number for a Number, else text that the field allows. */
function typedValue(
  name: string,
  field: CardField,
  text: string,
  addMistake: AddMistake,
): string | number | undefined {
  if (text.trim() === '' && (field.sync || field.required)) {
    addMistake(`"${name}" must not be blank.`);
    return undefined;
  }
  // An empty value unsets a field, of whatever type.
  if (text === '') return text;
  const value = toField(field)(text);
  if (!(value instanceof InvalidValue)) return value;
  addMistake(`"${name}": ${value.message}`);
  return undefined;
}

/** Custom card fields from `name=value` texts, typed by the card configuration. */
function cardFieldsOf(
  texts: readonly string[],
  card: Card,
  addMistake: AddMistake,
): Record<string, FieldValue> {
  const values: Record<string, FieldValue> = {};
  for (const [name, text] of pairsOf(texts, addMistake)) {
    const field = fieldNamed(name, card);
    if (field === undefined) addMistake(...unknownField(name, Object.keys(card)));
    else values[name] = typedValue(name, field, text, addMistake) ?? null;
  }
  return values;
}

function fieldNamed(name: string, card: Card): CardField | undefined {
  return Object.hasOwn(card, name) ? card[name] : undefined;
}

const unknownField = (
  name: string,
  known: readonly string[],
): [message: string, suggestion: string | undefined] => [
  `"${name}" is not a field of the card.`,
  suggestion(name, known),
];

/** Notes one thing that is wrong with what the person gave: the message, and what would be right. */
type AddMistake = (message: string, suggestion?: string) => void;

/** Where data comes from: a YAML or JSON file, or text that is at hand already, under the name that mistakes call it. */
export type DataSource =
  { readonly file: string } | { readonly name: string; readonly text: string };

/** Data of which every value still knows where it stands. @throws ConfigurationError when it cannot be read */
export async function readData(source: DataSource): Promise<PlacedDocument> {
  return 'file' in source ? readDocument(source.file) : parsePlaced(source.name, source.text);
}

/** A document whose value is an object. */
export interface PlacedObject extends PlacedDocument {
  readonly value: Readonly<Record<string, unknown>>;
}

/**
 * Data as the body of an operation. Where the body is about a list, such as `clients`, the list alone will do, and so
 * will one element of it.
 */
export function asBody(document: PlacedDocument, name: OperationName): PlacedObject {
  const { value } = document;
  const list = listOf(name);
  if (list && Array.isArray(value)) return framed(document, { [list.name]: value }, 1);
  if (!isRecord(value)) {
    const { line, column } = document.placeOf([]);
    const message = 'it must be keys and values.';
    throw new ConfigurationError([{ file: document.file, line, column, message }]);
  }
  const has = (key: string): boolean => key in value;
  return list?.elementKeys.some(has) && !list.keys.some(has)
    ? framed(document, { [list.name]: [value] }, 2)
    : framed(document, value, 0);
}

/** `depth`: how many steps of a path lead through the frame. */
function framed(
  document: PlacedDocument,
  value: PlacedObject['value'],
  depth: number,
): PlacedObject {
  const inside = (path: Path): Path => path.slice(depth);
  return {
    ...document,
    value,
    placeOf: (path) => document.placeOf(inside(path)),
    placeOfKey: (path) => document.placeOfKey(inside(path)),
  };
}

/** The list that the body of an operation is about, with the keys of the body and of an element. */
function listOf(operationName: OperationName) {
  const { body }: Operation = operations[operationName];
  if (!(body instanceof z.ZodObject)) return undefined;
  const keys = Object.keys(body.shape);
  const shape: Record<string, unknown> = body.shape;
  for (const name of keys) {
    const schema = shape[name];
    if (!(schema instanceof z.ZodArray) || !(schema.element instanceof z.ZodObject)) continue;
    return { name, keys, elementKeys: Object.keys(schema.element.shape) };
  }
  return undefined;
}

type Part = Record<string, unknown>;

/** What an operation is given: checked by the table's schemas, and by the card configuration. */
export interface AssembledInput {
  readonly params: Part;
  readonly query: Part;
  readonly body: Part;
}

/** An id that has to be looked up before the request can be made. */
export interface Lookup {
  readonly field: Field;
  readonly campaign: CampaignGiven;
}

/** Stands for an id until it is looked up. */
const PROVISIONAL = 1;
/** Fields that are lists: the data and the person would displace each other's elements without a word. */
const LISTS: ReadonlySet<Field['kind']> = new Set(['clients', 'criteria']);

/**
 * Puts together what the person gave and the data. Nothing is looked up.
 * @throws ConfigurationError with everything that is wrong: what the person gave by its label, data by its place.
 */
export function assembleInput(
  given: OperationArguments,
  data: PlacedDocument | undefined,
  card: Card,
): { readonly input: AssembledInput; readonly lookups: readonly Lookup[] } {
  const assembly = new Assembly(given, data && asBody(data, given.operation));
  const fields = fieldsOf(given.operation);
  for (const field of fields) assembly.take(field, card);
  const mistakes = [...assembly.mistakes, ...assembly.check(fields, card)];
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return { input: assembly.input, lookups: assembly.lookups };
}

class Assembly {
  readonly mistakes: ConfigMistake[] = [];
  readonly lookups: Lookup[] = [];
  input: AssembledInput;
  readonly #taken = new Set<string>();
  readonly #mistaken = new Set<string>();

  constructor(
    private readonly given: OperationArguments,
    private readonly data: PlacedObject | undefined,
  ) {
    this.input = { params: {}, query: {}, body: { ...data?.value } };
  }

  take(field: Field, card: Card): void {
    const addMistake = this.#collecting(field.name);
    const { values, taskOf } = this.given;
    const text = values[field.name];
    if (field.kind === 'task' && taskOf !== undefined) {
      if (text !== undefined) addMistake('is not needed where --campaign is given.');
      this.#putCampaign(field, campaignGiven(taskOf, addMistake));
    } else if (text !== undefined) {
      if (LISTS.has(field.kind) && field.name in this.input.body)
        addMistake('stands in the data, too.', 'Keep one of them.');
      if (field.kind === 'campaign')
        this.#putCampaign(field, campaignGiven(String(text), addMistake));
      else this.#put(field, parseArgument(field, text, card, addMistake));
    }
  }

  #putCampaign(field: Field, campaign: CampaignGiven | undefined): void {
    const isKnown = field.kind === 'campaign' && campaign && 'id' in campaign;
    this.#put(field, isKnown ? campaign.id : PROVISIONAL);
    if (campaign && !isKnown) this.lookups.push({ field, campaign });
  }

  #put(field: Field, meaning: unknown): void {
    this.#taken.add(field.name);
    if (field.part === 'query') Object.assign(this.input.query, meaning);
    else this.input[field.part][field.name] = meaning;
  }

  check(fields: readonly Field[], card: Card): ConfigMistake[] {
    const { params, query, body }: Operation = operations[this.given.operation];
    if (this.given.operation === 'addClients')
      this.input = { ...this.input, body: { ...completed(this.input.body) } };
    const inData = fields.filter(({ part, name }) => part === 'body' && !this.#taken.has(name));
    return [
      ...(params ? this.#checkPart('params', params) : []),
      ...(query instanceof z.ZodRecord && !this.#taken.has(QUERY_FIELD)
        ? [{ file: this.#labelOf(QUERY_FIELD), message: 'it is required.' }]
        : []),
      ...(body instanceof z.ZodObject ? this.#checkPart('body', body.strict()) : []),
      ...(this.data ? dataMistakes({ ...this.data, value: this.input.body }, inData, card) : []),
    ];
  }

  #checkPart(part: 'params' | 'body', schema: z.ZodType): ConfigMistake[] {
    const document = { ...(this.data ?? NO_DATA), value: this.input[part] };
    const mistakes = schemaMistakes(document, schema);
    return mistakes.flatMap((mistake) => this.#attributed(mistake, this.input[part]));
  }

  /** What the person gave, or left out, is named by its label; what the data holds, by its place. */
  #attributed(mistake: ConfigMistake, value: Part): ConfigMistake[] {
    const name = /^[^.[]+/.exec(mistake.path ?? '')?.[0] ?? '';
    // The mistake was added when it could not be parsed.
    if (this.#mistaken.has(name)) return [];
    const { message, suggestion } = mistake;
    if (!(name in value)) {
      const choices = suggestion?.startsWith('It is one of') ? { suggestion } : {};
      return [{ file: this.#labelOf(name), message: 'it is required.', ...choices }];
    }
    return this.#taken.has(name) ? [{ file: this.#labelOf(name), message, suggestion }] : [mistake];
  }

  #collecting(name: string): AddMistake {
    return (message, suggestion) => {
      this.#mistaken.add(name);
      this.mistakes.push({ file: this.#labelOf(name), message, suggestion });
    };
  }

  #labelOf(name: string): string {
    return this.given.labels[name] ?? name;
  }
}

const nowhere = () => ({ line: 1, column: 1 });
/** Nothing of it is reported: without data, every mistake is one of what the person gave. */
const NO_DATA: PlacedDocument = {
  ...{ file: '', text: '', value: {} },
  ...{ placeOf: nowhere, placeOfKey: nowhere },
};

/** What is wrong with the fields that came with the data, by rules that the contract's schemas do not know. */
function dataMistakes(
  document: PlacedObject,
  fields: readonly Field[],
  card: Card,
): ConfigMistake[] {
  const mistakes: ConfigMistake[] = [];
  const addMistakeAt =
    (path: Path): AddMistake =>
    (message, hint) =>
      mistakes.push(mistakeAt(document, path, message, hint));
  for (const { name, kind } of fields) {
    const value = document.value[name];
    const checkIdentifiers = (given: unknown, at: Path): void => {
      if (isRecord(given)) checkNames(Object.keys(given), card, addMistakeAt([name, ...at]));
    };
    if (kind === 'identifiers') checkIdentifiers(value, []);
    if (kind === 'criteria' && Array.isArray(value) && value.length === 0)
      addMistakeAt([name])(
        'there is no filter, and so every call application would go.',
        'Add one.',
      );
    for (const [index, element] of listIn(value).entries()) {
      if (kind === 'clients' && isRecord(element))
        checkIdentifiers(element['clientIdentifiers'], [index, 'clientIdentifiers']);
      if (kind !== 'criteria') continue;
      const read: z.ZodSafeParseResult<Criterion> = criterion.safeParse(element);
      if (read.success) checkCriterion(read.data, card, addMistakeAt([name, index]));
    }
  }
  checkUuids(document.value, addMistakeAt(['clients']));
  return mistakes;
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What is wrong with a value by a schema of the contract, in plain words. */
export function schemaMistakes(document: PlacedDocument, schema: z.ZodType): ConfigMistake[] {
  try {
    checkDocument(document, schema);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.mistakes.map((mistake) => ({ ...mistake, message: inWords(mistake.message) }));
  }
}

/** The contract's own messages name no subject, since elsewhere the field's name stands before them. */
function inWords(message: string): string {
  if (/^(must|is) /.test(message)) return `it ${message}.`;
  return message === 'Invalid ISO datetime'
    ? 'it must be a date and time with a time-zone offset, such as 2026-12-01T10:00:00+03:00.'
    : message;
}

type Body = Readonly<Record<string, unknown>>;

/** The body with each of its clients changed. */
const withClients = (body: Body, change: (client: Body) => Body): Body => ({
  ...body,
  clients: listIn(body['clients']).map((one) => (isRecord(one) ? change(one) : one)),
});

/** What a client that is written by hand may leave out: its uuid is made up; it has no addresses and no e-mails. */
const completed = (body: Body): Body =>
  Array.isArray(body['clients'])
    ? withClients(body, (client) => ({
        ...{ uuid: randomUUID(), addresses: [], emails: [] },
        ...client,
      }))
    : body;

/** A uuid shows which result is whose, so it must be unique within a request (interface.md 2.2). */
function checkUuids({ clients }: Body, addMistake: AddMistake): void {
  const uuids = listIn(clients).map((client) => isRecord(client) && client['uuid']);
  const twice = uuids.find(
    (uuid, index) => typeof uuid === 'string' && uuids.indexOf(uuid) !== index,
  );
  if (typeof twice === 'string')
    addMistake(`two clients have the uuid "${twice}".`, 'Leave it out.');
}

/** Asks for the restoring of deleted clients at the place that the installation has for it, when it is wanted. */
export function placeRecovery(
  { recovery, ...body }: Body,
  installation: Pick<Installation, 'recovery'>,
): { readonly body: Body; readonly extras?: RequestExtras } {
  if (recovery !== true) return { body };
  const { in: place, name, value } = installation.recovery ?? DEFAULT_RECOVERY;
  if (place !== 'client') return { body, extras: { [place]: { [name]: value } } };
  return { body: withClients(body, (client) => ({ ...client, [name]: value })) };
}
