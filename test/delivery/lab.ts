import type { ClientChanges, CreateResult, CenterPort } from '../../src/core/client.js';
import { NO_DUPLICATES } from '../../src/core/duplicates.js';
import type { Clock } from '../../src/core/time.js';
import type { RunLedger } from '../../src/core/ledger.js';
import type { PreparedChunk } from '../../src/core/prepared.js';
import type { ListsPort } from '../../src/core/outcome.js';
import type { RowReport } from '../../src/core/report.js';
import { openLedger } from '../../src/ledger/ledger.js';
import { createSeenKeys } from '../../src/lists/seen.js';
import type { ChangeRule } from '../../src/delivery/rules.js';
import type { ImportEnd } from '../../src/delivery/sending.js';
import type { ImportSettings } from '../kit/import-settings.js';
import { runImport } from '../../src/delivery/import.js';
import type { PausePort } from '../../src/delivery/sender.js';
import { type Timeline, createTimeline } from '../simulation/timeline.js';

export const SECOND = 1000;
export const CAMPAIGN = 42;
export const NO_CLIENT = 'No clients with identifiers: [offerId=1]';

/** What befalls one request: `after`: when it is carried out; absent: never. `lost`: how its answer comes back. */
export interface Fate {
  readonly after?: number;
  readonly lost?: Error;
}

/** One process that works on the run. */
export interface Life {
  readonly ended: Promise<ImportEnd>;
  /** Asks it to end gently. */
  stop(): void;
  /** Nothing that it waits for ever comes. */
  kill(): void;
}

export interface Start {
  readonly chunks: readonly PreparedChunk[];
  readonly delivery?: Partial<CenterPort>;
  readonly change?: (changes: ClientChanges) => ChangeRule;
  readonly changes?: Partial<ClientChanges>;
  readonly settings?: Partial<ImportSettings>;
  readonly pause?: PausePort;
  readonly lists?: ListsPort;
}

/** An import over a clock that is wound by hand, on a ledger in memory. */
export interface Lab {
  readonly timeline: Timeline;
  /** What the person was told. */
  readonly told: string[];
  start(start: Start): Life;
  /** Lets time pass until the process has ended; resolves with how. */
  end(life: Life): Promise<ImportEnd>;
  /** Lets so much time pass. */
  pass(ms: number): Promise<void>;
  /** The run's report by now. */
  rows(): Promise<RowReport[]>;
  /** Meets a request with its fate: carries it out when it is to be, and answers or loses the answer. */
  meet<T>(fate: Fate | undefined, carryOut: () => T): Promise<T>;
}

/** How long a request takes, in milliseconds. */
const LATENCY = 10;

export function openLab(): Lab {
  const timeline = createTimeline();
  const ledgerOpened = openLedger(':memory:');
  const told: string[] = [];
  let run: RunLedger | undefined;

  const openRun = async (campaignId: number | null): Promise<RunLedger> => {
    const ledger = await ledgerOpened;
    const identity = { inputs: [], content: '', mapping: '', installation: '', campaignId };
    const opened = await ledger.openRun({ identity, settings: {}, out: () => '' });
    if (opened.kind !== 'open') throw new Error('the run is done');
    return (run = opened.ledger);
  };

  const start: Lab['start'] = (started) => {
    const { chunks, delivery, change, changes, settings, pause, lists } = started;
    const stop = new AbortController();
    let isAlive = true;
    const live = <T>(promise: Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        promise.then(
          (value) => isAlive && resolve(value),
          (error: unknown) => isAlive && reject(errorOf(error)),
        );
      });
    const clock: Clock = {
      now: () => timeline.now(),
      sleep: (ms, signal) => live(sleep(timeline, ms, signal)),
    };
    const seen = createSeenKeys();
    const all = { change: nothing, readCard: nothing, readApplications: nothing, ...changes };
    const opening = openRun(settings?.campaign?.id ?? null);
    const ended = opening.then((own) =>
      runImport({
        chunks: iterate(chunks),
        center: liveDelivery(live, delivery),
        ledger: { ...own, record: (chunk, facts) => live(own.record(chunk, facts)) },
        seen,
        clock,
        random: () => 0.5,
        signal: stop.signal,
        pause,
        lists,
        onTrouble: (message) => told.push(message),
        concurrency: 4,
        batchSize: 2,
        bodyBytes: 1e6,
        pace: {},
        campaign: null,
        duplicates: NO_DUPLICATES,
        identifierNames: ['offerId'],
        inputs: ['leads.csv'],
        change: change?.({
          change: (one) => live(all.change(one)),
          readCard: (identifiers) => live(all.readCard(identifiers)),
          readApplications: (identifiers) => live(all.readApplications(identifiers)),
        }),
        ...settings,
      }),
    );
    return {
      ended,
      stop: () => stop.abort(),
      kill: () => {
        isAlive = false;
      },
    };
  };

  return {
    timeline,
    told,
    start,
    end: async ({ ended }) => {
      let end: { value: ImportEnd } | { error: unknown } | undefined;
      ended.then(
        (value) => (end = { value }),
        (error: unknown) => (end = { error }),
      );
      for (let events = 0; events < 100_000; events++) {
        await everythingSettled();
        if (end) return 'value' in end ? end.value : Promise.reject(errorOf(end.error));
        timeline.next();
      }
      throw new Error('The import does not come to an end.');
    },
    pass: async (ms) => {
      const until = timeline.now() + ms;
      const mark = timeline.after(ms, () => undefined);
      while (timeline.now() < until) {
        await everythingSettled();
        timeline.next();
      }
      mark.cancel();
      await everythingSettled();
    },
    rows: async () => [...((await run?.rows()) ?? [])],
    meet: (fate, carryOut) =>
      new Promise((resolve, reject) => {
        const { after = fate ? undefined : 0, lost } = fate ?? {};
        let result: ReturnType<typeof carryOut> | undefined;
        if (after !== undefined)
          timeline.after(LATENCY / 2 + after, () => {
            try {
              result = carryOut();
            } catch (error) {
              if (!lost) reject(errorOf(error));
            }
          });
        timeline.after(LATENCY, () => (lost ? reject(lost) : resolve(result as never)));
      }),
  };
}

