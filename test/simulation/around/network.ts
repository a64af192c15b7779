import type {
  AbsentClient,
  ApplicationState,
  Change,
  ClientCard,
  ClientChanges,
  CreateResult,
  CenterPort,
  EnqueueError,
} from '../../../src/core/center.js';
import {
  NotSentError,
  OutcomeUnknownError,
  RefusedError,
  TryLaterError,
} from '../../../src/core/errors.js';
import type { Life } from '../life.js';
import type { Event, Timeline } from '../timeline.js';
import type { Books, NewClient, Sender } from './books.js';
import type { Fate, Story } from './story.js';

/** The way of one process to the contact center. */
export interface Way extends CenterPort, ClientChanges {
  /** Its process died: what is on its way may still arrive, within the deadline. */
  cut(): void;
}

export interface Network {
  wayOf(life: Life, by: Sender): Way;
  /** Requests that have left. */
  readonly sent: { count: number };
  /** How often each fate befell a request, and how often one was carried out after its answer was lost. */
  readonly fates: Map<string, number>;
}

type Rules = Pick<Story, 'fates' | 'timeoutMs' | 'deadlineMs' | 'latencyMs'>;

/** What the contact center does with a request, whole or with a share of its clients. */
interface Work<T> {
  readonly operation: string;
  readonly carryOut: () => T;
  readonly carryOutSome?: ((share: number) => unknown) | undefined;
}

const LATE = 'carried out late';

