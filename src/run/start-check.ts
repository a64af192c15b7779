import type { PreparedChunk } from '../core/prepared.js';
import { type Mode, MODE_TRAITS } from '../core/mode.js';
import { StopRun } from '../core/errors.js';
import type { OpenedInput } from '../prepare/plan.js';
import type { CheckRequest, CheckResult } from './requests.js';
import { watchable } from './watch.js';
import { checkFiles, type CheckWatcher } from './check.js';
import {
  ProblemGroups,
  ProblemIndex,
  type PageRequest,
  problemPage,
  type ProblemPage,
  type Indexed,
  type ProblemGroup,
  type ValueCount,
} from './problems.js';
import { type EditedMapping, editMapping } from '../mapping/edit.js';
import {
  DROPPABLE,
  type Remedy,
  type SampleCount,
  type TriedRemedies,
  TRIED_ROWS,
  tryRemedies,
} from './remedies.js';
import { CLIENT_TYPES } from '../core/client.js';
import type { Installation } from '../installation/installation.js';
import { loadInstallation } from '../installation/load.js';
import { type ColumnUse, columnUses } from '../mapping/column-uses.js';
import { loadMapping } from '../mapping/mapping.js';
import { lookupTable } from '../prepare/lookup-table.js';
import type { Scalar } from '../config/scalar.js';

export type {
  CellProblem,
  Indexed,
  PageRequest,
  ProblemCell,
  ProblemGroup,
  ProblemPage,
  ProblemRow,
  ValueCount,
} from './problems.js';

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
  /**
   * Changes that mend rows of a group whatever their values are, tried on the first rows; `null` before these were read.
   * `signal`: aborted when nobody waits for them any more; they are tried for as long as somebody else does.
   */
  readonly remedies: (group: number, signal: AbortSignal) => Promise<TriedRemedies | null>;
  /** Ends the check at once; what has been checked can still be shown. */
  stop(): void;
  /** Ends the check and removes its index. */
  close(): Promise<void>;
}

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
  const running = checkFiles({ ...checked, signal: AbortSignal.any(signals) }, progress).then(
    (found) => {
      progress.phase = 'finished';
      progress.sample ??= { rows: found.rows, clients: found.clients };
      return found;
    },
    (error: unknown) => {
      progress.phase = error instanceof StopRun ? 'stopped' : 'failed';
      throw error;
    },
  );
  const watched = watchable(progress, running);
  let context: Promise<MendContext> | undefined;
  const around = (): Promise<MendContext> => {
    context ??= mendContext(request);
    // A file that cannot be read now may be there the next time.
    context.catch(() => (context = undefined));
    return context;
  };
  const mends = async (group: number, value: string): Promise<Mend[]> =>
    mendsOf(progress.groups, group, value, await around());
  /** Which remedies a group has depends on values that are still counted: those of a check under way are not kept. */
  const tried = new Map<number, SharedTrial>();
  const remedies: RunningCheck['remedies'] = async (id, asked) => {
    const [group, before] = [progress.groups.get(id), progress.sample];
    if (!group || !before) return null;
    const kept = tried.get(id);
    if (kept && !kept.isOver) return kept.wait(asked);
    const trial = new SharedTrial(signals, async (signal) =>
      tryRemedies(checked, group, { ...(await around()), before, signal }),
    );
    if (progress.phase === 'finished') tried.set(id, trial);
    return trial.wait(asked);
  };
  return {
    ...watched,
    page: (page = {}) => Promise.resolve(problemPage(index, progress.inputs, page)),
    mends,
    remedies,
    stop: () => {
      stop.abort();
    },
    close: async () => {
      stop.abort();
      await Promise.allSettled([watched.result]);
      await index.close();
    },
  };
}

/** Remedies that are tried for all who wait for them, and no longer than somebody does. */
class SharedTrial {
  readonly #stop = new AbortController();
  readonly #trying: Promise<TriedRemedies>;
  #waiting = 0;
  #hasFailed = false;

  constructor(
    signals: readonly AbortSignal[],
    work: (signal: AbortSignal) => Promise<TriedRemedies>,
  ) {
    this.#trying = work(AbortSignal.any([...signals, this.#stop.signal]));
    this.#trying.catch(() => (this.#hasFailed = true));
  }

  /** Whether it has come to nothing, so that another one has to begin. */
  get isOver(): boolean {
    return this.#hasFailed || this.#stop.signal.aborted;
  }

