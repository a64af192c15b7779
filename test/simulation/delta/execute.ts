import { createDeltaRun, missingChunks } from '../../../src/run/delta.js';
import { type KnownRows, NO_DUPLICATES } from '../../../src/core/duplicates.js';
import type { RunIdentity } from '../../../src/core/ledger.js';
import type { RunMode } from '../../../src/core/outcome.js';
import type { PreparedChunk } from '../../../src/core/prepared.js';
import type { RowReport } from '../../../src/core/report.js';
import { numberedChunksOf, runRow } from '../../../src/ledger/sqlite.js';
import { openRun } from '../../../src/ledger/ledger.js';
import { storeOn } from '../../../src/ledger/sqlite-store.js';
import { recordOf } from '../../../src/ledger/store.js';
import type { OpenedRun, RunRequest, Ledger } from '../../../src/ledger/port.js';
import {
  type ChangeRule,
  changeRuleOf,
  removeMissingRule,
  undoRule,
} from '../../../src/delivery/rules.js';
import { sendRows, undoneChunks } from '../around/command.js';
import { CAMPAIGN } from '../books.js';
import { inTurn } from '../input.js';
import type { Life } from '../life.js';
import type { Way } from '../network.js';
import { countsOf } from '../simulate.js';
import { removalsOf, rowsOf } from './rows.js';
import type { Night } from './story.js';
import { planOf, type World } from './world.js';

type Open = Extract<OpenedRun, { readonly kind: 'open' }>;

/** How a run came to its end. */
export interface RunOver {
  readonly run: string;
  readonly state: 'finished' | 'open' | 'stopped';
  readonly rows: readonly RowReport[];
}

/** One process, as it opens runs and reaches the contact center. */
interface Process {
  readonly world: World;
  readonly life: Life;
  readonly parts: ReturnType<World['ledger']['partsOf']>;
  readonly onWay: (way: Way) => void;
}

/** What a run does. */
interface Work {
  readonly mode: RunMode;
  readonly chunks: () => AsyncIterable<PreparedChunk> | Iterable<PreparedChunk>;
  readonly rule: (way: Way) => ChangeRule | null;
  readonly known?: () => Promise<KnownRows | undefined>;
  /** What belongs to the run, once its rows are sent. */
  readonly then?: () => Promise<boolean>;
}

/** Imports the list of a night, as `src/run` does, without files, reports and HTTP. */
export async function importList(process: Process, night: Night, name: string): Promise<RunOver> {
  const { world, life } = process;
  const { mode, rowsInChunk } = world.story;
  const chunks = (): readonly PreparedChunk[] => rowsOf(night, mode, rowsInChunk);
  const plan = planOf(world, night, chunks);
  const opened = await begun(process, {
    identity: identityOf(world, [`/${name}.csv`], JSON.stringify(night), 'mapping'),
    settings: { mode, delta: plan.issue },
    knows: plan.knows,
  });
  const around = { ledger: ledgerOf(world), identifierNames: ['offerId'] };
  const delta = createDeltaRun(plan, around, opened, () => undefined, life.signal);
  try {
    return await work(process, opened, {
      mode,
      chunks,
      known: () => delta.known(),
      rule: (way) => changeRuleOf(mode, way, plan.campaignId),
      then: async () => {
        const missing = delta.missing();
        if (!missing) return true;
        const { run } = opened.ledger;
        const removal = await opening(process, {
          identity: identityOf(world, [`run ${run}`], `missing from ${run}`, `missing ${run}`),
          settings: { mode: 'dequeue', misses: run, delta: plan.issue },
        });
        if (removal === null) return true;
        const over = await work(process, removal, {
          mode: 'dequeue',
          chunks: () => missingChunks(missing),
          rule: (way) => removeMissingRule(way, CAMPAIGN),
        }).finally(() => removal.close());
        for (const { outcome } of over.rows) world.counts.add(`missing ${outcome}`);
        return over.state !== 'stopped';
      },
    });
  } finally {
    delta.close();
    await opened.close();
  }
}

