import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportResult } from '../../src/run/requests.js';
import { noOutcomes } from '../../src/core/outcome.js';
import type { Clock } from '../../src/core/time.js';
import type { Notice } from '../../src/nightly/notices/notice.js';
import { Outbox } from '../../src/nightly/notices/outbox.js';
import type { LoadedTarget } from '../../src/nightly/pickup/load.js';
import { type Pickup, pickupSchema } from '../../src/nightly/pickup/schema.js';
import { openPlace } from '../../src/nightly/places/open-place.js';
import { memoryOf, NOTHING_KEPT, type Place } from '../../src/nightly/places/place.js';
import { openState, type WatchState } from '../../src/nightly/state/state.js';
import type { WatcherPorts } from '../../src/nightly/watch/take-file.js';
import { Watcher } from '../../src/nightly/watch/watch-pickups.js';

const TARGET: LoadedTarget = {
  ...{ to: 'webhook', url: 'http://127.0.0.1/', secret: undefined, body: 'notice', key: 'k' },
  on: ['finished', 'bad', 'stopped', 'late', 'recovered', 'unusual', 'repeated'],
};

/** A folder with all that a watcher works with, but an importer that only notes what it was given. */
export interface Rig {
  readonly folder: string;
  readonly in: string;
  readonly pickup: Pickup;
  /** What was imported, by the SHA-256 of the content. */
  readonly imported: Map<string, { readonly run: string; readonly text: string; times: number }>;
  readonly notes: string[];
  readonly time: { now: number };
  /** Opens a watcher of its own, as another process would have it. */
  watcher(change?: Partial<RigChange>): Promise<Watcher>;
  /** The notices that wait. */
  notices(): Promise<Notice[]>;
  /** What a look at the place says. */
  check(): Promise<string | null>;
  names(below: string): Promise<string[]>;
  remove(): Promise<void>;
}

export interface RigChange {
  readonly place: (place: Place) => Place;
  readonly state: (state: WatchState) => WatchState;
  readonly execute: (execute: WatcherPorts['execute']) => WatcherPorts['execute'];
  readonly clock: Clock;
  readonly claimMs: number;
  readonly onNote: (note: string) => void;
}

/** `more`: keys of the pickup; `from`: where files arrive, else a folder. */
export async function openRig(
  more: Record<string, unknown> = {},
  env: Record<string, string> = {},
): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), 'cardline-rig-'));
  const from = join(folder, 'in');
  await mkdir(from);
  const pickup = pickupSchema.parse({
    ...{ name: 'vendor', from, files: 'leads-*', ready: { stableFor: '0s' } },
    import: { mapping: 'm.yaml', installation: 'i.yaml' },
    ...more,
  });
  const imported: Rig['imported'] = new Map();
  const [notes, states]: [string[], WatchState[]] = [[], []];
  const time = { now: Date.UTC(2026, 10, 23) };
  const execute: WatcherPorts['execute'] = async ({ files: [path = ''] }) =>
    importedAs(imported, await readFile(path, 'utf8'));
  const clock: Clock = {
    now: () => time.now,
    sleep: async (ms) => {
      time.now += ms;
      await Promise.resolve();
    },
  };
  const open = async (claimMs = 60_000): Promise<WatchState> => {
    const state = await openState(undefined, join(folder, 'state.db'), claimMs);
    states.push(state);
    return state;
  };
  return {
    ...{ folder, in: from, pickup, imported, notes, time },
    watcher: async (change = {}) => {
      const state = (change.state ?? same)(await open(change.claimMs));
      const own = change.clock ?? clock;
      const outbox = new Outbox({
        ...{ state, targets: [TARGET], clock: own, send: () => Promise.resolve() },
        onWarning: () => undefined,
      });
      const work = join(folder, 'work');
      const place = openPlace(pickup, { memory: memoryOf(state, pickup.name), work, env });
      return new Watcher({
        ...{ pickup, state, outbox, env, work, ledger: undefined, clock: own },
        place: (change.place ?? same)(place),
        execute: (change.execute ?? same)(execute),
        elapsed: () => time.now,
        onNote: (note) => {
          notes.push(note);
          change.onNote?.(note);
        },
      });
    },
    notices: async () => {
      const state = await open();
      const found: Notice[] = [];
      for (;;) {
        const [next] = await state.due([TARGET.key], Number.MAX_SAFE_INTEGER, 0);
        if (!next) return found;
        found.push(next.notice);
        await state.sent(next.id);
      }
    },
    check: async () => {
      const parts = { memory: NOTHING_KEPT, work: join(folder, 'work'), env };
      const place = openPlace(pickup, parts);
      return place.check().finally(() => place.close());
    },
    names: async (below) => (await readdir(join(from, below)).catch(() => [])).sort(),
    remove: async () => {
      for (const state of states) await state.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const same = <T>(one: T): T => one;

function importedAs(imported: Rig['imported'], text: string): ImportResult {
  const digest = createHash('sha256').update(text).digest('hex');
  const known = imported.get(digest);
  const { run } = known ?? { run: `run-${imported.size + 1}` };
  imported.set(digest, { run, text, times: (known?.times ?? 0) + 1 });
  const outcomes = { ...noOutcomes(), enqueued: 1 };
  return {
    ...{ report: '', rejects: [], exitCode: 0, already: known !== undefined },
    summary: { run, rows: 1, outcomes, state: 'finished', seconds: 1 },
  } as unknown as ImportResult;
}