  async wait(signal: AbortSignal | undefined): Promise<TriedRemedies> {
    this.#waiting++;
    const leave = (): void => {
      if (--this.#waiting === 0) this.#stop.abort();
    };
    if (signal?.aborted) leave();
    else signal?.addEventListener('abort', leave, { once: true });
    try {
      return await this.#trying;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }
}

/** Counts and keeps what is found, chunk by chunk. */
class CheckProgress implements CheckWatcher {
  phase: CheckState['phase'] = 'opening';
  inputs: readonly OpenedInput[] = [];
  mode: Mode | null = null;
  onChange: () => void = () => undefined;
  readonly groups = new ProblemGroups();
  /** What became of the first rows; `null` as long as they are not all checked. */
  sample: SampleCount | null = null;
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

  onChunk(
    chunk: PreparedChunk,
    counts: Parameters<CheckWatcher['onChunk']>[1],
    duplicates: number,
  ): void {
    this.index.add(chunk, this.groups);
    this.#counts = { ...counts };
    const { rows, clients } = counts;
    if (rows >= TRIED_ROWS) this.sample ??= { rows, clients };
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
      hasFirstRows: this.phase === 'finished' || this.#counts.rows >= TRIED_ROWS,
      ...{ bytes: Math.round(share * totalBytes), totalBytes, share, seconds },
      secondsLeft: isRunning ? secondsLeft(share, seconds) : null,
      groups: this.groups.list(),
      indexed: this.index.indexed,
    };
  }
}

/** Where a check stands. */
export interface CheckState {
  readonly phase: 'opening' | 'reading' | 'finished' | 'stopped' | 'failed';
  /** The mode in force; `null` as long as it is not known. */
  readonly mode: Mode | null;
  /** Whether the first 10,000 rows, or all, have been checked. */
  readonly hasFirstRows: boolean;
  /** Data rows that have been checked. */
  readonly rows: number;
  /** Rows that would be sent. */
  readonly clients: number;
  readonly rejected: number;
  /** Rows that would be left out by the mapping, duplicates among them. */
  readonly skipped: number;
  readonly duplicates: number;
  /** Bytes of the files: those that have been read, and all. */
  readonly bytes: number;
  readonly totalBytes: number;
  /** Share of the files that has been read, 0 to 1. */
  readonly share: number;
  readonly seconds: number;
  /** Estimated; `null` as long as nothing can be said, and at the end. */
  readonly secondsLeft: number | null;
  /** Why rows are rejected, the largest group first. */
  readonly groups: readonly ProblemGroup[];
  /** What of the rejected rows can be shown page by page. */
  readonly indexed: Indexed;
}

/** Of a share that is smaller, the time left is a guess. */
const MIN_SHARE = 0.01;

/** How long the rest takes, if it takes as long as what was read. */
function secondsLeft(share: number, seconds: number): number | null {
  return share < MIN_SHARE || share >= 1 ? null : (seconds * (1 - share)) / share;
}

/**
 * The text of a mapping with the rule that a mend is; all else stays as it is written.
 * @param to what a value is replaced by; of no use to other mends
 */
export function mendedMapping(
  yaml: string,
  edit: MendEdit | Remedy['edit'],
  to: string,
): EditedMapping {
  switch (edit.kind) {
    case 'mapValue': {
      const { keep, ...others } = edit;
      return editMapping(yaml, { ...others, to, ...(keep ? { keep: [...keep] } : {}) });
    }
    case 'blank':
      return editMapping(yaml, { ...edit, words: [...edit.words] });
    default:
      return editMapping(yaml, edit);
  }
}

/** An edit of the mapping, in the form in which mappings are edited. */
export type MendEdit =
  /** `to` is chosen by the person: what the value is replaced by. `keep`: values that stay as they are. */
  | {
      readonly kind: 'mapValue';
      readonly column: string;
      readonly from: string;
      readonly keep?: readonly string[];
    }
  | { readonly kind: 'blank'; readonly column: string; readonly words: readonly Scalar[] }
  | { readonly kind: 'invalid'; readonly column: string; readonly invalid: 'drop' };

/** A rule that mends all rows with a value, or all of a group. */
export interface Mend {
  readonly edit: MendEdit;
  /** Rows that the rule touches. */
  readonly rows: number;
  /** Rows among them in which nothing else is wrong: so many it mends at most. */
  readonly mends: number;
  /** Whether both numbers may be larger, since the value was not counted all the time. */
  readonly isMin: boolean;
  /** Values that the card takes in the place of this one; absent: any. */
  readonly choices?: readonly string[];
}

/** The mapping of a check, as far as mends depend on it. */
interface MendContext {
  readonly uses: readonly ColumnUse[];
  readonly card: Installation['card'];
  /** Whether a row without any phone is rejected. */
  readonly needsPhone: boolean;
}

/** @throws ConfigurationError when mapping or installation cannot be read any more */
async function mendContext({
  mapping,
  mode,
  installation,
}: Pick<CheckRequest, 'mapping' | 'mode' | 'installation'>): Promise<MendContext> {
  const loaded = await loadMapping(mapping, { readTable: lookupTable, mode });
  const card = installation === undefined ? {} : (await loadInstallation(installation)).card;
  return { uses: columnUses(loaded), card, needsPhone: MODE_TRAITS[loaded.mode].creates };
}

/** Problems of cells that hold nothing: there is no value to replace. */
const EMPTY_CODES: ReadonlySet<string> = new Set(['required', 'ragged']);

/**
 * The rules that mend the rows of a group that have this value: the value replaced by another, counted as an empty cell,
 * or left out with all others that are wrong in the column.
 */
function mendsOf(
  groups: ProblemGroups,
  id: number,
  value: string,
  { uses: all, card, needsPhone }: MendContext,
): Mend[] {
  const group = groups.get(id);
  const counted = groups.value(id, value);
  if (!group || !counted || group.column === null || isShort(value)) return [];
  if (group.code === null || EMPTY_CODES.has(group.code)) return [];
  const { column } = group;
  const uses = all.filter((use) => use.column === column);
  if (uses.length === 0) return [];
  const replaced = replacing(column, value, counted, uses, card);
  if (needsPhone && isOnlyPhone(column, all)) return [replaced];
  return [replaced, ...blankMends(uses, column, value, counted), ...dropMends(uses, group)];
}

/** A map rejects what it does not know, or gives it the default: with one, nothing would be rejected any more. */
function replacing(
  column: string,
  value: string,
  counted: ValueCount,
  uses: readonly ColumnUse[],
  card: Installation['card'],
): Mend {
  const [use] = uses.filter((one) => one.value !== undefined);
  const choices = use && choicesFor(use, card);
  const edit = { kind: 'mapValue', column, from: value } as const;
  if (!choices) return mend(edit, counted);
  const isKept = use.value?.default === undefined;
  return { ...mend(isKept ? { ...edit, keep: choices } : edit, counted), choices };
}

function choicesFor({ target, field }: ColumnUse, card: Installation['card']) {
  if (target === 'type') return CLIENT_TYPES;
  return target === 'field' && field !== undefined && Object.hasOwn(card, field)
    ? card[field]?.values
    : undefined;
}

/** Whether a client has no other phone than that of the column: without it, the row is rejected all the same. */
function isOnlyPhone(column: string, uses: readonly ColumnUse[]): boolean {
  const phones = uses.filter(({ target, value }) => target === 'phone' && value !== undefined);
  return phones.length > 0 && phones.every((use) => use.column === column);
}

/** Whether it is only the beginning of the value, as long ones are reported. */
const isShort = (value: string): boolean => value.endsWith('…');

const mend = (edit: MendEdit, { rows, alone, isMin }: Omit<ValueCount, 'value'>): Mend => ({
  ...{ edit, rows, mends: alone, isMin },
});

/** A cell that counts as empty is of no use where the row needs one. */
function blankMends(
  uses: readonly ColumnUse[],
  column: string,
  value: string,
  counted: ValueCount,
): Mend[] {
  if (uses.some((use) => use.value?.required === true)) return [];
  const own = uses.flatMap((use) => use.value?.blank ?? []);
  const words = [...new Set([...own, value.trim()])];
  return value.trim() === '' ? [] : [mend({ kind: 'blank', column, words }, counted)];
}

function dropMends(uses: readonly ColumnUse[], { column, rows, alone }: ProblemGroup): Mend[] {
  const [use] = uses.filter(({ target }) => DROPPABLE.has(target));
  if (!use || column === null || use.value?.required === true || use.value?.invalid === 'drop')
    return [];
  return [mend({ kind: 'invalid', column, invalid: 'drop' }, { rows, alone, isMin: false })];
}