/** Removes clients from the campaign, as a person does with a mapping for it. */
export async function removeByHand(process: Process, night: Night, name: string): Promise<RunOver> {
  const { world } = process;
  const chunks = removalsOf(night, world.story.rowsInChunk);
  const opened = await opening(process, {
    identity: identityOf(world, [`/removed after ${name}.csv`], `removed after ${name}`, 'by hand'),
    settings: { mode: 'dequeue' },
  });
  if (opened === null) return { run: '', state: 'finished', rows: [] };
  try {
    const rule = (way: Way): ChangeRule | null => changeRuleOf('dequeue', way, CAMPAIGN);
    return await work(process, opened, { mode: 'dequeue', chunks: () => chunks, rule });
  } finally {
    await opened.close();
  }
}

/** Takes a run back. */
export async function undo(process: Process, undone: string): Promise<RunOver> {
  const { world } = process;
  const campaignId = world.story.campaign ? CAMPAIGN : null;
  const opened = await opening(process, {
    identity: identityOf(world, [`run ${undone}`], `undo ${undone}`, 'undo'),
    settings: { mode: 'undo', undoes: undone },
  });
  if (opened === null) return { run: undone, state: 'finished', rows: [] };
  try {
    return await work(process, opened, {
      mode: 'undo',
      chunks: () => undoneChunks(world.ledger, undone, 1),
      rule: (way) => undoRule(way, { campaignId, cancelCallbacks: false }),
    });
  } finally {
    await opened.close();
  }
}

/** `null`: it was done before its process died. */
async function opening(process: Process, request: Omit<RunRequest, 'out'>): Promise<Open | null> {
  const store = storeOn(process.parts);
  const opened = await openRun(store, { ...request, out: (id) => `/runs/${id}` });
  return opened.kind === 'open' ? opened : null;
}

async function begun(process: Process, request: Omit<RunRequest, 'out'>): Promise<Open> {
  const opened = await opening(process, request);
  if (!opened) throw new Error('It was done before.');
  return opened;
}

function identityOf(
  { story }: World,
  inputs: readonly string[],
  content: string,
  mapping: string,
): RunIdentity {
  const campaignId = story.campaign ? CAMPAIGN : null;
  return { inputs, content, mapping, installation: 'demo', campaignId };
}

function ledgerOf({ ledger }: World): Ledger {
  const { database, file, locks } = ledger;
  const asked: Pick<Ledger, 'runs' | 'factsOf' | 'settingsOf'> = {
    runs: () => Promise.resolve(ledger.runs().map((row) => recordOf(row, locks))),
    factsOf: (run) => Promise.resolve(numberedChunksOf(database, file, run)),
    settingsOf: (run) =>
      Promise.resolve(JSON.parse(runRow(database, run)?.settings ?? 'null') as unknown),
  };
  return asked as Ledger;
}

async function work(
  { world, life, onWay }: Process,
  { ledger: run }: Open,
  { mode, chunks, rule, known: find, then }: Work,
): Promise<RunOver> {
  const { story, network } = world;
  const way = network.wayOf(life, { run: run.run, again: false });
  onWay(way);
  const { concurrency, batchSize, settleAfterMs, serverDeadlineMs } = story;
  const enqueues = story.campaign && (mode === 'create' || mode === 'upsert');
  const end = await sendRows(world, life, run, way, {
    chunks: inTurn(chunks()),
    settings: {
      ...{ concurrency, batchSize, bodyBytes: 1_000_000, pace: {}, settleAfterMs },
      ...{ serverDeadlineMs, mode, change: rule(way), duplicates: NO_DUPLICATES },
      ...{ identifierNames: ['offerId'], inputs: ['leads.csv'] },
      campaign: enqueues
        ? { id: CAMPAIGN, maxCallCount: 1, disableDuplicatePhonesValidation: true }
        : null,
    },
    known: () => find?.() ?? Promise.resolve(undefined),
  });
  const isWhole = end.stopped === undefined && ((await then?.()) ?? true);
  const rows = [...(await run.rows())];
  const outcomes = countsOf(rows);
  const state = !isWhole ? 'stopped' : outcomes.unknown > 0 ? 'open' : 'finished';
  await life.call(() => run.end({ state, rows: rows.length, outcomes }));
  return { run: run.run, state, rows };
}