export function createNetwork(
  timeline: Timeline,
  books: Books,
  rules: Rules,
  random: () => number,
): Network {
  const fates = new Map<string, number>();
  const sent = { count: 0 };
  const note = (what: string): void => {
    fates.set(what, (fates.get(what) ?? 0) + 1);
  };
  const nextFate = (): Fate => {
    const fate = rules.fates[sent.count++] ?? { kind: 'fine' };
    note(fate.kind);
    return fate;
  };
  const latency = (): number => 1 + random() * rules.latencyMs;
  /** Within the deadline that the documentation names, from the moment at which the answer was lost. */
  const late = (share: number): number => share * (rules.deadlineMs - 1);

  const wayOf = (life: Life, by: Sender): Way => {
    const arriving = new Set<Event>();

    const ask = <T>({ operation, carryOut, carryOutSome = carryOut }: Work<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        const fate = nextFate();
        const answer = (ms: number, settle: () => void): void => {
          timeline.after(ms, () => life.tell(settle));
        };
        const arrive = (ms: number, happen: () => unknown): void => {
          const event = timeline.after(ms, () => {
            arriving.delete(event);
            happen();
          });
          arriving.add(event);
        };
        const fail = (ms: number, error: Error): void => answer(ms, () => reject(error));
        const lost = (ms: number, message: string, status?: number): void =>
          fail(ms, new OutcomeUnknownError(message, operation, status));
        const lostMs = (how: 'reset' | 'timeout'): number =>
          how === 'timeout' ? rules.timeoutMs : 2 * (1 + rules.latencyMs);
        const arriveLate = (ms: number, share: number, happen: () => unknown): void =>
          arrive(ms + late(share), () => {
            note(LATE);
            unheard(happen);
          });

        switch (fate.kind) {
          case 'fine':
            arrive(latency(), () => {
              try {
                const result = carryOut();
                answer(latency(), () => resolve(result));
              } catch (error) {
                if (!(error instanceof RefusedError)) throw error;
                fail(latency(), error);
              }
            });
            return;
          case 'not_sent':
            fail(latency(), new NotSentError('It refuses connections.', operation));
            return;
          case 'busy':
            fail(latency(), new TryLaterError('It is busy.', operation, 503));
            return;
          case 'lost_request':
            lost(lostMs(fate.how), 'The connection broke.');
            return;
          case 'lost_answer':
            arrive(latency(), () => unheard(carryOut));
            lost(lostMs(fate.how), 'The connection broke.');
            return;
          case 'late':
            arriveLate(lostMs(fate.how), fate.lateShare, carryOut);
            lost(lostMs(fate.how), 'No answer in time.');
            return;
          case 'gateway':
          case 'garbage':
            if (fate.lateShare !== null) arriveLate(lostMs('reset'), fate.lateShare, carryOut);
            lost(lostMs('reset'), fate.kind, fate.kind === 'gateway' ? 502 : 200);
            return;
          case 'server_error':
            if (fate.isBare) {
              arriveLate(lostMs('reset'), fate.lateShare, () => carryOutSome(fate.done));
              lost(lostMs('reset'), 'HTTP 500', 500);
              return;
            }
            arrive(latency(), () => unheard(() => carryOutSome(fate.done)));
            fail(lostMs('reset'), new RefusedError('Internal error.', operation, 500));
        }
      });

    const addClients = (body: Uint8Array): Promise<readonly CreateResult[]> => {
      const { clients } = parsed(body) as { clients: NewClient[] };
      const at = timeline.now();
      return ask({
        operation: 'addClients',
        carryOut: () => books.create(clients, by, at),
        carryOutSome: (share) => books.create(someOf(clients, share), by, at),
      });
    };
    const addApplications = (id: number, body: Uint8Array): Promise<readonly EnqueueError[]> => {
      const { clients } = parsed(body) as { clients: { clientIdentifiers: Identified }[] };
      const named = clients.map(({ clientIdentifiers }) => clientIdentifiers.offerId);
      const at = timeline.now();
      return ask({
        operation: 'addApplications',
        carryOut: () => books.enqueue(named, id, by, at),
        carryOutSome: (share) => books.enqueue(someOf(named, share), id, by, at),
      });
    };
    const change = (asked: Change): Promise<void> => {
      const at = timeline.now();
      const carryOut = (): void => {
        books.change(asked, by, at);
      };
      const carryOutSome = (share: number): void => {
        if (share >= 0.5) carryOut();
      };
      return ask({ operation: asked.operation, carryOut, carryOutSome });
    };
    const read = <T>(operation: string, identifiers: string, look: (client: number) => T) => {
      const { offerId } = JSON.parse(identifiers) as Identified;
      return ask<T>({ operation, carryOut: () => look(offerId) });
    };

    return {
      addClients: (body) => life.call(() => addClients(body)),
      addApplications: (id, body) => life.call(() => addApplications(id, body)),
      findClient: (identifiers) =>
        life.call(() =>
          read('findClient', identifiers, (client) => {
            const card = books.live(client);
            return card ? { id: card.id } : null;
          }),
        ),
      findCampaigns: (identifiers) =>
        life.call(() =>
          read('findCampaigns', identifiers, (client) => [
            ...(books.live(client)?.campaigns ?? []),
          ]),
        ),
      change: (asked) => life.call(() => change(asked)),
      readCard: (identifiers) =>
        life.call(() =>
          read<ClientCard | AbsentClient>('readCard', identifiers, (client) =>
            books.readCard(client),
          ),
        ),
      readApplications: (identifiers) =>
        life.call(() =>
          read<ApplicationState[] | AbsentClient>('readApplications', identifiers, (client) =>
            books.readApplications(client),
          ),
        ),
      cut: () => {
        for (const event of arriving) {
          const until = timeline.now() + late(random());
          if (event.at() > timeline.now() + late(1)) event.move(until);
        }
      },
    };
  };

  return { sent, fates, wayOf };
}

interface Identified {
  readonly offerId: number;
}

const parsed = (body: Uint8Array): unknown => JSON.parse(Buffer.from(body).toString());

const someOf = <T>(list: readonly T[], share: number): T[] =>
  list.slice(0, Math.floor(share * list.length));

/** Whoever has lost the answer learns nothing of a refusal either. */
function unheard(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
  }
}
