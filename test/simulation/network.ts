import type {
  AbsentClient,
  ApplicationState,
  ClientCard,
  ClientChanges,
  CreateResult,
  CenterPort,
  EnqueueError,
} from '../../src/core/client.js';
import {
  NotAuthorizedError,
  NotSentError,
  OutcomeUnknownError,
  RefusedError,
  TryLaterError,
} from '../../src/core/errors.js';
import { type Books, Breakdown, MESSAGES, type NewClient, type Sender } from './books.js';
import type { Life } from './life.js';
import type { Fate, Scenario } from './scenario.js';
import type { Event } from './timeline.js';
import { Counts, type Common } from './world.js';

/** A request as the network saw it leave. */
export interface Request {
  readonly operation: string;
  readonly offerIds: readonly number[];
  /** Of the body; 0 where there is none. */
  readonly bytes: number;
}

/** Whether it only asks. */
export const isReading = ({ operation }: Request): boolean => /^(find|read)/.test(operation);

/** How a request ended for the importer. */
export interface Ending {
  /** `answer`: as the interface has it; `too_large`: refused for its size, as it was told; `error`: anything else. */
  readonly how: 'answer' | 'too_large' | 'error';
  /** The clients of which the answer tells; `null`: several were refused together, which tells of none of them. */
  readonly told: readonly number[] | null;
}

/** The way of one process to the contact center. */
export interface Way extends CenterPort, ClientChanges {
  /** Its process died: what is on its way may still arrive, but not later than `until`. */
  cut(until: number): void;
}

/** The way from importers to the contact center, with everything that can go wrong on it. */
export interface Network {
  wayOf(life: Life, by: Sender): Way;
  /** All processes died. */
  cut(until: number): void;
  /** How many of each operation have left. */
  readonly sent: Counts;
  /** How often each fate befell a request, and what came of it. */
  readonly fates: Counts;
}

interface NetworkWatch {
  /** A request leaves. */
  readonly left?: (request: Request) => void;
  /** The importer has its answer, or has given up. */
  readonly ended?: (request: Request, ending: Ending) => void;
}

type Rules = Pick<Scenario, 'fates' | 'timeoutMs' | 'serverDeadlineMs' | 'latencyMs'> &
  Partial<Pick<Scenario, 'outages' | 'serverBytes'>>;

/** What the contact center does with a request when it arrives, and how its answer can be spoilt. */
interface Work<T> extends Request {
  readonly carryOut: () => T;
  /** Carries out a share of it alone. */
  readonly carryOutSome?: (share: number) => unknown;
  readonly spoil?: (answer: T, fate: OddAnswer) => Spoilt<T>;
}

type OddAnswer = Extract<Fate, { kind: 'odd_answer' }>;

