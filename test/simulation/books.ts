import type { CreateResult, EnqueueError } from '../../src/core/center.js';
import { RefusedError } from '../../src/core/errors.js';
import type { RowKind, Scenario } from './scenario.js';

/** What the contact center knows of one client. */
export interface Card {
  readonly ids: readonly number[];
  /** How many of its cards the importer made. */
  readonly creations: number;
  readonly applications: number;
}

export interface NewClient {
  readonly uuid: string;
  readonly offerId: number;
}

export const CAMPAIGN = 7;
export const MESSAGES = {
  exists: 'A client with these identifiers exists.',
  refused: 'Field [fullName] is required.',
  poison: 'Something in this request is wrong.',
  already: 'Client already exists',
  blacklisted: 'Client is in blacklist',
  absent: 'No such client',
  broken: 'Internal error.',
} as const;

/** The application breaks down in the middle of a request, and the server around it answers for it. */
export class Breakdown extends Error {
  constructor(
    /** Clients, from the first one, that it deals with nevertheless, sooner or later. */
    readonly done: number,
  ) {
    super(MESSAGES.poison);
  }
}

/** The contact center behind the network: it carries requests out at once and keeps books. */
export interface Books {
  /** 4.1: each client is judged by itself. @throws RefusedError or Breakdown when the request fails whole. */
  create(clients: readonly NewClient[], bytes: number): CreateResult[];
  /** 4.9: resolves with those that were not added. @throws RefusedError or Breakdown when the request fails whole. */
  enqueue(offerIds: readonly number[], bytes: number): EnqueueError[];
  card(offerId: number): Card | undefined;
}

type Rules = Pick<Scenario, 'campaign' | 'refusal' | 'isBare' | 'serverBytes' | 'isNaive'>;

/** `kinds`: what is particular about a client, by its identifier. */
export function createBooks(kinds: ReadonlyMap<number, RowKind>, rules: Rules): Books {
  const cards = new Map<number, Card>();
  let lastId = 1000;
  for (const [offerId, kind] of kinds)
    if (kind === 'existing' && !rules.isNaive)
      cards.set(offerId, { ids: [++lastId], creations: 0, applications: 0 });

  const createOne = ({ uuid, offerId }: NewClient): CreateResult => {
    const card = cards.get(offerId);
    if (card && !rules.isNaive) return { uuid, result: MESSAGES.exists };
    if (kinds.get(offerId) === 'refused') return { uuid, result: MESSAGES.refused };
    const id = ++lastId;
    const { ids = [], creations = 0, applications = 0 } = card ?? {};
    cards.set(offerId, { ids: [...ids, id], creations: creations + 1, applications });
    return { uuid, result: 'Success', createdClientId: id };
  };

  const enqueueOne = (offerId: number): string | undefined => {
    const card = cards.get(offerId);
    const kind = kinds.get(offerId);
    if (!card) return MESSAGES.absent;
    if (kind === 'blacklisted') return MESSAGES.blacklisted;
    if (kind === 'same_phone' && rules.campaign === 'phones_checked') return MESSAGES.already;
    if (card.applications > 0) return MESSAGES.already;
    cards.set(offerId, { ...card, applications: card.applications + 1 });
    return undefined;
  };

  /** With HTTP 500 the clients before the poisonous one stay; the other statuses mean that nothing was done. */
  const whole = <T>(
    offerIds: readonly number[],
    bytes: number,
    poison: RowKind,
    one: (place: number) => T,
  ): T[] => {
    const operation = poison === 'poison' ? 'addClients' : 'addApplications';
    if (bytes > rules.serverBytes) throw new RefusedError(MESSAGES.poison, operation, 413);
    const bad = offerIds.findIndex((offerId) => kinds.get(offerId) === poison);
    if (bad >= 0 && rules.refusal === 500 && rules.isBare) throw new Breakdown(bad);
    const done = bad >= 0 ? (rules.refusal === 500 ? bad : 0) : offerIds.length;
    const results = offerIds.slice(0, done).map((_, place) => one(place));
    if (bad >= 0) throw new RefusedError(MESSAGES.poison, operation, rules.refusal);
    return results;
  };

  return {
    card: (offerId) => cards.get(offerId),
    create: (clients, bytes) =>
      whole(
        clients.map(({ offerId }) => offerId),
        bytes,
        'poison',
        (place) => createOne(clients[place]!),
      ),
    enqueue: (offerIds, bytes) =>
      whole(offerIds, bytes, 'enqueue_poison', (place) => {
        const errorMessage = enqueueOne(offerIds[place]!);
        // A number comes back as text: clients are told by their identifiers, whatever their form.
        return errorMessage === undefined
          ? []
          : [{ clientIdentifiers: { offerId: String(offerIds[place]) }, errorMessage }];
      }).flat(),
  };
}
