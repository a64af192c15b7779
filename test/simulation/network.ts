import type { CreateResult, CenterPort, EnqueueError } from '../../src/core/center.js';
import {
  NotAuthorizedError,
  NotSentError,
  OutcomeUnknownError,
  RefusedError,
  TryLaterError,
} from '../../src/core/errors.js';
import { type Books, Breakdown, CAMPAIGN, MESSAGES, type NewClient } from './books.js';
import type { Life } from './life.js';
import { shuffled } from './random.js';
import { FOREIGN_ERROR, type Spoilt, spoilCreate, wrongError } from './spoil.js';
import type { Fate, Scenario } from './scenario.js';
import type { Event, Timeline } from './timeline.js';

export type Operation = 'addClients' | 'addApplications' | 'findClient' | 'findCampaigns';

/** A request as the network saw it leave. */
export interface Request {
  readonly operation: Operation;
  readonly offerIds: readonly number[];
  /** Of the body; 0 where there is none. */
  readonly bytes: number;
}

/** How a request ended for the importer. */
export interface Ending {
  /** `answer`: as the interface has it; `too_large`: refused for its size, as it was told; `error`: anything else. */
  readonly how: 'answer' | 'too_large' | 'error';
  /** The clients of which the answer tells; `null`: several were refused together, which tells of none of them. */
  readonly told: readonly number[] | null;
}

/** The way from the importer to the contact center, with everything that can go wrong on it. */
export interface Network {
  deliveryOf(life: Life): CenterPort;
  /** The process died: what is on its way may still arrive, but not later than `until`. */
  cut(until: number): void;
  /** How many of each operation have left. */
  readonly counts: Record<Operation, number>;
  /** How often a body was larger than the contact center takes, and how often its application broke down. */
  readonly refusals: Record<'too_large' | 'breakdown', number>;
  /** How often each fate befell a request. */
  readonly fates: Map<string, number>;
}

export interface NetworkWatch {
  /** A request leaves. */
  left(request: Request): void;
  /** The importer has its answer, or has given up. */
  ended(request: Request, ending: Ending): void;
}

type Rules = Pick<
  Scenario,
  'fates' | 'outages' | 'timeoutMs' | 'serverDeadlineMs' | 'latencyMs' | 'serverBytes'
>;

/** What the contact center does with a request when it arrives, and how its answer can be spoilt. */
interface Work<T> extends Request {
  readonly carryOut: () => T;
  /** Carries out the first so many clients alone. */
  readonly carryOutSome: (count: number) => void;
  readonly spoil: (answer: T, fate: Extract<Fate, { kind: 'odd_answer' }>) => Spoilt<T>;
}