export function createNetwork(
  { timeline, random }: Pick<Common, 'timeline' | 'random'>,
  books: Books,
  rules: Rules,
  watch: NetworkWatch = {},
): Network {
  const sent = new Counts();
  const fates = new Counts();
  const ways: Way[] = [];
  let number = 0;

  const nextFate = (): Fate => {
    const now = timeline.now();
    const outage = rules.outages?.find(({ at, ms }) => now >= at && now < at + ms);
    const fate = outage?.fate ?? rules.fates[number++] ?? { kind: 'fine' };
    fates.add(fate.kind);
    return fate;
  };
  const latency = (): number => 1 + random() * rules.latencyMs;
  const lostMs = (how: 'reset' | 'timeout'): number =>
    how === 'timeout' ? rules.timeoutMs : 2 * (1 + rules.latencyMs);
  /** How long it may take until the contact center is done with a request that was lost after this time. */
  const lateMs = (lost: number, share: number): number =>
    lost + share * (rules.serverDeadlineMs - 1);

  const wayOf = (life: Life, by: Sender): Way => {
    const arriving = new Set<Event>();
    const arrive = (ms: number, happen: () => void): void => {
      const event = timeline.after(ms, () => {
        arriving.delete(event);
        happen();
      });
      arriving.add(event);
    };

    const ask = <T>(work: Work<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        const { operation, offerIds, carryOut, carryOutSome = carryOut } = work;
        const fate = nextFate();
        sent.add(operation);
        watch.left?.(work);
        const answer = (ms: number, settle: () => void, ending: Partial<Ending> = {}): void => {
          timeline.after(ms, () =>
            life.tell(() => {
              watch.ended?.(work, { how: 'error', told: [], ...ending });
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
        /** The server answers for the application, which goes on until the deadline. */
        const breakDown = (share: number, lateShare: number, after = 0): void =>
          arrive(lateMs(after, lateShare), () => {
            fates.add('carried out late');
            unheard(() => carryOutSome(share));
          });
        /** The request arrives and is carried out; then `after` says what comes back. */
        const carry = (ms: number, after?: (answer: T) => void): void =>
          arrive(ms, () => {
            try {
              const result = carryOut();
              after?.(result);
            } catch (error) {
              if (error instanceof Breakdown) {
                fates.add('breakdown');
                breakDown(error.done / offerIds.length, random());
                const { message } = error;
                if (after) refuse(new OutcomeUnknownError(message, operation, 500), 'error');
                return;
              }
              if (!(error instanceof RefusedError)) throw error;
              if (work.bytes > (rules.serverBytes ?? Infinity)) fates.add('too_large');
              if (after) refuse(error, error.status === 413 ? 'too_large' : 'error');
            }
          });
        const carryLate = (lost: number, share: number): void => {
          fates.add('carried out late');
          carry(lateMs(lost, share));
        };

        switch (fate.kind) {
          case 'fine':
            carry(latency(), (result) =>
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
            carry(latency());
            unknown(lostMs(fate.how), 'The connection broke.');
            return;
          case 'late':
            carryLate(lostMs(fate.how), fate.share);
            unknown(lostMs(fate.how), 'No answer in time.');
            return;
          case 'gateway':
          case 'garbage':
            if (fate.processed && fate.lateShare === null) carry(latency());
            else if (fate.processed) carryLate(lostMs('reset'), fate.lateShare ?? 0);
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
              breakDown(fate.done, fate.lateShare, lostMs('reset'));
              unknown(lostMs('reset'), MESSAGES.broken, 500);
              return;
            }
            arrive(latency(), () => unheard(() => carryOutSome(fate.done)));
            answer(lostMs('reset'), () =>
              reject(new RefusedError(MESSAGES.broken, operation, 500)),
            );
            return;
          case 'odd_answer':
            carry(latency(), (result) => {
              const spoilt = work.spoil?.(result, fate) ?? { answer: result, told: offerIds };
              answer(latency(), () => resolve(spoilt.answer), { how: 'answer', told: spoilt.told });
            });
            return;
          case 'unauthorized':
            answer(latency(), () =>
              reject(new NotAuthorizedError('Who are you?', operation, fate.status)),
            );
        }
      });

    /** A reading has no effect, and its answer is right or is none. */
    const read = <T>(
      operation: string,
      identifiers: string,
      look: (client: number) => T,
    ): Promise<T> =>
      life.call(() => {
        const { offerId } = JSON.parse(identifiers) as Identified;
        return ask<T>({
          ...{ operation, offerIds: [offerId], bytes: 0 },
          ...{ carryOut: () => look(offerId), carryOutSome: () => undefined },
        });
      });

    const way: Way = {
      addClients: (body) =>
        life.call(() => {
          const { clients } = parsed(body) as { clients: NewClient[] };
          const bytes = body.length;
          return ask<readonly CreateResult[]>({
            ...{ operation: 'addClients', bytes },
            offerIds: clients.map(({ fields }) => fields.offerId),
            carryOut: () => shuffled(books.create(clients, bytes, by), random),
            carryOutSome: (share) => books.create(someOf(clients, share), 0, by),
            spoil: (results, fate) => spoilCreate(clients, results, fate),
          });
        }),
      addApplications: (campaign, body) =>
        life.call(() => {
          const { clients } = parsed(body) as { clients: { clientIdentifiers: Identified }[] };
          const bytes = body.length;
          const offerIds = clients.map(({ clientIdentifiers }) => clientIdentifiers.offerId);
          return ask<readonly EnqueueError[]>({
            ...{ operation: 'addApplications', offerIds, bytes },
            carryOut: () => shuffled(books.enqueue(offerIds, campaign, bytes, by), random),
            carryOutSome: (share) => books.enqueue(someOf(offerIds, share), campaign, 0, by),
            spoil: (errors, { how }) =>
              how === 'foreign'
                ? { answer: [FOREIGN_ERROR, ...offerIds.map(wrongError)], told: [] }
                : { answer: errors, told: offerIds },
          });
        }),
      change: (change) =>
        life.call(() =>
          // A change is answered by nothing.
          // eslint-disable-next-line @typescript-eslint/no-invalid-void-type
          ask<void>({
            ...{ operation: change.operation, offerIds: [], bytes: change.body.length },
            carryOut: () => books.change(change, by),
            carryOutSome: (share) => share >= 0.5 && books.change(change, by),
          }),
        ),
      findClient: (identifiers) =>
        read('findClient', identifiers, (client) => {
          const card = books.live(client);
          return card ? { id: card.id } : null;
        }),
      findCampaigns: (identifiers) =>
        read('findCampaigns', identifiers, (client) => books.campaignsOf(client)),
      readCard: (identifiers) =>
        read<ClientCard | AbsentClient>('readCard', identifiers, (client) =>
          books.readCard(client),
        ),
      readApplications: (identifiers) =>
        read<ApplicationState[] | AbsentClient>('readApplications', identifiers, (client) =>
          books.readApplications(client),
        ),
      cut: (until) => {
        for (const event of arriving) {
          const latest = timeline.now() + random() * (until - timeline.now());
          if (event.at() >= until || random() < 0.5) event.move(latest);
        }
      },
    };
    ways.push(way);
    return way;
  };

  return { sent, fates, wayOf, cut: (until) => ways.forEach((way) => way.cut(until)) };
}

interface Identified {
  readonly offerId: number;
}

const parsed = (body: Uint8Array): unknown => JSON.parse(Buffer.from(body).toString());

const someOf = <T>(list: readonly T[], share: number): T[] =>
  // A count comes back from its share.
  list.slice(0, Math.floor(share * list.length + 1e-9));

/** The same elements in another order. */
function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((element) => ({ element, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ element }) => element);
}

/** Whoever has lost the answer learns nothing of a refusal either. */
function unheard(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof RefusedError || error instanceof Breakdown)) throw error;
  }
}

