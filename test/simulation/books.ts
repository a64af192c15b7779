import type {
  AbsentClient,
  ApplicationState,
  Change,
  ClientCard,
  CreateResult,
  EnqueueError,
} from '../../src/core/client.js';
import { RefusedError } from '../../src/core/errors.js';

/** Whoever sent a request. */
export interface Sender {
  readonly run: string;
  /** Whether the person wanted everything to be sent anew. */
  readonly again: boolean;
}

/** The one run of simulations that have no other. */
export const SIMULATED: Sender = { run: 'simulated', again: false };

/** A client's card. */
export interface Card {
  readonly id: number;
  /** Its identifier. */
  client: number;
  /** The run that made it; `null`: it was there before the story. */
  readonly madeBy: string | null;
  isDeleted: boolean;
  name: string;
  /** Phones, and whether they are active. */
  readonly phones: Map<string, boolean>;
  /** Campaigns in which it is. */
  readonly campaigns: Set<number>;
}

interface Callback {
  readonly client: number;
  readonly callAt: string;
  readonly by: Sender;
}

/** Something that a request changed. */
interface Effect {
  readonly run: string;
  readonly client: number;
  readonly operation: string;
}

export interface NewClient {
  readonly uuid: string;
  readonly fields: { readonly offerId: number; readonly name?: string; readonly bad?: boolean };
  readonly phones?: readonly { readonly phoneNumber: string }[];
}

/** Requests that are refused whole: larger than the server takes, or with a client that makes the application fail. */
interface WholeRefusals {
  readonly serverBytes: number;
  readonly isPoison: (operation: Sending, client: number) => boolean;
  /** Status of such a request. */
  readonly refusal: 400 | 413 | 422 | 500;
  /** Whether a 500 comes from the server around the application, which may still be at work. */
  readonly isBare: boolean;
}
type Sending = 'addClients' | 'addApplications';

/** What the contact center's books permit and how they begin. */
export interface Rules {
  /** Whether a second card of the same identifiers is made instead of refused. */
  readonly isNaive: boolean;
  readonly cards?: readonly Card[];
  /** Whether no card of the client is made. */
  readonly refuses?: (client: number) => boolean;
  /** Whether a client is in a call, so that it cannot be removed from a campaign. */
  readonly isCalled?: (client: number) => boolean;
  /** Why a client is not put into a campaign. */
  readonly bars?: (client: number) => string | undefined;
  readonly whole?: WholeRefusals;
  /** Whether another run may make a card where this one has made one. */
  readonly isExcused?: (run: string, by: string) => boolean;
  /** Told of what must never happen. */
  readonly violated: (what: string) => void;
}

export const CAMPAIGN = 7;
/** Every client is in it; no run knows of it. */
const FOREIGN_CAMPAIGN = 99;
export const MESSAGES = {
  exists: 'A client with these identifiers exists.',
  refused: 'Field [fullName] is required.',
  poison: 'Something in this request is wrong.',
  already: 'Client already exists',
  blacklisted: 'Client is in blacklist',
  absent: 'No such client',
  notInCampaign: 'Client not found in campaign',
  called: 'The client is in a call.',
  broken: 'Internal error.',
} as const;
const NOT_FOUND = 404;
const INVALID = 400;

/** The application breaks down in the middle of a request, and the server around it answers for it. */
export class Breakdown extends Error {
  constructor(
    /** Clients, from the first one, that it deals with nevertheless, sooner or later. */
    readonly done: number,
  ) {
    super(MESSAGES.poison);
  }
}

/** The contact center behind the network: it carries out what reaches it, and keeps books of what each run did. */
export class Books {
  readonly effects: Effect[] = [];
  readonly callbacks: Callback[] = [];
  readonly cards: Card[];
  #lastId = 9000;

  constructor(private readonly rules: Rules) {
    this.cards = [...(rules.cards ?? [])];
  }

