import { createHash } from 'node:crypto';
import { centerKey } from '../../core/center.js';
import { UsageError } from '../../core/errors.js';
import type { RunIdentity, RunRecord } from '../../core/ledger.js';
import { type Installation, syncFields } from '../../installation/installation.js';
import { loadInstallation } from '../../installation/load.js';
import { type HeldRun, type Ledger, openLedger } from '../../ledger/ledger.js';
import { connect } from '../connect/connect.js';
import { joinSharedPace } from '../connect/join-shared-pace.js';
import { centerOf } from '../repeats/run-identity.js';
import type { ImportResult, RunOptions } from '../requests.js';
import { recordedRun } from '../runs/recorded-run.js';
import { executeRun } from './execute-run.js';
import { ledgerPath } from './ledger-path.js';
import { observed } from './observe/observed.js';
import type { RunPlan } from './run-plan.js';
import { NO_DUPLICATES } from '../../core/duplicates.js';
import { foldChunk, type Fact, type RowState } from '../../core/facts.js';
import type { CountedRows } from '../inputs/count-rows.js';
import { isErased } from '../../core/erase.js';
import type { PreparedChunk, RowRecord } from '../../core/prepared.js';
import type { Problem } from '../../core/problem.js';
import { type TakenRow, recordedChunk } from './recorded-chunk.js';

/** What is done with the rows of a run on record. */
interface WorkOnRun {
  /** Id of the run. */
  readonly run: string;
  /** Whether nobody may continue the run meanwhile. */
  readonly holds: boolean;
  /** @throws UsageError where this cannot be done with the run */
  readonly checkRun: (record: RunRecord) => void;
  readonly rows: (record: RunRecord) => RowsOfRun;
  readonly plan: (record: RunRecord, installation: Installation) => Omit<RunPlan, keyof SharedPlan>;
  /** Text that is the same when the same is done once more. */
  readonly identity: (record: RunRecord, ledger: Ledger) => Promise<string>;
  /** Whatever is needed to begin it again without its command. */
  readonly settings: object;
}

/** Executes a run whose input is a run on record, in the same ledger and at the same contact center. */
export const executeOnRun = (request: RunOptions, work: WorkOnRun): Promise<ImportResult> =>
  observed(request, (seen) => executeObserved(seen, work));

async function executeObserved(request: RunOptions, work: WorkOnRun): Promise<ImportResult> {
  const installation = await loadInstallation(request.installation);
  const file = ledgerPath(request.ledger, installation);
  const ledger = await openLedger(file, { lease: request.lease });
  let held: HeldRun | undefined;
  try {
    await recordedRun(ledger, file, work.run);
    if (work.holds) held = await ledger.holdRun(work.run);
    // As it is now that nobody continues it.
    const record = await recordedRun(ledger, file, work.run);
    work.checkRun(record);
    refuseOtherCenter(record, installation, request);
    const connection = connect(request, installation);
    if (held) connection.gates.add(held.mayBegin);
    connection.shared = await joinSharedPace(request, installation);
    try {
      const shared = planForRun(ledger, record, installation, work.rows(record));
      return await executeRun(
        request,
        { ...shared, ...work.plan(record, installation) },
        {
          ledger,
          identity: identityOn(record, await work.identity(record, ledger)),
          settings: work.settings,
          connection,
          before: () => 0,
        },
      );
    } finally {
      await connection.shared?.close();
      await connection.center.close();
    }
  } finally {
    await held?.release();
    await ledger.close();
  }
}

function refuseOtherCenter(
  { run, installation: center }: RunRecord,
  installation: Installation,
  { baseUrl }: RunOptions,
): void {
  if (centerKey(center) !== centerKey(centerOf(installation, baseUrl !== undefined)))
    throw new UsageError(
      `Run ${run} was on another contact center than the one that installation "${installation.name}" describes.`,
    );
}

function identityOn({ run, installation, campaignId }: RunRecord, text: string): RunIdentity {
  const digest = createHash('sha256').update(text).digest('hex');
  return { inputs: [`run ${run}`], content: digest, mapping: digest, installation, campaignId };
}

type SharedPlan = Omit<RunPlan, 'mode' | 'changeRule' | 'inspect'>;
type RowsOfRun = Pick<LedgerChunks, 'backwards' | 'payloadOf' | 'skipped'>;

/** What all work on the rows of an earlier run has in common: the ledger is its input. */
function planForRun(
  ledger: Ledger,
  { run, campaignId, rows: total }: RunRecord,
  installation: Installation,
  rows: RowsOfRun,
): SharedPlan {
  const identifierNames = syncFields(installation.card);
  return {
    installation,
    campaign: campaignId === null ? null : { id: campaignId, maxCallCount: 1 },
    duplicates: NO_DUPLICATES,
    identifierNames,
    inputs: [`run ${run}`],
    chunks: () =>
      ledgerChunks({
        ...rows,
        chunks: () => ledger.factsOf(run, rows.backwards),
        identifierNames,
        total: total ?? 0,
      }),
    countRows: async () => ({ counted: await rowsOnRecord(ledger, run), checked: [] }),
    recovery: {},
  };
}

/** All rows of a run; none of them is rejected before it is looked at. */
async function rowsOnRecord(ledger: Ledger, run: string): Promise<CountedRows> {
  let rows = 0;
  for (const [, facts] of await ledger.factsOf(run)) rows += foldChunk(facts)?.states.length ?? 0;
  return { rows, share: 1, rejected: 0, problems: [] };
}

/** What is to be done about a row of an earlier run; `null` when nothing is. */
type FromRow = (state: RowState) => object | null;

interface LedgerChunks {
  /** The facts of the earlier run, chunk by chunk, each with its number. */
  readonly chunks: () => Promise<Iterable<readonly [number: number, facts: readonly Fact[]]>>;
  /** Works from the last row to the first, for what has to be taken back in that order. @default false */
  readonly backwards?: boolean;
  readonly identifierNames: readonly string[];
  /** Rows of the run, for the progress. */
  readonly total: number;
  readonly payloadOf: FromRow;
  /** Says of a row without payload why it is skipped. */
  readonly skipped: Problem;
}

/** The rows of an earlier run, as its ledger has them, for a run that works on what it did. */
export async function* ledgerChunks(
  request: LedgerChunks,
): AsyncGenerator<PreparedChunk, void, undefined> {
  for (const [number, facts] of await request.chunks()) {
    const folded = foldChunk(facts);
    if (folded) yield { ...chunkOf(folded, request), number };
    // Reading the ledger holds up everything else; others have their turn in between.
    await new Promise(setImmediate);
  }
}

function chunkOf(
  { read, states }: NonNullable<ReturnType<typeof foldChunk>>,
  { identifierNames, total, payloadOf, skipped, backwards = false }: LedgerChunks,
): PreparedChunk {
  const taken: TakenRow[] = [];
  const records = read.rows.map((record, at): RowRecord => {
    const state = states[at];
    const [row, uuid, identifiers] = record;
    // Of an erased person nobody knows who it was.
    const payload = state && !isErased(record) ? payloadOf(state) : null;
    if (!payload) return [row, uuid, identifiers, 2, [skipped]];
    taken.push({ at, record, payload });
    return [row, uuid, identifiers, 0];
  });
  if (backwards) taken.reverse();
  const { input, sheet, first } = read;
  const done = backwards ? total - first : first + records.length;
  return recordedChunk({ input, sheet, first, rows: records }, taken, identifierNames, {
    total,
    done,
  });
}
