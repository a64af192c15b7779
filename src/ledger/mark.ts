import {
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../core/errors.js';
import { platform } from 'node:process';
import type { RunRow } from './runs/run-table.js';

/**
 * How far a run is known to be on the disk, in a file beside the ledger: where the ledger knows less, it has lost its
 * end. It is written after each flush of the ledger, so that it never says too much.
 */
export interface RunMark {
  readonly run: string;
  /** Facts of the run that are on the disk. */
  readonly facts: number;
  /** When the run was opened, in milliseconds since the epoch: an older ledger knows an earlier time. */
  readonly openedAt: number;
  /** What the run imports, so that it is known again where the ledger has forgotten the run. */
  readonly of: MarkedInput;
}

export interface MarkedInput {
  /** Name of the first input, for the person; shortened. */
  readonly name: string;
  /** Shows which files they are, and what they held when the run was opened. */
  readonly files: string;
  readonly content: string;
}

/** A mark is written in place: it always has this length. */
const MARK_BYTES = 512;
const NAME_CHARACTERS = 60;

/** The inputs of a run as its mark has them. */
export function markedInput({ inputs, content }: Pick<RunRow, 'inputs' | 'content'>): MarkedInput {
  const [first = ''] = JSON.parse(inputs) as string[];
  const name = Array.from(basename(first)).slice(0, NAME_CHARACTERS).join('');
  return { name, files: digestOf(inputs), content: digestOf(content) };
}

const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 32);
const ENDING = '.mark';

const markFile = (ledger: string, run: string): string => `${ledger}.${run}${ENDING}`;

/** A mark that is open for writing. */
export interface MarkWriter {
  write(facts: number): void;
  close(): void;
}

/** The marks beside a ledger: of runs that are under way, or whose process died. */
export interface RunMarks {
  all(): RunMark[];
  /** `undefined`: it is not there, or cannot be read. */
  of(run: string): RunMark | undefined;
  /** Makes a mark that says nothing yet, where there is none: of a run that is about to be put on record. */
  announce(run: string): void;
  /** Makes the mark of a run that is about to begin or to go on, and sees to it that it outlives a power cut. */
  begin(mark: RunMark): void;
  /** Opens the mark of a run to keep it up to date. */
  open(mark: Omit<RunMark, 'facts'>): MarkWriter;
  /** The ledger has all that the mark speaks of. */
  remove(run: string): void;
}

/** Marks of a ledger in a file, by its path without symbolic links. */
export function marksBeside(ledger: string): RunMarks {
  // One that cannot be read says nothing, as if it were not there.
  const markOf = (run: string): RunMark | undefined => readMark(markFile(ledger, run));
  return {
    of: markOf,
    all: () => marksOf(ledger),
    announce: (run) => {
      if (markOf(run)) return;
      const writer = openMark(ledger, { run, openedAt: 0, of: NOTHING_YET });
      writer.write(0);
      writer.close();
    },
    begin: (mark) => beginMark(ledger, mark),
    open: (mark) => openMark(ledger, mark),
    remove: (run) => rmSync(markFile(ledger, run), { force: true }),
  };
}

/** Of a run that is not on record yet. */
const NOTHING_YET: MarkedInput = { name: '', files: '', content: '' };

function openMark(ledger: string, { run, openedAt, of }: Omit<RunMark, 'facts'>): MarkWriter {
  const { O_CREAT, O_RDWR, O_NOFOLLOW } = constants;
  const file = openSync(markFile(ledger, run), O_CREAT | O_RDWR | O_NOFOLLOW, 0o600);
  return {
    write: (facts) => {
      const text = JSON.stringify({ run, facts, openedAt, of } satisfies RunMark);
      writeSync(file, `${text.padEnd(MARK_BYTES - 1)}\n`, 0);
    },
    close: () => {
      closeSync(file);
    },
  };
}

function beginMark(ledger: string, { facts, ...mark }: RunMark): void {
  const writer = openMark(ledger, mark);
  writer.write(facts);
  writer.close();
  flushFile(markFile(ledger, mark.run));
  // Windows cannot open folders, and keeps the names of files by itself.
  if (platform !== 'win32') flushFile(dirname(ledger));
}

function flushFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function marksOf(ledger: string): RunMark[] {
  const prefix = `${basename(ledger)}.`;
  return readdirSync(dirname(ledger))
    .filter((name) => name.startsWith(prefix) && name.endsWith(ENDING))
    .flatMap((name) => readMark(join(dirname(ledger), name)) ?? []);
}

/** `undefined`: it is not there, or not whole. */
function readMark(file: string): RunMark | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isMark(read) ? read : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    // Its run came to its end meanwhile.
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Checked by hand: the thread that records has no other use for what checks shapes. */
function isMark(read: unknown): read is RunMark {
  if (typeof read !== 'object' || read === null) return false;
  const { run, facts, openedAt, of }: Partial<Record<keyof RunMark, unknown>> = read;
  const isNumbered = typeof facts === 'number' && typeof openedAt === 'number';
  return typeof run === 'string' && isNumbered && typeof of === 'object' && of !== null;
}