  /** The latest card of a client that is not deleted. */
  live(client: number): Card | undefined {
    return this.cards.findLast((card) => card.client === client && !card.isDeleted);
  }

  /** What runs did with a client, in their order. */
  effectsOn(client: number): Effect[] {
    return this.effects.filter((effect) => effect.client === client);
  }

  /** 4.1: each client is judged by itself. @throws RefusedError or Breakdown when the request fails whole. */
  create(clients: readonly NewClient[], bytes: number, by: Sender): CreateResult[] {
    const named = clients.map(({ fields }) => fields.offerId);
    return this.#whole('addClients', named, bytes, (place) => this.#createOne(clients[place]!, by));
  }

  #createOne({ uuid, fields, phones = [] }: NewClient, by: Sender): CreateResult {
    const { offerId: client, name = '', bad = false } = fields;
    const card = this.live(client);
    const { isNaive, refuses, isExcused, violated } = this.rules;
    if (card && !isNaive) return { uuid, result: MESSAGES.exists };
    if (bad || refuses?.(client)) return { uuid, result: MESSAGES.refused };
    if (card?.madeBy && !by.again && !isExcused?.(card.madeBy, by.run))
      violated(`client ${client} is created twice: by ${card.madeBy} and ${by.run}`);
    const id = ++this.#lastId;
    this.cards.push({
      ...{ id, client, name, madeBy: by.run, isDeleted: false, campaigns: new Set() },
      phones: new Map(phones.map(({ phoneNumber }) => [phoneNumber, true])),
    });
    this.#note(by, client, 'create');
    return { uuid, result: 'Success', createdClientId: id };
  }

  /** 4.9: gives those that were not added. @throws RefusedError or Breakdown when the request fails whole. */
  enqueue(clients: readonly number[], campaign: number, bytes: number, by: Sender): EnqueueError[] {
    return this.#whole('addApplications', clients, bytes, (place) => {
      const client = clients[place]!;
      const errorMessage = this.#enqueueOne(client, campaign, by);
      // A number comes back as text: clients are told by their identifiers, whatever their form.
      const clientIdentifiers = { offerId: String(client) };
      return errorMessage === undefined ? [] : [{ clientIdentifiers, errorMessage }];
    }).flat();
  }

  #enqueueOne(client: number, campaign: number, by: Sender): string | undefined {
    const card = this.live(client);
    if (!card) return MESSAGES.absent;
    const bar = this.rules.bars?.(client);
    if (bar !== undefined) return bar;
    if (card.campaigns.has(campaign)) return MESSAGES.already;
    card.campaigns.add(campaign);
    this.#note(by, client, 'enqueue');
    return undefined;
  }

  /** With HTTP 500 the clients before the poisonous one stay; the other statuses mean that nothing was done. */
  #whole<T>(
    operation: Sending,
    clients: readonly number[],
    bytes: number,
    one: (place: number) => T,
  ): T[] {
    const { whole } = this.rules;
    if (whole && bytes > whole.serverBytes) throw new RefusedError(MESSAGES.poison, operation, 413);
    const bad = clients.findIndex((client) => whole?.isPoison(operation, client));
    if (!whole || bad < 0) return clients.map((_, place) => one(place));
    const { refusal, isBare } = whole;
    if (refusal === 500 && isBare) throw new Breakdown(bad);
    if (refusal === 500) for (let place = 0; place < bad; place++) one(place);
    throw new RefusedError(MESSAGES.poison, operation, refusal);
  }

  /** @throws RefusedError */
  change({ operation, params, body }: Change, by: Sender): void {
    const request = JSON.parse(body) as ChangeBody;
    if (operation === 'changeSyncIdentifiers') {
      const id = params && 'clientId' in params ? params.clientId : 0;
      const card = this.cards.find((one) => one.id === id && !one.isDeleted);
      if (!card) throw absent(`id=${id}`, operation);
      card.client = clientOf(request);
      this.#note(by, card.client, 'rekey');
      return;
    }
    const client = clientOf(request);
    const card = this.live(client);
    if (!card) throw absent(String(client), operation);
    const campaign = params && 'campaignId' in params ? params.campaignId : 0;
    this.#changeCard(card, operation, request, by, campaign);
    this.#note(by, client, operation);
  }

  #changeCard(
    card: Card,
    operation: Change['operation'],
    request: ChangeBody,
    by: Sender,
    campaign: number,
  ): void {
    const { fieldsToUpdate: fields = {}, phoneNumber = '', active = false } = request;
    switch (operation) {
      case 'changeClient':
        if (fields.bad === true) throw new RefusedError(MESSAGES.refused, operation, INVALID);
        card.name = fields.name ?? '';
        return;
      case 'addPhone':
        if (card.phones.has(phoneNumber))
          throw new RefusedError('Phone already exists on the client card', operation, 409);
        card.phones.set(phoneNumber, true);
        return;
      case 'setPhoneStatus':
        card.phones.set(phoneNumber, active);
        return;
      case 'deleteClient':
        card.isDeleted = true;
        return;
      case 'removeApplication':
        if (this.rules.isCalled?.(card.client))
          throw new RefusedError(MESSAGES.called, operation, INVALID);
        if (!card.campaigns.delete(campaign))
          throw new RefusedError(MESSAGES.notInCampaign, operation, NOT_FOUND);
        return;
      case 'createCallback':
        this.#callBack(card, request, by);
        return;
      default:
        throw new Error(`${operation} is not simulated.`);
    }
  }

  #callBack({ client, campaigns }: Card, request: ChangeBody, by: Sender): void {
    const { callAt = '', campaignId = 0 } = request;
    if (!campaigns.has(campaignId))
      throw new RefusedError(MESSAGES.notInCampaign, 'createCallback', NOT_FOUND);
    const there = this.callbacks.find((one) => one.client === client && one.callAt === callAt);
    // A person asked for both where either run is a repeat on purpose: the first one's may come late.
    if (there && !by.again && !there.by.again)
      this.rules.violated(`the callback of client ${client} for ${callAt} is created twice`);
    this.callbacks.push({ client, callAt, by });
  }

  readCard(client: number): ClientCard | AbsentClient {
    const card = this.live(client);
    if (!card) return { absent: absentWords(String(client)) };
    return { id: card.id, fields: { id: card.id, offerId: client, name: card.name } };
  }

  campaignsOf(client: number): number[] {
    return [FOREIGN_CAMPAIGN, ...(this.live(client)?.campaigns ?? [])];
  }

  readApplications(client: number): ApplicationState[] | AbsentClient {
    const card = this.live(client);
    if (!card) return { absent: absentWords(String(client)) };
    const hasRecall = this.callbacks.some((one) => one.client === client);
    return [...card.campaigns].map((campaignId) => ({
      ...{ campaignId, hasRecall, status: 'NONE', calledCount: 0, nextCall: null },
    }));
  }

  #note({ run }: Sender, client: number, operation: string): void {
    this.effects.push({ run, client, operation });
  }
}

interface Identified {
  readonly offerId: number;
}

/** Bodies of the operations that change one client. */
interface ChangeBody {
  readonly syncIdentifiers?: Identified;
  readonly clientSyncIdentifiers?: Identified;
  readonly clientIdentifiers?: Identified;
  readonly fieldsToUpdate?: { readonly name?: string; readonly bad?: boolean };
  readonly phoneNumber?: string;
  readonly active?: boolean;
  readonly callAt?: string;
  readonly campaignId?: number;
}

function clientOf(body: ChangeBody): number {
  const found = body.syncIdentifiers ?? body.clientSyncIdentifiers ?? body.clientIdentifiers;
  return Number(found?.offerId);
}

const absentWords = (who: string): string => `No clients with identifiers: [${who}]`;

function absent(who: string, operation: string): RefusedError {
  return new RefusedError(absentWords(who), operation, NOT_FOUND);
}
