import { createHash } from 'node:crypto';
import { knownClients, REPEATS } from '../../../src/run/repeats.js';
import { ledgerChunks, undoOf } from '../../../src/run/on-record.js';
import { CardlineError } from '../../../src/core/errors.js';
import { duplicatesBy, NO_DUPLICATES, type KnownRows } from '../../../src/core/duplicates.js';
import type { RunIdentity, RunLedger, RunRecord } from '../../../src/core/ledger.js';
import { MODE_TRAITS, type RunMode } from '../../../src/core/outcome.js';
import type { PreparedChunk } from '../../../src/core/prepared.js';
import { numberedChunksOf } from '../../../src/ledger/sqlite.js';
import { holdRun, openRun } from '../../../src/ledger/ledger.js';
import { storeOn } from '../../../src/ledger/sqlite-store.js';
import type { OpenedRun } from '../../../src/ledger/port.js';
import { recordOf } from '../../../src/ledger/store.js';
import { createSeenKeys } from '../../../src/lists/seen.js';
import { changeRuleOf, undoRule, type ChangeRule } from '../../../src/delivery/rules.js';
import type { ImportEnd } from '../../../src/delivery/sending.js';
import type { ImportSettings } from '../../kit/import-settings.js';
import { runImport } from '../../../src/delivery/import.js';
import type { Life } from '../life.js';
import type { Way } from '../network.js';
import { inTurn } from '../input.js';
import { countsOf } from '../simulate.js';
import { type BegunRun, type Command, FILE } from './run.js';
import { chunksOf, rowsOf } from './rows.js';
import type { Common } from '../world.js';
import type { SharedLedger } from './ledger.js';
import type { World } from './world.js';

/** How a process ended by itself. */
export type End =
  | { readonly kind: 'done'; readonly run: RunRecord }
  | {
      readonly kind: 'ended';
      readonly run: string;
      readonly state: 'finished' | 'open' | 'stopped';
    };

type Open = Extract<OpenedRun, { readonly kind: 'open' }>;

/**
 * One process that carries a command out. What `src/run` does around the ledger and the import (`run.ts`,
 * `on-record.ts`, `send.ts`) is done here in the same order, without files, reports and HTTP.
 * @throws CardlineError as the command would
 */
export async function carryOut(
  world: World,
  life: Life,
  command: Command,
  settleAll: boolean,
): Promise<End> {
  const { ledger, watch } = world;
  await pause(world, life, 20);
  const process = world.processOf(life);
  const store = storeOn(process.parts);
  const held = command.kind === 'undo' ? await holdRun(store, command.undoes) : null;
  try {
    const wanted = wantedOf(world, command);
    const opened = await openRun(store, {
      identity: wanted.identity,
      settings: {
        mode: wanted.mode,
        ...(command.kind === 'undo' && !world.sabotage.hidesUndo ? { undoes: command.undoes } : {}),
      },
      out: (id) => `/runs/${id}`,
      again: command.kind === 'import' && command.again,
      settleAll,
      knows: REPEATS[wanted.mode],
    });
    if (opened.kind === 'done') {
      watch.done(opened.record, wanted);
      return { kind: 'done', run: opened.record };
    }
    if (opened.kind !== 'open') throw new Error('Nobody asks for a digest of small inputs.');
    ledger.isWhole();
    const run = opened.ledger.run;
    watch.opened({ ...wanted, id: run }, opened.ledger.continued, settleAll);
    try {
      return await work(world, life, { ...wanted, id: run }, opened, process.wayOf(run));
    } finally {
      await opened.close();
      ledger.isWhole();
    }
  } finally {
    await held?.release();
  }
}

type Wanted = Omit<BegunRun, 'id'>;

function wantedOf(world: World, command: Command): Wanted {
  const { story, ledger, sabotage } = world;
  if (command.kind === 'undo') {
    const undone = world.watch.run(command.undoes);
    const last = ledger.database
      .prepare<[string], { last: number | null }>('SELECT max(id) AS last FROM fact WHERE run = ?')
      .get(command.undoes);
    const digest = digestOf(`undo ${command.undoes} ${last?.last ?? 0}`);
    const { campaignId } = undone;
    const inputs = [`run ${command.undoes}`];
    const identity = { inputs, content: digest, mapping: digest, installation: 'demo', campaignId };
    return { command, mode: 'undo', rows: undone.rows, campaignId, identity };
  }
  const { mode, version, campaignId } = command;
  const rows = rowsOf(story.rows, mode, version);
  const identity: RunIdentity = {
    inputs: [FILE],
    content: digestOf(
      JSON.stringify(rows.map(({ kind, sentAs }) => [kind, sentAs, version.content])),
    ),
    mapping: digestOf(mode),
    installation: 'demo',
    campaignId,
    parts: { 'a lookup file of the mapping': String(version.part) },
  };
  return { command, mode, rows, campaignId, identity: sabotage.identity?.(identity) ?? identity };
}

const digestOf = (text: string): string => createHash('sha1').update(text).digest('hex');

