import type { PreparedChunk } from '../core/prepared.js';
import type { CheckOutcome } from '../core/quality.js';
import { type ProblemCount, ProblemCounts } from '../core/problem.js';
import type { RowPart } from '../core/table.js';
import { type ReadSoFar, screenChunk } from '../delivery/import.js';
import { interruption } from '../core/errors.js';
import { seenKeysOf } from '../lists/seen.js';
import { checksOf, ListChecks } from './list.js';
import { partOf, type ImportSetup, rereadPlan } from './inputs.js';
import { readerThreads } from './reader-threads.js';
import type { Preparation, PreparePlan } from '../prepare/plan.js';
import { prepareInThreads } from '../prepare/threads.js';
import type { DuplicateRule, EarlierRows, LaterRows } from '../core/duplicates.js';
import { searchLaterRows } from '../lists/later-rows.js';

/** Rows that are counted at most before a run begins: it takes seconds. */
const MAX_ROWS = 1_000_000;
/** The share of an input that was not read to its end. */
const NEARLY_ALL = 0.999_999;

/** What reading and mapping an input shows before anything is sent. */
export interface CountedRows extends ReadSoFar {
  /** Rows that the mapping rejects. */
  readonly rejected: number;
  /** Why they are rejected, the most frequent reason first. */
  readonly problems: readonly ProblemCount[];
}

/** What is to be known before anything is sent. */
export interface WantedBefore {
  /** The rows that surely end badly. */
  readonly failures: boolean;
  /** Whether the list passes the checks of the mapping, for which all of it is read. */
  readonly checks: boolean;
  /** What rows are compared with beside those before them. @default nothing */
  readonly compared?: Compared | undefined;
}

export interface RowsBefore {
  /** Absent where only a part of the rows is sent, and nobody asked for their failures. */
  readonly counted?: CountedRows;
  readonly checked: readonly CheckOutcome[];
}

type Setup = Pick<ImportSetup, 'request' | 'inputs' | 'corrections'>;

/**
 * Reads the inputs as a check does. Failures are counted in what is sent, up to a million rows; checks are of the whole
 * list, also where a part is tried.
 * @param asOf the moment that counts, as in `PreparePlan`
 * @throws InputError where a file is broken, StopRun when the signal is aborted
 */
export async function countRows(
  setup: Setup,
  { failures, checks, compared }: WantedBefore,
  asOf: number | null | undefined,
  signal?: AbortSignal,
): Promise<RowsBefore> {
  const part = partOf(setup.request);
  if (!checks) return { counted: (await read(setup, { part, asOf }, signal)).counted, checked: [] };
  const list = await read(setup, { part: undefined, asOf, screen: { ...compared } }, signal);
  if (!part) return list;
  const { checked } = list;
  if (!failures) return { checked };
  return { counted: (await read(setup, { part, asOf }, signal)).counted, checked };
}

type Compared = Partial<Pick<ComparedRows, 'earlier' | 'later'>>;

interface WhatToRead {
  readonly part: RowPart | undefined;
  readonly asOf: number | null | undefined;
  /** With what rows are compared where the list is checked. @default it is not */
  readonly screen?: Compared;
}

async function read(
  setup: Setup,
  { part, asOf, screen }: WhatToRead,
  signal: AbortSignal | undefined,
): Promise<Required<RowsBefore>> {
  const preparation = await prepareInThreads(
    { ...rereadPlan(setup), part, asOf, purpose: 'check', show: 0, verify: false },
    await readerThreads(setup.inputs.files, 'check'),
    signal,
  );
  const found = { rows: 0, rejected: 0, share: 1 };
  const problems = new ProblemCounts();
  const list = screen ? createListReader(preparation, screen) : null;
  try {
    for await (const chunk of preparation.chunks()) {
      if (signal?.aborted) throw interruption(signal);
      found.rows += chunk.count;
      found.rejected += chunk.rejected;
      problems.addCounts(chunk.problems);
      list?.add(chunk);
      if (list || found.rows < MAX_ROWS) continue;
      // A last chunk that ends at the border is not known to be the last.
      found.share = Math.min(chunk.progress, NEARLY_ALL);
      break;
    }
    const counted = { ...found, problems: problems.list() };
    return { counted, checked: list?.checks.outcomes() ?? [] };
  } finally {
    list?.close();
    await preparation.close();
  }
}

/** Counts what the checks look for, duplicates included where one asks for them. */
function createListReader(preparation: Preparation, compared: Compared) {
  const checks = new ListChecks(checksOf(preparation));
  const inputs = preparation.inputs.map(({ name }) => name);
  const seen = checks.countsDuplicates ? seenKeysOf(preparation.duplicates.by) : null;
  const screen = seen && { ...compared, duplicates: preparation.duplicates, inputs, seen };
  let number = 0;
  return {
    checks,
    add: (chunk: PreparedChunk): void => {
      checks.addChunk(chunk);
      if (!screen) return;
      const { duplicates } = screenChunk(screen, chunk, number++);
      checks.addDuplicates(chunk, duplicates);
    },
    close: (): void => seen?.close(),
  };
}

/** What is known before the first row is sent, where the rule of duplicates asks for it. */
export interface ComparedRows {
  readonly earlier: EarlierRows | undefined;
  readonly later: LaterRows | undefined;
  close(): void;
}

/** How it is found out. */
interface ComparedSearch {
  readonly earlier: () => Promise<EarlierRows | undefined>;
  readonly later: (earlier: EarlierRows | undefined) => Promise<LaterRows | undefined>;
}

/** Asks for what the rule needs; nothing where it compares a row with those before it alone. */
export async function comparedRows(
  { by, within, keep }: DuplicateRule,
  search: ComparedSearch,
): Promise<ComparedRows> {
  const compares = by.length > 0;
  const earlier = compares && within === 'runs' ? await search.earlier() : undefined;
  try {
    const later = compares && keep === 'last' ? await search.later(earlier) : undefined;
    const close = (): void => {
      earlier?.close();
      later?.close();
    };
    return { earlier, later, close };
  } catch (error) {
    earlier?.close();
    throw error;
  }
}

/**
 * Reads and maps the files once, and finds out which of their rows give way to later ones.
 * @throws InputError where a file is broken, StopRun when the signal is aborted
 */
export async function laterRows(
  { by }: Pick<DuplicateRule, 'by'>,
  plan: Omit<PreparePlan, 'purpose' | 'show' | 'verify' | 'share'>,
  earlier: EarlierRows | undefined,
  signal?: AbortSignal,
): Promise<LaterRows> {
  const search = searchLaterRows(by, earlier);
  try {
    const preparation = await prepareInThreads(
      { ...plan, purpose: 'check', show: 0, verify: false },
      await readerThreads(plan.inputs, 'check'),
      signal,
    );
    try {
      for await (const chunk of preparation.chunks()) {
        if (signal?.aborted) throw interruption(signal);
        search.add(chunk);
      }
    } finally {
      await preparation.close();
    }
    return await search.decide(signal);
  } catch (error) {
    throw signal?.aborted ? interruption(signal, { cause: error }) : error;
  } finally {
    search.close();
  }
}
