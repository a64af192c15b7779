import type {
  AbsentClient,
  ApplicationState,
  Change,
  ClientCard,
  CreateResult,
  EnqueueError,
} from '../../../src/core/center.js';
import { RefusedError } from '../../../src/core/errors.js';

/** Whoever sent a request. */
export interface Sender {
  readonly run: string;
  /** Whether the person wanted everything to be sent anew. */
  readonly again: boolean;
}

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

export interface Callback {
  readonly client: number;
  readonly callAt: string;
  readonly by: Sender;
}

/** Something that a request changed. */
export interface Effect {
  readonly run: string;
  readonly client: number;
  readonly operation: string;
  /** When its request was sent, in virtual milliseconds. */
  readonly sentAt: number;
}

/** What the contact center's books permit and how they begin. */
export interface Rules {
  readonly isNaive: boolean;
  readonly blacklist: ReadonlySet<number>;
  readonly cards: readonly Card[];
  /** Whether another run may make a card where this one has made one. */
  readonly isExcused: (run: string, by: string) => boolean;
  /** Told of what must never happen. */
  readonly violated: (what: string) => void;
}

export const REFUSED = 'Field [fullName] is required.';
export const EXISTS = 'A client with these identifiers exists.';
export const NO_CLIENT = 'No such client';
const ALREADY = 'Client already exists';
const BLACKLISTED = 'Client is in blacklist';
const NOT_IN_CAMPAIGN = 'Client not found in campaign';
const NOT_FOUND = 404;
const INVALID = 400;

export interface NewClient {
  readonly uuid: string;
  readonly fields: { readonly offerId: number; readonly name: string; readonly bad?: boolean };
  readonly phones: readonly { readonly phoneNumber: string }[];
}

/** The contact center: it carries out what reaches it, and keeps books of what each run did. */
export class Books {
  readonly effects: Effect[] = [];
  readonly callbacks: Callback[] = [];
  readonly cards: Card[];
  private lastId = 9000;

  constructor(private readonly rules: Rules) {
    this.cards = [...rules.cards];
  }

  /** The latest card of a client that is not deleted. */
  live(client: number): Card | undefined {
    return this.cards.findLast((card) => card.client === client && !card.isDeleted);
  }

  /** Runs that did something with a client, in their order. */
  effectsOn(client: number): Effect[] {
    return this.effects.filter((effect) => effect.client === client);
  }

  create(clients: readonly NewClient[], by: Sender, sentAt: number): CreateResult[] {
    return clients.map((client) => this.createOne(client, by, sentAt));
  }

  private createOne({ uuid, fields, phones }: NewClient, by: Sender, sentAt: number): CreateResult {
    const { offerId: client, name, bad } = fields;
    const card = this.live(client);
    if (card && !this.rules.isNaive) return { uuid, result: EXISTS };
    if (bad) return { uuid, result: REFUSED };
    if (card?.madeBy && !by.again && !this.rules.isExcused(card.madeBy, by.run))
      this.rules.violated(`client ${client} is created twice: by ${card.madeBy} and ${by.run}`);
    const id = ++this.lastId;
    this.cards.push({
      ...{ id, client, name, madeBy: by.run, isDeleted: false, campaigns: new Set() },
      phones: new Map(phones.map(({ phoneNumber }) => [phoneNumber, true])),
    });
    this.note(by, client, 'create', sentAt);
    return { uuid, result: 'Success', createdClientId: id };
  }

  enqueue(
    clients: readonly number[],
    campaign: number,
    by: Sender,
    sentAt: number,
  ): EnqueueError[] {
    return clients.flatMap((client) => {
      const card = this.live(client);
      const refuse = (errorMessage: string): EnqueueError[] => [
        { clientIdentifiers: { offerId: client }, errorMessage },
      ];
      if (!card) return refuse(NO_CLIENT);
      if (this.rules.blacklist.has(client)) return refuse(BLACKLISTED);
      if (card.campaigns.has(campaign)) return refuse(ALREADY);
      card.campaigns.add(campaign);
      this.note(by, client, 'enqueue', sentAt);
      return [];
    });
  }

  /** @throws RefusedError */
  change({ operation, params, body }: Change, by: Sender, sentAt: number): void {
    const request = JSON.parse(body) as ChangeBody;
    if (operation === 'changeSyncIdentifiers') {
      this.rekey(params && 'clientId' in params ? params.clientId : 0, request, by, sentAt);
      return;
    }
    const client = clientOf(request);
    const card = this.needed(client, operation);
    this.changeCard(
      card,
      operation,
      request,
      by,
      params && 'campaignId' in params ? params.campaignId : 0,
    );
    this.note(by, client, operation, sentAt);
  }

  private changeCard(
    card: Card,
    operation: Change['operation'],
    request: ChangeBody,
    by: Sender,
    campaign: number,
  ): void {
    const { fieldsToUpdate: fields = {}, phoneNumber = '', active = false } = request;
    switch (operation) {
      case 'changeClient':
        if (fields.bad === true) throw new RefusedError(REFUSED, operation, INVALID);
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
        if (!card.campaigns.delete(campaign))
          throw new RefusedError(NOT_IN_CAMPAIGN, operation, NOT_FOUND);
        return;
      case 'createCallback':
        this.callBack(card, request, by);
        return;
      default:
        throw new Error(`${operation} is not simulated.`);
    }
  }

  private callBack({ client, campaigns }: Card, request: ChangeBody, by: Sender): void {
    const { callAt = '', campaignId = 0 } = request;
    if (!campaigns.has(campaignId))
      throw new RefusedError(NOT_IN_CAMPAIGN, 'createCallback', NOT_FOUND);
    const there = this.callbacks.find((one) => one.client === client && one.callAt === callAt);
    // A person asked for both where either run is a repeat on purpose: the first one's may come late.
    if (there && !by.again && !there.by.again)
      this.rules.violated(`the callback of client ${client} for ${callAt} is created twice`);
    this.callbacks.push({ client, callAt, by });
  }

  private rekey(id: number, request: ChangeBody, by: Sender, sentAt: number): void {
    const card = this.cards.find((one) => one.id === id && !one.isDeleted);
    if (!card) throw absent(`id=${id}`, 'changeSyncIdentifiers');
    card.client = clientOf(request);
    this.note(by, card.client, 'rekey', sentAt);
  }

  /** @throws RefusedError */
  private needed(client: number, operation: string): Card {
    const card = this.live(client);
    if (!card) throw absent(String(client), operation);
    return card;
  }

  readCard(client: number): ClientCard | AbsentClient {
    const card = this.live(client);
    if (!card) return { absent: absentWords(String(client)) };
    return { id: card.id, fields: { id: card.id, offerId: client, name: card.name } };
  }

  readApplications(client: number): ApplicationState[] | AbsentClient {
    const card = this.live(client);
    if (!card) return { absent: absentWords(String(client)) };
    const hasRecall = this.callbacks.some((one) => one.client === client);
    return [...card.campaigns].map((campaignId) => ({
      ...{ campaignId, hasRecall, status: 'NONE', calledCount: 0, nextCall: null },
    }));
  }

  private note({ run }: Sender, client: number, operation: string, sentAt: number): void {
    this.effects.push({ run, client, operation, sentAt });
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
