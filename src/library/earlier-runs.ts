import { reconcileRun as reconcile, undoRun as undo } from '../run/on-record.js';
import { reconcileFiles } from '../run/reconcile.js';
import { importFiles } from '../run/import.js';
import type {
  ExecutableRun,
  ImportResult,
  ReconcileRunRequest,
  RunOptions,
  UndoRequest,
} from '../run/requests.js';
import { resumption } from '../run/resume.js';
import { placeOfRun } from '../history/history.js';
import { UsageError } from '../core/errors.js';
import type { RunMode } from '../core/mode.js';
import { ledgerOf, refusePlaces, type RunResult, modeOf, resultOf } from './result.js';

interface OnRun {
  /** Id of the run. */
  readonly run: string;
  /** Path of the installation file. @default the one of the run */
  readonly installation?: string;
}

/** Options of `undoRun`. */
export interface UndoRunOptions
  extends Omit<UndoRequest, 'run' | 'undoes' | 'installation'>, OnRun {}
/** Options of `reconcileRun`. */
export interface ReconcileRunOptions
  extends Omit<ReconcileRunRequest, 'run' | 'checks' | 'installation'>, OnRun {}
/** Options of `resumeRun`. */
export interface ResumeRunOptions extends Omit<RunOptions, 'again' | 'run' | 'installation'> {
  /** Id of the run. @default the latest that is not finished */
  readonly run?: string;
  /** Path of an installation file, whose ledger is used; the run goes on with its own. @default none */
  readonly installation?: string;
}

/**
 * Takes back what a run did: removes the call applications that it added, deletes the clients that it created, and gives
 * the fields that it changed their values from before. It is a run of its own; what cannot be taken back ends as
 * `failed`.
 * @throws UsageError when the run is not on record, was of a mode of which nothing can be taken back, or was on another
 * contact center; LedgerInUseError when it is under way; ConfigurationError, LedgerError
 */
export async function undoRun({ run, ...options }: UndoRunOptions): Promise<RunResult> {
  refusePlaces(options);
  const place = await placeFor(run, options);
  return resultOf(undo({ ...options, ...place, undoes: run }), () => ({ mode: 'undo' }));
}

/**
 * Checks that everything that the report of a run claims is so in the contact center, and changes nothing.
 * @throws UsageError when the run is not on record, changed nothing, or was on another contact center;
 * LedgerInUseError when it is under way; ConfigurationError, LedgerError
 */
export async function reconcileRun({ run, ...options }: ReconcileRunOptions): Promise<RunResult> {
  refusePlaces(options);
  const place = await placeFor(run, options);
  return resultOf(reconcile({ ...options, ...place, checks: run }), () => ({ mode: 'reconcile' }));
}

/**
 * Goes on with a run that is not at its end, with the options that it began with. What is on record is not sent again;
 * what was under way is looked up first.
 * @throws UsageError when there is no such run, it read standard input, or its input, mapping, installation or campaign
 * has changed; and as the function that began it
 */
export async function resumeRun(options: ResumeRunOptions = {}): Promise<RunResult> {
  refusePlaces(options);
  const { run, installation: _, ...given } = options;
  const resumed = await resumption(await ledgerOf(options), run, given);
  if (resumed.sandbox) needAddress(resumed.request.run, options);
  return resultOf(execute(resumed, given), async () => ({
    run: resumed.request.run,
    mode: await modeOfRun(resumed),
  }));
}

/** Where the run was, as far as the options do not say it. */
async function placeFor(run: string, options: Omit<OnRun, 'run'> & Place): Promise<Where> {
  const ledger = await ledgerOf(options);
  const { installation, sandbox } = await placeOfRun(run, ledger);
  if (sandbox) needAddress(run, options);
  return { ledger, installation: options.installation ?? installation };
}

type Place = Pick<RunOptions, 'ledger' | 'baseUrl'>;
type Where = Required<Pick<RunOptions, 'ledger' | 'installation'>>;

/** Such a run was at an address that is not the installation's, and that may be another one each time. */
function needAddress(run: string | undefined, { baseUrl }: Place): void {
  if (baseUrl === undefined)
    throw new UsageError(
      `Run ${run ?? ''} was sent to another address than the installation's, such as a sandbox. Give that address as baseUrl.`,
    );
}

async function modeOfRun({ kind, request }: ExecutableRun): Promise<RunMode> {
  if (kind === 'import') return (await modeOf(request)).mode;
  return kind === 'undo' ? 'undo' : 'reconcile';
}

/** `given` has what is not kept with a run: who listens, the address, and the environment. */
function execute(
  resumed: ExecutableRun,
  given: Omit<RunOptions, 'installation'>,
): Promise<ImportResult> {
  switch (resumed.kind) {
    case 'import':
      return importFiles({ ...given, ...resumed.request });
    case 'reconcile':
      return reconcileFiles({ ...given, ...resumed.request });
    case 'undo':
      return undo({ ...given, ...resumed.request });
    case 'check':
      return reconcile({ ...given, ...resumed.request });
  }
}
