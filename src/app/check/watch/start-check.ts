import type { PreparedChunk } from '../../../core/prepared.js';
import type { Mode } from '../../../core/mode.js';
import { StopRun } from '../../../core/errors.js';
import type { OpenedInput } from '../../../prepare/plan.js';
import type { CheckRequest, CheckResult } from '../../requests.js';
import { Latest } from '../../watch/latest.js';
import { checkFiles, type CheckWatcher } from '../check.js';
import { type CheckState, secondsLeft } from './check-state.js';
import { type Mend, type MendContext, mendContext, mendsOf } from './mends.js';
import { ProblemGroups } from './problem-groups.js';
import { ProblemIndex } from './problem-index.js';
import { type PageRequest, problemPage, type ProblemPage } from './problem-page.js';

/** What a check that is watched is to do. */
export interface StartCheckRequest extends Omit<CheckRequest, 'onProgress'> {
  /** Private folder for the index of rejected rows, which is removed when the check is closed. */
  readonly folder: string;
  /** Bytes of that index; rows beyond are counted, and cannot be shown. @default 2 GiB */
  readonly maxIndexBytes?: number;
}

/** A check under way, or at its end. */
export interface RunningCheck<R = CheckResult> {
  state(): CheckState;
  /** The states from now on, at most ten a second, to the last one. `signal`: ends the watching, and not the check. */
  watch(signal?: AbortSignal): AsyncGenerator<CheckState, void, undefined>;
  /** As `checkFiles` resolves and rejects. No file of rejects is written unless the request names `out`. */
  readonly result: Promise<R>;
  /** Rejected rows, page by page, also while others are checked. Personal data. */
  page(request?: PageRequest): Promise<ProblemPage>;
  /** The rules that mend all rows of a group that have this value. */
  mends(group: number, value: string): Promise<Mend[]>;
  /** Ends the check at once; what has been checked can still be shown. */
  stop(): void;
  /** Ends the check and removes its index. */
  close(): Promise<void>;
}

const FIRST_ROWS = 10_000;
const EVERY_MS = 100;
const MAX_INDEX_BYTES = 2 * 1024 ** 3;

/**
 * Starts to check files, to be watched and shown while it goes on.
 * @throws what the file system says of the folder
 */
export async function startCheck(request: StartCheckRequest): Promise<RunningCheck> {
  const { folder, maxIndexBytes = MAX_INDEX_BYTES, ...checked } = request;
  const index = await ProblemIndex.create(folder, maxIndexBytes);
  const stop = new AbortController();
  const signals = [stop.signal, ...(request.signal ? [request.signal] : [])];
  const progress = new CheckProgress(index, request.out === undefined);
  const latest = new Latest(() => progress.state(), EVERY_MS);
  progress.onChange = () => {
    latest.announce();
  };
  const result = checkFiles({ ...checked, signal: AbortSignal.any(signals) }, progress)
    .then(
      (found) => {
        progress.phase = 'finished';
        return found;
      },
      (error: unknown) => {
        progress.phase = error instanceof StopRun ? 'stopped' : 'failed';
        throw error;
      },
    )
    .finally(() => {
      latest.announce(true);
    });
  // Whoever asks for the result gets the error.
  const settled = result.then(
    () => undefined,
    () => undefined,
  );
  let context: Promise<MendContext> | undefined;
  const mends = async (group: number, value: string): Promise<Mend[]> => {
    context ??= mendContext(request);
    // A file that cannot be read now may be there the next time.
    context.catch(() => (context = undefined));
    return mendsOf(progress.groups, group, value, await context);
  };
  return {
    state: () => progress.state(),
    watch: (signal) => latest.watch(signal),
    result,
    page: (page = {}) => problemPage(index, progress.inputs, page),
    mends,
    stop: () => {
      stop.abort();
    },
    close: async () => {
      stop.abort();
      await settled;
      await index.close();
    },
  };
}

/** Counts and keeps what is found, chunk by chunk. */
class CheckProgress implements CheckWatcher {
  phase: CheckState['phase'] = 'opening';
  inputs: readonly OpenedInput[] = [];
  mode: Mode | null = null;
  onChange: () => void = () => undefined;
  readonly groups = new ProblemGroups();
  readonly #started = performance.now();
  #ended: number | undefined;
  #counts = { rows: 0, clients: 0, rejected: 0, skipped: 0 };
  #duplicates = 0;
  #share = 0;

  constructor(
    private readonly index: ProblemIndex,
    readonly keepsRejects: boolean,
  ) {}

  onOpened(inputs: readonly OpenedInput[], mode: Mode): void {
    this.inputs = inputs;
    this.mode = mode;
    this.phase = 'reading';
    this.onChange();
  }

  async onChunk(
    chunk: PreparedChunk,
    counts: Parameters<CheckWatcher['onChunk']>[1],
    duplicates: number,
  ): Promise<void> {
    for (const row of chunk.kept) this.index.add(chunk, row, this.groups.add(row.problems));
    await this.index.write();
    this.#counts = { ...counts };
    this.#duplicates += duplicates;
    this.#share = chunk.progress;
    this.onChange();
  }

  state(): CheckState {
    const isRunning = this.phase === 'opening' || this.phase === 'reading';
    if (!isRunning) this.#ended ??= performance.now();
    const seconds = ((this.#ended ?? performance.now()) - this.#started) / 1000;
    const totalBytes = this.inputs.reduce((sum, { info }) => sum + info.bytes, 0);
    const share = this.phase === 'finished' ? 1 : this.#share;
    return {
      ...{ phase: this.phase, mode: this.mode, ...this.#counts, duplicates: this.#duplicates },
      hasFirstRows: this.phase === 'finished' || this.#counts.rows >= FIRST_ROWS,
      ...{ bytes: Math.round(share * totalBytes), totalBytes, share, seconds },
      secondsLeft: isRunning ? secondsLeft(share, seconds) : null,
      groups: this.groups.list(),
      indexed: this.index.indexed,
    };
  }
}
