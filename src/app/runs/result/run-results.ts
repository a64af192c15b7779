import type { CheckOutcome } from '../../../core/quality.js';
import type { RunRecord } from '../../../core/ledger.js';
import type { RowReport } from '../../../core/report.js';
import type { Ledger } from '../../../ledger/ledger.js';
import { aboutRun, namesOf } from '../about-run.js';
import { recordedRun } from '../recorded-run.js';
import { rejectsIn } from '../../run/result/done-run.js';
import {
  readCheckSettings,
  readSettingsForReport,
  readUndoSettings,
  runBehind,
} from '../../run/run-settings.js';
import { existingLedger } from '../runs.js';
import { hasTakenBack } from '../taken-back.js';
import { keptChecks } from './kept-checks.js';
import { type NextStep, nextStep } from './next-step.js';
import { type PageRequest, type RowFilter, RunIndex } from './run-index.js';

/** How a run went, as far as it has come. */
export interface RunResult {
  readonly run: RunRecord;
  readonly identifierNames: readonly string[];
  readonly isSandbox: boolean;
  readonly campaignName: string | undefined;
  readonly index: Pick<RunIndex, 'tally' | 'remarks' | 'waiting' | 'rows' | 'count'>;
  readonly next: NextStep;
  /** Paths of the files of rows to correct, as far as they are still there. */
  readonly rejects: readonly string[];
  /** The run that this one takes back or checks; `null` for others. */
  readonly about: string | null;
  /** The inputs of that run, or its own. */
  readonly files: readonly string[];
  /** Ids of the runs that take this one back, or check it, the latest first. */
  readonly undos: readonly string[];
  readonly checks: readonly string[];
  /** What the checks of the mapping came to, where that is kept. */
  readonly listChecks: readonly CheckOutcome[];
  /** Whether one of the undos has come to its end. */
  readonly isTakenBack: boolean;
}

/** Some rows of a run. */
export interface RunPage {
  readonly run: RunRecord;
  readonly identifierNames: readonly string[];
  /** All of this kind. */
  readonly total: number;
  readonly rows: readonly RowReport[];
  /** Gives the ids of a row's reasons. */
  readonly index: Pick<RunIndex, 'tally'>;
}

/** How old the index of a run under way may be at least, in milliseconds. */
const FRESH_MS = 5_000;
/** Reading such a run anew takes at most this share of the time. */
const INDEX_SHARE = 0.05;
/** Runs whose index is kept. */
const MAX_KEPT = 4;

interface Kept {
  readonly stamp: string;
  readonly index: Promise<RunIndex>;
  /** Until when it does for a run under way; on the clock of `performance.now`. */
  freshUntil: number;
}

/** Reads results from a ledger. The index of a run is kept until something more is on record of it. */
export class RunResults {
  readonly #kept = new Map<string, Kept>();

  /** `ledger`: path of its file. */
  constructor(readonly ledger: string) {}

  /** @throws InputError when there is no ledger, UsageError when it does not have the run, LedgerError */
  async result(wanted: string): Promise<RunResult> {
    return this.#with(wanted, async (ledger, run) => {
      const index = await this.#indexOf(ledger, run);
      const { campaignName, isSandbox = false } = await aboutRun(ledger, run.run);
      const kept = await ledger.settingsOf(run.run);
      const rejects = rejectsIn(run.out);
      const about = runBehind(kept);
      const others = await worksOn(ledger, run.run);
      return {
        ...{ run, index, rejects, isSandbox, campaignName },
        identifierNames: await namesOf(ledger, run),
        next: nextStep(run, index, rejects, {
          isTakenBack: others.isTakenBack,
          recovers: readSettingsForReport(kept)?.wanted?.recovery === true,
        }),
        about,
        listChecks: await keptChecks(run),
        files: (about === null ? run : await ledger.find(about))?.inputs ?? [],
        ...others,
      };
    });
  }

  /** Some rows of a run. @throws as `result` does */
  async page(wanted: string, request: PageRequest): Promise<RunPage> {
    return this.#with(wanted, async (ledger, run) => {
      const index = await this.#indexOf(ledger, run);
      return {
        ...{ run, index, total: index.count(request.filter) },
        identifierNames: await namesOf(ledger, run),
        rows: await index.page(ledger, run.run, request),
      };
    });
  }

  async #with<T>(wanted: string, use: (ledger: Ledger, run: RunRecord) => Promise<T>): Promise<T> {
    const ledger = await existingLedger(this.ledger);
    try {
      return await use(ledger, await recordedRun(ledger, this.ledger, wanted));
    } finally {
      await ledger.close();
    }
  }

  /** Whoever asks meanwhile waits for the same one. */
  async #indexOf(ledger: Ledger, run: RunRecord): Promise<RunIndex> {
    const stamp = `${run.createdAt} ${await ledger.lastFact(run.run)}`;
    const kept = this.#kept.get(run.run);
    const isFresh = run.state === 'running' && performance.now() < (kept?.freshUntil ?? 0);
    if (kept && (kept.stamp === stamp || isFresh)) return kept.index;
    const began = performance.now();
    // The one who asks may close his ledger before another one has got his index.
    const index = this.#with(run.run, (own, record) => RunIndex.read(own, record));
    this.#kept.delete(run.run);
    const entry: Kept = { stamp, index, freshUntil: Infinity };
    this.#kept.set(run.run, entry);
    index.then(
      () => (entry.freshUntil = freshUntil(began)),
      () => this.#kept.delete(run.run),
    );
    for (const [oldest] of this.#kept) if (this.#kept.size > MAX_KEPT) this.#kept.delete(oldest);
    return index;
  }
}

function freshUntil(began: number): number {
  const now = performance.now();
  return now + Math.max(FRESH_MS, (now - began) / INDEX_SHARE);
}

export type { PageRequest, RowFilter };

/** The runs that work on this one. */
async function worksOn(
  ledger: Ledger,
  run: string,
): Promise<Pick<RunResult, 'undos' | 'checks' | 'isTakenBack'>> {
  const all: { readonly record: RunRecord; readonly kept: unknown }[] = [];
  for (const record of await ledger.runs())
    if (record.mode === 'undo' || record.mode === 'reconcile')
      all.push({ record, kept: await ledger.settingsOf(record.run) });
  const runsWhere = (fits: (kept: unknown) => boolean): RunRecord[] =>
    all.filter(({ kept }) => fits(kept)).map(({ record }) => record);
  const undos = runsWhere((kept) => readUndoSettings(kept)?.undoes === run);
  const checks = runsWhere((kept) => readCheckSettings(kept)?.checks === run);
  return {
    undos: undos.map(({ run: id }) => id),
    checks: checks.map(({ run: id }) => id),
    isTakenBack: undos.some(hasTakenBack),
  };
}
