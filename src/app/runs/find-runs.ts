import { basename } from 'node:path';
import { centerName } from '../../core/center.js';
import type { RunRecord } from '../../core/ledger.js';
import { noOutcomes, type OutcomeCounts } from '../../core/outcome.js';
import type { Ledger, RunFilter } from '../../ledger/ledger.js';
import { hasLedger } from '../run/ledger-path.js';
import { runBehind } from '../run/run-settings.js';
import { breathing } from './breath.js';
import { originFinder, type OriginOfRejects, originsOf } from './origin-of-rejects.js';
import { recordedRun } from './recorded-run.js';
import { withSettings } from './runs.js';
import { hasTakenBack } from './taken-back.js';
import { viewLedger } from './view-ledger.js';

/** How standard input is called among the inputs of a run. */
const STANDARD_INPUT = 'standard input';

export interface FindRunsRequest {
  readonly ledger: string;
  /** Part of the name of an input or of the campaign, in any case. */
  readonly text?: string | undefined;
  readonly state?: RunRecord['state'] | undefined;
  readonly mode?: RunRecord['mode'] | undefined;
  /** How many of the latest are left out. */
  readonly offset: number;
  readonly limit: number;
}

/** A run, and what can be done with it. `rows` is `null` where nobody has counted them yet. */
export interface ListedRun extends RunRecord {
  /** Name of the contact center. */
  readonly center: string;
  /** The run that this one takes back or checks; `null` where it works on files. */
  readonly worksOn: string | null;
  /** The inputs of that run, or its own. */
  readonly files: readonly string[];
  /** Where the rows of the first of them come from; `null` unless it holds rejects of a run on record. */
  readonly rejectsOf: OriginOfRejects | null;
  readonly canResume: boolean;
  /** Runs that took it back, or a part of it. */
  readonly undos: readonly string[];
  /** Whether one of them has come to its end. */
  readonly isTakenBack: boolean;
}

export interface FoundRuns {
  /** How many fit. */
  readonly total: number;
  /** How many the ledger has. */
  readonly all: number;
  readonly runs: readonly ListedRun[];
}

/** A page of the runs of a ledger, the latest first. Where there is no ledger yet, there are no runs. @throws LedgerError */
export async function findRuns({
  ledger: file,
  offset,
  limit,
  ...wanted
}: FindRunsRequest): Promise<FoundRuns> {
  if (!hasLedger(file)) return { total: 0, all: 0, runs: [] };
  return viewLedger(file, async (ledger) => {
    const { runs, ...counts } = await ledger.page(await filterOf(wanted, ledger), offset, limit);
    return { ...counts, runs: await listedRuns(ledger, runs) };
  });
}

/** Rejects are found by the name of the file that they come from too: so they are shown. */
async function filterOf(
  { text = '', state, mode }: Pick<FindRunsRequest, 'text' | 'state' | 'mode'>,
  ledger: Ledger,
): Promise<RunFilter> {
  const part = text.trim().toLowerCase();
  if (part === '') return { state, mode };
  const origin = originFinder(await ledger.runs());
  const has = (name: string): boolean => name.toLowerCase().includes(part);
  const isNamed = (input: string): boolean =>
    has(basename(input)) || has(basename(origin(input)?.file ?? ''));
  return {
    ...{ state, mode },
    fits: (inputs, campaign) => inputs.some(isNamed) || (campaign !== null && has(campaign)),
  };
}

/** Runs with what can be done with them. Of those that are not at their end, finding that out takes a while. */
export async function listedRuns(
  ledger: Ledger,
  runs: readonly RunRecord[],
): Promise<ListedRun[]> {
  const undos = await ledger.undosOf(runs.map(({ run }) => run));
  const ofFiles = runs.filter(({ inputs }) => !inputs.includes(STANDARD_INPUT));
  const resumable = await ledger.resumable(ofFiles.map(({ run }) => run));
  const works: { readonly worksOn: string | null; readonly files: readonly string[] }[] = [];
  for (const run of runs) {
    const worksOn = runBehind(await ledger.settingsOf(run.run));
    const files = (worksOn === null ? run : await ledger.find(worksOn))?.inputs ?? [];
    works.push({ worksOn, files });
  }
  const origin = await originsOf(
    ledger,
    works.flatMap(({ files }) => files.slice(0, 1)),
  );
  const breath = breathing();
  const listed: ListedRun[] = [];
  for (const [index, run] of runs.entries()) {
    const undoneBy = undos.get(run.run) ?? [];
    const { worksOn = null, files = [] } = works[index] ?? {};
    const undoRuns = await Promise.all(undoneBy.map((id) => ledger.find(id)));
    listed.push({
      ...(await withSettings(ledger, run)),
      center: centerName(run.installation),
      ...{ worksOn, files, rejectsOf: origin(files[0] ?? '') },
      canResume: resumable.has(run.run),
      undos: undoneBy,
      isTakenBack: undoRuns.some((undo) => undo && hasTakenBack(undo)),
    });
    await breath();
  }
  return listed;
}

/** How the rows of a run have ended so far. */
export interface CountedRows {
  readonly rows: number;
  readonly outcomes: OutcomeCounts;
}

/** Counts the rows of a run whose process could not. Gives way to everything else. @throws as `findRun` does */
export const countRun = (file: string, wanted: string, signal?: AbortSignal): Promise<CountedRows> =>
  viewLedger(file, async (ledger) => {
    const { run } = await recordedRun(ledger, file, wanted);
    const breath = breathing(signal);
    const outcomes = noOutcomes();
    let rows = 0;
    for (const row of await ledger.rowsOf(run)) {
      outcomes[row.outcome]++;
      rows++;
      if (rows % 100 === 0) await breath();
    }
    return { rows, outcomes };
  });
