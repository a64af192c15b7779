import { dateLook, NEEDS_NO_PATTERN, patternsOf } from '../mapping/transforms/date/dates.js';
import type { PreparedChunk } from '../core/prepared.js';
import { type Mode, MODE_TRAITS } from '../core/outcome.js';
import { StopRun, isInterruption } from '../core/errors.js';
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
import { type EditedMapping, editMapping, type MappingEdit } from '../mapping/edit.js';
import { CLIENT_TYPES } from '../core/client.js';
import type { Installation } from '../installation/installation.js';
import { loadInstallation } from '../installation/installation.js';
import { type ColumnUse, columnUses } from '../mapping/column-uses.js';
import { loadMapping } from '../mapping/mapping.js';
import { lookupTable } from '../prepare/lookup-table.js';
import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import type { Scalar } from '../config/document.js';

/* What others need of rejected rows, and of how a person corrects them. */
export {
  type AppendCorrectionOptions,
  type NewCorrection,
  appendCorrection,
  loadCorrections,
} from './corrections.js';
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
  let context: Promise<Mending> | undefined;
  const around = (): Promise<Mending> => {
    context ??= mending(request);
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
      tryRemedies(checked, group, await around(), before, signal),
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
      // If the rest takes as long as what was read. Of a smaller share, that would be a guess.
      secondsLeft:
        isRunning && share >= MIN_SHARE && share < 1 ? (seconds * (1 - share)) / share : null,
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

const MIN_SHARE = 0.01;

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

type Mending = Awaited<ReturnType<typeof mending>>;

/**
 * The mapping of a check, as far as mends depend on it. `needsPhone`: whether a row without any phone is rejected.
 * @throws ConfigurationError when mapping or installation cannot be read any more
 */
async function mending({
  mapping,
  mode,
  installation,
}: Pick<CheckRequest, 'mapping' | 'mode' | 'installation'>) {
  const loaded = await loadMapping(mapping, { readTable: lookupTable, mode });
  const card: Installation['card'] =
    installation === undefined ? {} : (await loadInstallation(installation)).card;
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
  { uses: all, card, needsPhone }: Mending,
): Mend[] {
  const group = groups.get(id);
  const counted = groups.value(id, value);
  if (!group || !counted || group.column === null) return [];
  if (group.code === null || EMPTY_CODES.has(group.code)) return [];
  // Of long values, only the beginning is reported.
  if (value.endsWith('…')) return [];
  const { column } = group;
  const uses = all.filter((use) => use.column === column);
  if (uses.length === 0) return [];

  const replaced = uses.find((use) => use.value !== undefined);
  const choices = replaced && choicesFor(replaced, card);
  // A map rejects what it does not know, or gives it the default: with one, nothing would be rejected any more.
  const keep = choices && replaced.value?.default === undefined ? { keep: choices } : {};
  const edit: MendEdit = { kind: 'mapValue', column, from: value, ...keep };
  const mends: Mend[] = [{ ...mend(edit, counted), ...(choices && { choices }) }];

  // Without the only phone of a client, the row is rejected all the same.
  const phones = all.filter((use) => use.target === 'phone' && use.value !== undefined);
  const isOnlyPhone = phones.length > 0 && phones.every((use) => use.column === column);
  if (needsPhone && isOnlyPhone) return mends;

  // A cell that counts as empty is of no use where the row needs one.
  if (value.trim() !== '' && !uses.some((use) => use.value?.required === true)) {
    const words = new Set([...uses.flatMap((use) => use.value?.blank ?? []), value.trim()]);
    mends.push(mend({ kind: 'blank', column, words: [...words] }, counted));
  }
  const left = uses.find(({ target }) => DROPPABLE.has(target));
  if (left && left.value?.required !== true && left.value?.invalid !== 'drop')
    mends.push(mend({ kind: 'invalid', column, invalid: 'drop' }, { ...group, isMin: false }));
  return mends;
}

function choicesFor({ target, field }: ColumnUse, card: Installation['card']) {
  if (target === 'type') return CLIENT_TYPES;
  return target === 'field' && field !== undefined && Object.hasOwn(card, field)
    ? card[field]?.values
    : undefined;
}

const mend = (edit: MendEdit, { rows, alone, isMin }: Omit<ValueCount, 'value'>): Mend => ({
  ...{ edit, rows, mends: alone, isMin },
});

/** Rows on which remedies are tried: the first ones of a list. */
const TRIED_ROWS = 10_000;

/** What a remedy does, for whoever has words for it. */
type RemedyKind = 'number' | 'date' | 'small' | 'capital' | 'split' | 'optional' | 'drop';

/** A change of the mapping that may mend rows of a group, before it was tried. */
interface Candidate {
  readonly kind: RemedyKind;
  readonly edit: Exclude<MappingEdit, { readonly kind: 'mapValue' | 'blank' }>;
  /** What is chosen in it, such as a pattern of dates or the sign before decimals; empty where there is no choice. */
  readonly choice: string;
}

/** The same with what it gains. */
interface Remedy extends Candidate {
  /** By how many more rows would be sent: those that it mends, less those that it would break. */
  readonly gain: number;
  /** A value that is no problem any more; `null` where none is known. */
  readonly example: string | null;
}

/** Remedies of a group, the one that gains most first. */
interface TriedRemedies {
  /** Rows that they were tried on, from the first. */
  readonly rows: number;
  /** Whether these are all rows of the list. */
  readonly isAll: boolean;
  readonly remedies: readonly Remedy[];
}

/** How many rows of the first ones are sent as the mapping is. */
interface SampleCount {
  readonly rows: number;
  readonly clients: number;
}

/**
 * Tries every change of the mapping that may mend rows of a group, on the first rows of the list. One whose mapping could
 * not be used is no remedy, nor is one that gains nothing; that values are left out is said also where it gains nothing.
 * @throws StopRun when the signal is aborted, and what the file system says of the mapping
 */
async function tryRemedies(
  request: CheckRequest,
  group: ProblemGroup,
  context: Mending,
  before: SampleCount,
  signal: AbortSignal,
): Promise<TriedRemedies> {
  const yaml = await readFile(request.mapping, 'utf8');
  const found: Remedy[] = [];
  let isAll = before.rows < TRIED_ROWS;
  for (const candidate of candidatesFor(group, context)) {
    const edited = editMapping(yaml, candidate.edit);
    if (!('yaml' in edited)) continue;
    const tried = await tryMapping(request, edited.yaml, signal);
    // Other rows than those before cannot be compared: the mapping decides which line is the header.
    if (tried?.rows !== before.rows) continue;
    isAll = tried.isAll;
    const left = tried.groups
      .list()
      .find(({ column, code }) => group.column === column && group.code === code);
    const values = new Set(left?.values.map(({ value }) => value));
    const example = group.values.find(({ value }) => !values.has(value))?.value ?? null;
    found.push({ ...candidate, gain: tried.clients - before.clients, example });
  }
  const remedies = found
    .filter(({ kind, gain }) => gain > 0 || kind === 'drop')
    .sort((one, other) => other.gain - one.gain)
    // Of several ways to read a number, the first that gains most: the others would read some of them as another one.
    .filter(
      ({ kind }, at, all) =>
        kind === 'drop' || kind === 'date' || all.findIndex((one) => one.kind === kind) === at,
    );
  return { rows: before.rows, isAll, remedies };
}

/** What may mend the rows of a group, the most careful change of each kind first. */
function candidatesFor(group: ProblemGroup, { uses, card }: Mending): Candidate[] {
  const { column, code } = group;
  const use = uses.find((one) => one.column === column && one.value !== undefined);
  if (column === null || code === null || !use) return [];
  const values = group.values.map(({ value }) => value);
  const of = (kind: RemedyKind, edit: Candidate['edit'], choice = ''): Candidate => ({
    ...{ kind, edit, choice },
  });
  const step = (kind: RemedyKind, written: Step, choice = ''): Candidate =>
    of(kind, { kind: 'step', column, step: written }, choice);
  const isDroppable = DROPPABLE.has(use.target) && use.value?.invalid !== 'drop';
  return [
    ...(NUMBER_CODES.has(code)
      ? [
          step('number', 'number'),
          step('number', { number: { decimal: ',', thousands: '.' } }, ','),
          step('number', { number: { decimal: '.', thousands: ',' } }, '.'),
        ]
      : []),
    ...(code === 'not_a_date'
      ? dateSteps(use, values).map(([written, pattern]) => step('date', written, pattern))
      : []),
    ...(code === 'not_allowed' || code === 'not_in_map'
      ? lettersOf(use, values, card).map((kind) => step(kind, kind === 'small' ? 'lower' : 'upper'))
      : []),
    ...(SPLIT_TARGETS.has(use.target) && use.value?.split === undefined
      ? SPLIT_SIGNS.filter((sign) => values.some((value) => value.includes(sign))).map((sign) =>
          of('split', { kind: 'split', column, split: sign }, sign),
        )
      : []),
    ...(code === 'required' && use.value?.required === true
      ? [of('optional', { kind: 'required', column, required: false })]
      : []),
    ...(isDroppable && code !== 'required' && code !== 'ragged'
      ? [of('drop', { kind: 'invalid', column, invalid: 'drop' })]
      : []),
  ];
}

type Step = Extract<MappingEdit, { readonly kind: 'step' }>['step'];

/** What can be left out of a client when it is wrong. */
const DROPPABLE: ReadonlySet<ColumnUse['target']> = new Set([
  ...(['field', 'phone', 'email', 'address'] as const),
]);

const NUMBER_CODES: ReadonlySet<string> = new Set([
  ...['not_a_number', 'not_an_integer', 'ambiguous_number'],
]);

const SPLIT_TARGETS: ReadonlySet<ColumnUse['target']> = new Set(['phone', 'email']);
const SPLIT_SIGNS = [';', ',', '/'] as const;

/** How dates that were not understood could be read beside those that are. */
function dateSteps({ value }: ColumnUse, values: readonly string[]): [Step, string][] {
  const steps = [value?.transform ?? []].flat();
  const written = steps.find((one) => typeof one === 'object' && 'date' in one);
  if (typeof written !== 'object' || !('date' in written) || !written.date) return [];
  const options = written.date;
  const known = [options.from ?? []].flat();
  const looks: Record<string, number> = {};
  for (const one of values) {
    const look = dateLook(one.trim(), known);
    if (look !== NEEDS_NO_PATTERN) looks[look] = (looks[look] ?? 0) + 1;
  }
  return patternsOf(looks)
    .slice(0, MAX_PATTERNS)
    .map(({ pattern }) => [{ date: { ...options, from: [...known, pattern] } }, pattern]);
}

/** Patterns that are tried: more are not seen in one column. */
const MAX_PATTERNS = 3;

function lettersOf(
  { field, value }: ColumnUse,
  values: readonly string[],
  card: Installation['card'],
): ('small' | 'capital')[] {
  const mapped = Object.keys(value?.map ?? {});
  const allowed = new Set(
    mapped.length > 0 ? mapped : (field !== undefined && card[field]?.values) || [],
  );
  const some = (changed: (text: string) => string): boolean =>
    values.some((one) => !allowed.has(one) && allowed.has(changed(one.trim())));
  return [
    ...(some((text) => text.toLowerCase()) ? (['small'] as const) : []),
    ...(some((text) => text.toUpperCase()) ? (['capital'] as const) : []),
  ];
}

/** Checks the first rows with another text of the mapping; `undefined`: it cannot be used. */
async function tryMapping(request: CheckRequest, yaml: string, signal: AbortSignal) {
  // What it names lies beside it.
  const mapping = `${request.mapping}.${randomBytes(6).toString('hex')}`;
  const enough = new AbortController();
  const groups = new ProblemGroups();
  let counts: SampleCount = { rows: 0, clients: 0 };
  try {
    await writeFile(mapping, yaml, { mode: 0o600 });
    const { onWarning: _, ...quiet } = request;
    const checked = { ...quiet, mapping, signal: AbortSignal.any([signal, enough.signal]) };
    await checkFiles(checked, {
      keepsRejects: true,
      onOpened: () => undefined,
      onChunk: (chunk, { rows, clients }) => {
        counts = { rows, clients };
        for (const { problems } of chunk.kept) groups.add(problems);
        if (rows >= TRIED_ROWS) enough.abort();
      },
    });
    return { ...counts, isAll: true, groups };
  } catch (error) {
    if (signal.aborted) throw new StopRun('The check was stopped.', { cause: error });
    if (enough.signal.aborted) return { ...counts, isAll: false, groups };
    if (isInterruption(error)) throw error;
    // A mapping that cannot be used is no remedy; what is wrong with the file the check itself says.
    return undefined;
  } finally {
    await rm(mapping, { force: true });
  }
}