const errorOf = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error(String(reason));

const nothing = (): Promise<never> => Promise.reject(new Error('This is not expected.'));

function liveDelivery(
  live: <T>(promise: Promise<T>) => Promise<T>,
  delivery: Partial<CenterPort> = {},
): CenterPort {
  const all = {
    addClients: nothing,
    addApplications: () => Promise.resolve([]),
    findClient: nothing,
    findCampaigns: nothing,
    ...delivery,
  };
  return {
    addClients: (body) => live(all.addClients(body)),
    addApplications: (id, body) => live(all.addApplications(id, body)),
    findClient: (identifiers) => live(all.findClient(identifiers)),
    findCampaigns: (identifiers) => live(all.findCampaigns(identifiers)),
  };
}

function sleep(timeline: Timeline, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = timeline.after(ms, resolve);
    const give = (): void => {
      wake.cancel();
      reject(errorOf(signal?.reason));
    };
    if (signal?.aborted) give();
    else signal?.addEventListener('abort', give, { once: true });
  });
}

/** The ledger in memory answers after some turns of the event loop. */
async function everythingSettled(): Promise<void> {
  for (let turn = 0; turn < 4; turn++)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}

async function* iterate(chunks: readonly PreparedChunk[]): AsyncGenerator<PreparedChunk> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

/** Identifiers of the clients in a body of 4.1, in order. */
export function idsIn(body: Uint8Array): number[] {
  const { clients } = JSON.parse(Buffer.from(body).toString()) as {
    clients: { fields: { offerId: number } }[];
  };
  return clients.map(({ fields }) => fields.offerId);
}

/** A contact center that makes a second card of a client that is sent twice. */
export interface Cards {
  readonly delivery: Pick<CenterPort, 'addClients' | 'findClient'>;
  /** When each client was created, and sent, by its identifier. */
  readonly created: Map<number, number[]>;
  readonly sent: Map<number, number[]>;
}

/** `fateOf`: what befalls the nth request, from 1. */
export function openCards(lab: Lab, fateOf: (nth: number) => Fate | undefined): Cards {
  const created = new Map<number, number[]>();
  const sent = new Map<number, number[]>();
  let requests = 0;
  const note = (book: Map<number, number[]>, id: number): number =>
    book.set(id, [...(book.get(id) ?? []), lab.timeline.now()]).get(id)!.length;
  return {
    created,
    sent,
    delivery: {
      addClients: (body) => {
        const ids = idsIn(body);
        for (const id of ids) note(sent, id);
        return lab.meet(fateOf(++requests), () =>
          ids.map((id): CreateResult => {
            note(created, id);
            return { uuid: `uuid-${id}`, result: 'Success', createdClientId: id };
          }),
        );
      },
      findClient: (identifiers) =>
        lab.meet(undefined, () => {
          const { offerId } = JSON.parse(identifiers) as { offerId: number };
          return created.has(offerId) ? { id: offerId } : null;
        }),
    },
  };
}

/** Clients that a book names more than once. */
export const twice = (book: ReadonlyMap<number, readonly number[]>): number[] =>
  [...book].filter(([, times]) => times.length > 1).map(([id]) => id);