export function createNetwork(
  timeline: Timeline,
  books: Books,
  rules: Rules,
  random: () => number,
  watch: NetworkWatch,
): Network {
  const counts = { addClients: 0, addApplications: 0, findClient: 0, findCampaigns: 0 };
  const refusals = { too_large: 0, breakdown: 0 };
  const fates = new Map<string, number>();
  const arriving = new Set<Event>();
  let sent = 0;

  const nextFate = (): Fate => {
    const now = timeline.now();
    const outage = rules.outages.find(({ at, ms }) => now >= at && now < at + ms);
    const fate = outage?.fate ?? rules.fates[sent++] ?? { kind: 'fine' };
    fates.set(fate.kind, (fates.get(fate.kind) ?? 0) + 1);
    return fate;
  };
  const latency = (): number => 1 + random() * rules.latencyMs;

  const arrive = (ms: number, happen: () => void): void => {
    const event = timeline.after(ms, () => {
      arriving.delete(event);
      happen();
    });
    arriving.add(event);
  };

  const ask = <T>(life: Life, work: Work<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const { operation, offerIds } = work;
      const fate = nextFate();
      counts[operation]++;
      watch.left(work);
      const answer = (ms: number, settle: () => void, ending: Partial<Ending> = {}): void => {
        timeline.after(ms, () =>
          life.tell(() => {
            watch.ended(work, { how: 'error', told: [], ...ending });
            settle();
          }),
        );
      };
      const unknown = (ms: number, message: string, status?: number): void =>
        answer(ms, () => reject(new OutcomeUnknownError(message, operation, status)));
      /** The request as a whole has failed, which tells something of its client only where it has but one. */
      const refuse = (error: Error, how: Ending['how']): void =>
        answer(latency(), () => reject(error), {
          how,
          told: offerIds.length > 1 ? null : offerIds,
        });
      /** How long it may take until the contact center is done with a request that was lost after this time. */
      const lateMs = (lost: number, share: number): number =>
        lost + share * (rules.serverDeadlineMs - 1);
      /** The server answers for the application, which goes on until the deadline. */
      const breakDown = (done: number, lateShare: number, after = 0): void =>
        arrive(lateMs(after, lateShare), () => work.carryOutSome(done));
      /** The request arrives and is carried out; then `after` says what comes back. */
      const carryOut = (ms: number, after?: (answer: T) => void): void => {
        arrive(ms, () => {
          try {
            const result = work.carryOut();
            after?.(result);
          } catch (error) {
            if (error instanceof Breakdown) {
              refusals.breakdown++;
              breakDown(error.done, random());
              const { message } = error;
              if (after) refuse(new OutcomeUnknownError(message, operation, 500), 'error');
              return;
            }
            if (!(error instanceof RefusedError)) throw error;
            if (work.bytes > rules.serverBytes) refusals.too_large++;
            if (after) refuse(error, error.status === 413 ? 'too_large' : 'error');
          }
        });
      };
      const lostMs = (how: 'reset' | 'timeout'): number =>
        how === 'timeout' ? rules.timeoutMs : 2 * (1 + rules.latencyMs);

      switch (fate.kind) {
        case 'fine':
          carryOut(latency(), (result) =>
            answer(latency(), () => resolve(result), { how: 'answer', told: offerIds }),
          );
          return;
        case 'not_sent':
          answer(latency(), () => reject(new NotSentError('It refuses connections.', operation)));
          return;
        case 'lost_request':
          unknown(lostMs(fate.how), 'The connection broke.');
          return;
        case 'lost_answer':
          carryOut(latency());
          unknown(lostMs(fate.how), 'The connection broke.');
          return;
        case 'late':
          carryOut(lateMs(lostMs(fate.how), fate.share));
          unknown(lostMs(fate.how), 'No answer in time.');
          return;
        case 'gateway':
        case 'garbage':
          if (fate.processed)
            carryOut(fate.lateShare === null ? latency() : lateMs(lostMs('reset'), fate.lateShare));
          unknown(lostMs('reset'), fate.kind, fate.kind === 'gateway' ? 502 : 200);
          return;
        case 'busy': {
          const after = fate.afterMs ?? undefined;
          answer(latency(), () =>
            reject(new TryLaterError('It is busy.', operation, fate.status, after)),
          );
          return;
        }
        case 'server_error':
          if (fate.lateShare !== null) {
            unknown(lostMs('reset'), MESSAGES.broken, 500);
            breakDown(Math.floor(fate.done * offerIds.length), fate.lateShare, lostMs('reset'));
            return;
          }
          arrive(latency(), () => work.carryOutSome(Math.floor(fate.done * offerIds.length)));
          answer(lostMs('reset'), () => reject(new RefusedError(MESSAGES.broken, operation, 500)));
          return;
        case 'odd_answer':
          carryOut(latency(), (result) => {
            const spoilt = work.spoil(result, fate);
            answer(latency(), () => resolve(spoilt.answer), { how: 'answer', told: spoilt.told });
          });
          return;
        case 'unauthorized':
          answer(latency(), () =>
            reject(new NotAuthorizedError('Who are you?', operation, fate.status)),
          );
      }
    });

  const addClients = (life: Life, body: Uint8Array): Promise<readonly CreateResult[]> => {
    const clients = newClientsOf(body);
    const offerIds = clients.map(({ offerId }) => offerId);
    return ask<readonly CreateResult[]>(life, {
      operation: 'addClients',
      offerIds,
      bytes: body.length,
      carryOut: () => shuffled(books.create(clients, body.length), random),
      carryOutSome: (count) => attempt(() => books.create(clients.slice(0, count), 0)),
      spoil: (results, { how, place }) => spoilCreate(clients, results, how, place),
    });
  };

  const addApplications = (
    life: Life,
    campaign: number,
    body: Uint8Array,
  ): Promise<readonly EnqueueError[]> => {
    if (campaign !== CAMPAIGN) throw new Error(`Campaign ${campaign} is not the run's.`);
    const offerIds = enqueuedOf(body);
    return ask<readonly EnqueueError[]>(life, {
      operation: 'addApplications',
      offerIds,
      bytes: body.length,
      carryOut: () => shuffled(books.enqueue(offerIds, body.length), random),
      carryOutSome: (count) => attempt(() => books.enqueue(offerIds.slice(0, count), 0)),
      spoil: (errors, { how }) =>
        how === 'foreign'
          ? { answer: [FOREIGN_ERROR, ...offerIds.map(wrongError)], told: [] }
          : { answer: errors, told: offerIds },
    });
  };

  /** A reading has no effect, and its answer is right or is none. */
  const read = <T>(
    life: Life,
    operation: Operation,
    identifiers: string,
    look: (offerId: number) => T,
  ): Promise<T> => {
    const { offerId } = JSON.parse(identifiers) as { offerId: number };
    return ask<T>(life, {
      operation,
      offerIds: [offerId],
      bytes: 0,
      carryOut: () => look(offerId),
      carryOutSome: () => undefined,
      spoil: (answer) => ({ answer, told: [offerId] }),
    });
  };

  return {
    counts,
    refusals,
    fates,
    cut: (until) => {
      for (const event of arriving) {
        const latest = timeline.now() + random() * (until - timeline.now());
        if (event.at() >= until || random() < 0.5) event.move(latest);
      }
    },
    deliveryOf: (life) => ({
      addClients: (body) => life.call(() => addClients(life, body)),
      addApplications: (campaign, body) => life.call(() => addApplications(life, campaign, body)),
      findClient: (identifiers) =>
        life.call(() =>
          read(life, 'findClient', identifiers, (offerId) => {
            const card = books.card(offerId);
            return card ? { id: card.ids[0] ?? null } : null;
          }),
        ),
      findCampaigns: (identifiers) =>
        life.call(() =>
          read(life, 'findCampaigns', identifiers, (offerId) =>
            books.card(offerId)?.applications ? [CAMPAIGN + 1, CAMPAIGN] : [CAMPAIGN + 1],
          ),
        ),
    }),
  };
}

function newClientsOf(body: Uint8Array): NewClient[] {
  const { clients } = JSON.parse(Buffer.from(body).toString()) as {
    clients: { uuid: string; fields: { offerId: number } }[];
  };
  return clients.map(({ uuid, fields }) => ({ uuid, offerId: fields.offerId }));
}

function enqueuedOf(body: Uint8Array): number[] {
  const { clients } = JSON.parse(Buffer.from(body).toString()) as {
    clients: { clientIdentifiers: { offerId: number } }[];
  };
  return clients.map(({ clientIdentifiers }) => clientIdentifiers.offerId);
}

/** Whoever is not told of such a request learns nothing of its refusal either. */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
  }
}
