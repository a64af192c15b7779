import { z } from 'zod';
import type { Operation } from '../contract/operation.js';
import { operations } from '../contract/operations.js';
import { ConfigurationError, type ConfigurationFault } from '../core/errors.js';
import type { Installation } from '../installation/installation.js';
import type { PlacedDocument } from '../config/document.js';
import { completed } from './added-clients.js';
import type { Complain } from './complaint.js';
import { asBody, type PlacedObject } from './data.js';
import { dataFaults } from './data-faults.js';
import { type Field, fieldsOf, QUERY_FIELD } from './fields.js';
import { campaignGiven, understood, type CampaignGiven, type Said } from './said.js';
import { schemaFaults } from './schema-faults.js';

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
 * Puts together what the person said and the data. Nothing is looked up.
 * @throws ConfigurationError with everything that is wrong: what the person said by its label, data by its place.
 */
export function assembleInput(
  said: Said,
  data: PlacedDocument | undefined,
  card: Installation['card'],
): { readonly input: AssembledInput; readonly lookups: readonly Lookup[] } {
  const assembly = new Assembly(said, data && asBody(data, said.operation));
  const fields = fieldsOf(said.operation);
  for (const field of fields) assembly.take(field, card);
  const faults = [...assembly.faults, ...assembly.check(fields, card)];
  if (faults.length > 0) throw new ConfigurationError(faults);
  return { input: assembly.input, lookups: assembly.lookups };
}

class Assembly {
  readonly faults: ConfigurationFault[] = [];
  readonly lookups: Lookup[] = [];
  input: AssembledInput;
  readonly #taken = new Set<string>();
  readonly #faulty = new Set<string>();

  constructor(
    private readonly said: Said,
    private readonly data: PlacedObject | undefined,
  ) {
    this.input = { params: {}, query: {}, body: { ...data?.value } };
  }

  /** Takes what was said of a field, if anything was. */
  take(field: Field, card: Installation['card']): void {
    const complain = this.#complaining(field.name);
    const { values, taskOf } = this.said;
    const text = values[field.name];
    if (field.kind === 'task' && taskOf !== undefined) {
      if (text !== undefined) complain('is not needed where --campaign is given.');
      this.#putLooked(field, campaignGiven(taskOf, complain));
    } else if (text !== undefined) {
      if (LISTS.has(field.kind) && field.name in this.input.body)
        complain('stands in the data, too.', 'Keep one of them.');
      if (field.kind === 'campaign')
        this.#putCampaign(field, campaignGiven(String(text), complain));
      else this.#put(field, understood(field, text, card, complain));
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

  /** Everything that is wrong with what was put together. */
  check(fields: readonly Field[], card: Installation['card']): ConfigurationFault[] {
    const { params, query, body }: Operation = operations[this.said.operation];
    if (this.said.operation === 'addClients')
      this.input = { ...this.input, body: { ...completed(this.input.body) } };
    const inData = fields.filter(({ part, name }) => part === 'body' && !this.#taken.has(name));
    return [
      ...(params ? this.#checkPart('params', params) : []),
      ...(query instanceof z.ZodRecord ? this.#checkQuery() : []),
      ...(body instanceof z.ZodObject ? this.#checkPart('body', body.strict()) : []),
      ...(this.data ? dataFaults({ ...this.data, value: this.input.body }, inData, card) : []),
    ];
  }

  #checkQuery(): ConfigurationFault[] {
    const file = this.#labelOf(QUERY_FIELD);
    return this.#taken.has(QUERY_FIELD) ? [] : [{ file, message: 'it is required.' }];
  }

  #checkPart(part: 'params' | 'body', schema: z.ZodType): ConfigurationFault[] {
    const document = { ...(this.data ?? NO_DATA), value: this.input[part] };
    const faults = schemaFaults(document, schema);
    return faults.flatMap((fault) => this.#attributed(fault, this.input[part]));
  }

  /** What the person said, or did not say, is told by its label; what the data holds, by its place. */
  #attributed(fault: ConfigurationFault, value: Part): ConfigurationFault[] {
    const name = /^[^.[]+/.exec(fault.path ?? '')?.[0] ?? '';
    // That it could not be understood was said before.
    if (this.#faulty.has(name)) return [];
    const { message, suggestion } = fault;
    if (!(name in value)) {
      const choices = suggestion?.startsWith('It is one of') ? { suggestion } : {};
      return [{ file: this.#labelOf(name), message: 'it is required.', ...choices }];
    }
    return this.#taken.has(name) ? [{ file: this.#labelOf(name), message, suggestion }] : [fault];
  }

  #complaining(name: string): Complain {
    return (message, suggestion) => {
      this.#faulty.add(name);
      this.faults.push({ file: this.#labelOf(name), message, suggestion });
    };
  }

  #labelOf(name: string): string {
    return this.said.labels[name] ?? name;
  }
}

const nowhere = () => ({ line: 1, column: 1 });
/** Nothing of it is told: without data, every fault is one of what the person said. */
const NO_DATA: PlacedDocument = {
  ...{ file: '', text: '', value: {} },
  ...{ placeOf: nowhere, placeOfKey: nowhere },
};
