import { type OutcomeCounts, noOutcomes } from '../../src/core/outcome.js';
import { duplicatesBy, type SeenAt, type SeenKeys } from '../../src/core/duplicates.js';
import { KEY_WORDS, type PreparedChunk } from '../../src/core/prepared.js';
import type { ImportEnd } from '../../src/delivery/sending.js';
import type { ImportSettings } from '../kit/import-settings.js';
import { runImport } from '../../src/delivery/import.js';
import { CAMPAIGN } from './books.js';
import { judgeEnd } from './judge.js';
import { type Life, startLife } from './life.js';
import type { Network } from './network.js';
import type { Timeline } from './timeline.js';
import type { World } from './world.js';

const MOST_EVENTS = 200_000;
/** The longest outage, a pause of the patience, and every fault at its slowest. */
export const LONGEST_MS = 6 * 3_600_000;

/** One process; resolves with whether it brought the run to its end. */
export async function liveOnce(world: World): Promise<boolean> {
  const { scenario, timeline, disk, network, watch, counts } = world;
  const crash = scenario.crashes[counts.lives];
  const stop = scenario.stops[counts.lives++] ?? undefined;
  const life = startLife(timeline, {
    crash,
    stop,
    onCrash: () => {
      counts.crashes++;
      disk.crash(crash?.kept ?? 0);
      network.cut(timeline.now() + (crash?.gapMs ?? 0) + scenario.serverDeadlineMs - 1);
    },
    onStop: () => watch.stopped(),
  });
  const before = requestsOf(network);
  const started = timeline.now();
  const outcomes = noOutcomes();
  const end = await watchOver(world, life, importOnce(world, life, outcomes));
  life.end();
  if (end)
    return judgeEnd(world, end, {
      outcomes,
      requests: requestsOf(network) - before,
      seconds: (timeline.now() - started) / 1000,
    });
  timeline.pass(crash?.gapMs ?? 0);
  return false;
}

function requestsOf({ counts }: Network): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Lets time pass until the process has ended or died; `undefined`: it died. */
async function watchOver(
  { timeline, violations }: World,
  life: Life,
  running: Promise<ImportEnd>,
): Promise<ImportEnd | undefined> {
  let end: ImportEnd | undefined;
  let thrown: unknown;
  running.then(
    (value) => (end = value),
    (error: unknown) => (thrown = error),
  );
  for (let events = 0; life.isAlive(); events++) {
    await allMicrotasks();
    // Both are set from the promise; the compiler cannot see it.
    if (thrown !== undefined) throw thrown as Error;
    if (end) return end;
    if (!life.isAlive()) break;
    if (events > MOST_EVENTS || timeline.now() > LONGEST_MS) {
      violations.push('the process goes on for ever');
      return { requests: 0, retries: 0 };
    }
    if (!timeline.next()) {
      violations.push('the process hangs: nothing will ever happen again');
      return { requests: 0, retries: 0 };
    }
  }
  return undefined;
}

export function allMicrotasks(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function importOnce(world: World, life: Life, outcomes: OutcomeCounts): Promise<ImportEnd> {
  const { scenario, input, timeline, random, disk, network, watch, sabotage, counts } = world;
  const hadFacts = input.chunks.some((_, chunk) => disk.factsOf(chunk).length > 0);
  const ledger = disk.open(life, scenario.campaign !== 'none');
  if (hadFacts && !ledger.continued) counts['begun anew']++;
  watch.began(ledger.continued);
  const delivery = network.deliveryOf(life);
  const settings = settingsOf(world);
  return runImport({
    chunks: chunksOf(life, timeline, input.chunks),
    ledger: sabotage.ledger?.(ledger) ?? ledger,
    center: sabotage.delivery?.(delivery) ?? delivery,
    seen: createSeen(),
    clock: life.clock,
    random,
    signal: sabotage.signal?.(life.signal) ?? life.signal,
    onProgress: (state) => Object.assign(outcomes, state.outcomes),
    ...(sabotage.settings?.(settings) ?? settings),
  });
}

/** The duplicate keys of a small file: no need for what holds millions of them. */
export function createSeen(): SeenKeys {
  const seen = new Map<string, SeenAt>();
  const textOf = (keys: Uint32Array, offset: number): string =>
    keys.subarray(offset, offset + KEY_WORDS).join();
  return {
    find: (keys, offset) => seen.get(textOf(keys, offset)) ?? null,
    add: (keys, offset, input, row) => seen.set(textOf(keys, offset), { input, row }),
    close: () => undefined,
  };
}

async function* chunksOf(
  life: Life,
  timeline: Timeline,
  chunks: readonly PreparedChunk[],
): AsyncGenerator<PreparedChunk> {
  for (const chunk of chunks) {
    await life.call(
      () => new Promise<void>((resolve) => timeline.after(1, () => life.tell(resolve))),
    );
    yield chunk;
  }
}

export function settingsOf({
  scenario,
  limit,
  input,
}: Pick<World, 'scenario' | 'limit' | 'input'>): ImportSettings {
  const { campaign, batchSize, requestBytes, concurrency, patienceMs } = scenario;
  const { settleAfterMs, serverDeadlineMs } = scenario;
  return {
    ...(scenario.adapts
      ? {
          concurrency: { max: concurrency },
          batchSize: { min: 1, first: Math.ceil(batchSize / 2), max: batchSize },
        }
      : { concurrency, batchSize }),
    bodyBytes: requestBytes,
    pace: scenario.pace,
    canary: scenario.canary,
    maxFailures: limit.inForce ?? undefined,
    counted: { rows: input.rows.length, share: 1 },
    patience: { atStart: 10_000, later: patienceMs },
    settleAfterMs,
    serverDeadlineMs,
    campaign:
      campaign === 'none'
        ? null
        : {
            id: CAMPAIGN,
            maxCallCount: 3,
            disableDuplicatePhonesValidation: campaign === 'plain',
          },
    duplicates: duplicatesBy('sync'),
    identifierNames: ['offerId'],
    inputs: ['leads.csv'],
  };
}
