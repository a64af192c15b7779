import { z } from 'zod';
import type { Operation } from '../contract/shapes.js';
import { operations, criterion } from '../contract/operations.js';
import { ConfigurationError, type ConfigMistake } from '../core/errors.js';
import type { Installation } from '../installation/installation.js';
import type { PlacedDocument, Path } from '../config/document.js';
import {
  type AddMistake,
  campaignGiven,
  parseArgument,
  type CampaignGiven,
  type OperationArguments,
  checkCriterion,
  checkNames,
  asBody,
  type PlacedObject,
  type Field,
  fieldsOf,
  QUERY_FIELD,
} from './arguments.js';
import { isRecord } from '../core/text.js';
import { mistakeAt, checkDocument } from '../config/check-document.js';
import { randomUUID } from 'node:crypto';
import { DEFAULT_RECOVERY } from '../installation/schema.js';
import type { RequestExtras } from '../client/request.js';

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
  card: Installation['card'],
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

  take(field: Field, card: Installation['card']): void {
    const addMistake = this.#collecting(field.name);
    const { values, taskOf } = this.given;
    const text = values[field.name];
    if (field.kind === 'task' && taskOf !== undefined) {
      if (text !== undefined) addMistake('is not needed where --campaign is given.');
      this.#putLooked(field, campaignGiven(taskOf, addMistake));
    } else if (text !== undefined) {
      if (LISTS.has(field.kind) && field.name in this.input.body)
        addMistake('stands in the data, too.', 'Keep one of them.');
      if (field.kind === 'campaign')
        this.#putCampaign(field, campaignGiven(String(text), addMistake));
      else this.#put(field, parseArgument(field, text, card, addMistake));
    }
  }

  #putCampaign(field: Field, campaign: CampaignGiven | undefined): void {
    if (campaign && 'id' in campaign) this.#put(field, campaign.id);
    else this.#putLooked(field, campaign);
  }

  #putLooked(field: Field, campaign: CampaignGiven | undefined): void {
    this.#put(field, PROVISIONAL);
    if (campaign) this.lookups.push({ field, campaign });
  }

  #put(field: Field, meaning: unknown): void {
    this.#taken.add(field.name);
    if (field.part === 'query') Object.assign(this.input.query, meaning);
    else this.input[field.part][field.name] = meaning;
  }

  check(fields: readonly Field[], card: Installation['card']): ConfigMistake[] {
    const { params, query, body }: Operation = operations[this.given.operation];
    if (this.given.operation === 'addClients')
      this.input = { ...this.input, body: { ...completed(this.input.body) } };
    const inData = fields.filter(({ part, name }) => part === 'body' && !this.#taken.has(name));
    return [
      ...(params ? this.#checkPart('params', params) : []),
      ...(query instanceof z.ZodRecord ? this.#checkQuery() : []),
      ...(body instanceof z.ZodObject ? this.#checkPart('body', body.strict()) : []),
      ...(this.data ? dataMistakes({ ...this.data, value: this.input.body }, inData, card) : []),
    ];
  }

  #checkQuery(): ConfigMistake[] {
    const file = this.#labelOf(QUERY_FIELD);
    return this.#taken.has(QUERY_FIELD) ? [] : [{ file, message: 'it is required.' }];
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
  card: Installation['card'],
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
    if (kind === 'clients')
      for (const [index, client] of listIn(value).entries())
        if (isRecord(client))
          checkIdentifiers(client['clientIdentifiers'], [index, 'clientIdentifiers']);
    if (kind === 'criteria') checkCriteria(value, card, (at) => addMistakeAt([name, ...at]));
  }
  checkUuids(document.value, addMistakeAt(['clients']));
  return mistakes;
}

function checkCriteria(
  value: unknown,
  card: Installation['card'],
  addMistakeAt: (path: Path) => AddMistake,
): void {
  if (Array.isArray(value) && value.length === 0)
    addMistakeAt([])('there is no filter, and so every call application would go.', 'Add one.');
  for (const [index, element] of listIn(value).entries()) {
    const read: z.ZodSafeParseResult<z.output<typeof criterion>> = criterion.safeParse(element);
    if (read.success) checkCriterion(read.data, card, addMistakeAt([index]));
  }
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