/** An answer that is not what it should be, and the clients of which it tells all the same. */
interface Spoilt<T> {
  readonly answer: T;
  readonly told: readonly number[];
}

const FOREIGN_ERROR: EnqueueError = {
  clientIdentifiers: { offerId: 99_999 },
  errorMessage: 'Client is in blacklist',
};

/** What an answer that belongs to another request says of these clients is wrong. */
const wrongError = (offerId: number): EnqueueError => ({
  clientIdentifiers: { offerId },
  errorMessage: 'Another answer.',
});
const wrongResult = ({ uuid }: CreateResult): CreateResult => ({ uuid, result: 'Another answer.' });

function spoilCreate(
  clients: readonly NewClient[],
  results: readonly CreateResult[],
  { how, place }: OddAnswer,
): Spoilt<readonly CreateResult[]> {
  const idsOf = (some: readonly NewClient[]) => some.map(({ fields }) => fields.offerId);
  const all = idsOf(clients);
  const at = place % Math.max(1, results.length);
  const one = results[at];
  if (!one) return { answer: results, told: all };
  const others = idsOf(clients.filter(({ uuid }) => uuid !== one.uuid));
  switch (how) {
    case 'missing':
      return { answer: results.filter((_, place) => place !== at), told: others };
    case 'foreign':
      return { answer: [...results.map(wrongResult), { uuid: 'nobody', result: 'No.' }], told: [] };
    case 'repeated':
      return { answer: [...results, one], told: others };
    case 'contradicting':
      return { answer: [...results, { uuid: one.uuid, result: 'No.' }], told: others };
    case 'without_id':
      return { answer: results.map(({ uuid, result }) => ({ uuid, result })), told: all };
  }
}