async function work(
  world: World,
  life: Life,
  begun: BegunRun,
  opened: Open,
  way: Way,
): Promise<End> {
  const { watch } = world;
  const run = opened.ledger;
  const known: { rows?: KnownRows | undefined } = {};
  const settings = settingsOf(world, begun, way);
  const end = await sendRows(world, life, run, way, {
    chunks: inTurn(rowsToDo(world, begun), () => pause(world, life, 1)),
    settings: world.sabotage.settings?.(settings) ?? settings,
    known: async () => (known.rows = await knownRows(world, life, begun, opened)),
  }).finally(() => known.rows?.close());
  const rows = [...(await run.rows())];
  const outcomes = countsOf(rows);
  // The reports are written.
  await pause(world, life, 50);
  const state = end.stopped ? 'stopped' : outcomes.unknown > 0 ? 'open' : 'finished';
  await run.end({ state, rows: rows.length, outcomes });
  watch.ended(begun, { rows, state, stopped: end.stopped, waiting: (await run.waiting()).rows });
  return { kind: 'ended', run: run.run, state };
}

async function knownRows(
  { ledger, sabotage }: World,
  life: Life,
  { mode, campaignId }: BegunRun,
  { relies: runs }: Open,
): Promise<KnownRows | undefined> {
  const rule = REPEATS[mode];
  if (!rule || runs.length === 0 || sabotage.knowsNothing) return undefined;
  const factsOf = (run: string) =>
    Promise.resolve(numberedChunksOf(ledger.database, ledger.file, run));
  const { signal } = life;
  return knownClients({ runs, rule, campaignId, factsOf, keys: createSeenKeys(), signal });
}

/** Sends the rows of a run that was opened, as `src/run` does; gives how that ended. */
export async function sendRows(
  { random }: Common,
  life: Life,
  ledger: RunLedger,
  center: Way,
  {
    chunks,
    settings,
    known,
  }: {
    readonly chunks: AsyncIterable<PreparedChunk>;
    readonly settings: ImportSettings;
    readonly known: () => Promise<KnownRows | undefined>;
  },
): Promise<ImportEnd> {
  const seen = createSeenKeys();
  const { clock, signal } = life;
  try {
    const parts = { chunks, center, ledger, seen, known: await known(), clock, random, signal };
    return await runImport({ ...parts, ...settings });
  } catch (error) {
    if (!(error instanceof CardlineError)) throw error;
    return { stopped: error, requests: 0, retries: 0 };
  } finally {
    seen.close();
  }
}

const NOTHING_DONE = { column: null, code: 'nothing_done', message: 'Nothing to do.', value: null };

function rowsToDo(
  { story, ledger }: World,
  { command, rows }: BegunRun,
): Iterable<PreparedChunk> | AsyncIterable<PreparedChunk> {
  if (command.kind === 'import') return chunksOf(rows, command.mode, story.rowsInChunk);
  return undoneChunks(ledger, command.undoes, rows.length);
}

/** Rows of a run that is taken back, the last first. */
export const undoneChunks = ({ database, file }: SharedLedger, undoes: string, total: number) =>
  ledgerChunks(
    numberedChunksOf(database, file, undoes, true),
    { backwards: true, payloadOf: undoOf, skipped: NOTHING_DONE },
    ['offerId'],
    total,
  );

function pause({ timeline }: World, life: Life, ms: number): Promise<void> {
  return life.call(
    () => new Promise<void>((resolve) => timeline.after(ms, () => life.tell(resolve))),
  );
}

function settingsOf({ story }: World, begun: BegunRun, way: Way): ImportSettings {
  const { batchSize, concurrency, settleAfterMs, serverDeadlineMs, checksPhones } = story;
  const { mode, campaignId, command } = begun;
  const enqueues = campaignId !== null && MODE_TRAITS[mode].enqueues;
  return {
    concurrency,
    batchSize,
    bodyBytes: 1_000_000,
    pace: {},
    settleAfterMs,
    serverDeadlineMs,
    mode,
    change: ruleOf(begun, way),
    campaign: enqueues
      ? { id: campaignId, maxCallCount: 3, disableDuplicatePhonesValidation: !checksPhones }
      : null,
    duplicates:
      command.kind === 'undo' || !holdsBack(story, mode) ? NO_DUPLICATES : duplicatesBy('sync'),
    identifierNames: ['offerId'],
    inputs: [FILE],
  };
}

/** Several rows of a client go one after the other, where the mapping does not count them as one. */
function holdsBack({ holdsBackRepeats }: World['story'], mode: RunMode): boolean {
  return holdsBackRepeats || (mode !== 'callbacks' && mode !== 'update' && mode !== 'contacts');
}

function ruleOf({ mode, campaignId }: BegunRun, way: Way): ChangeRule | null {
  if (mode === 'undo') return undoRule(way, { campaignId, cancelCallbacks: false });
  if (mode === 'reconcile') return null;
  return changeRuleOf(mode, way, campaignId);
}

/** A run as the ledger lists it. */
export function listed({ ledger }: World): RunRecord[] {
  return ledger.runs().map((row) => recordOf(row, ledger.locks));
}
