import type { Correction } from '../../core/table.js';
import {
  type CellPlace,
  type StoredList,
  correctionsPath,
  readCorrections,
  sourceOptions,
} from './lists/lists.js';
import { type PageProblem, pageWords, problemOf, refusal } from './problem.js';
import { createCipheriv, createDecipheriv, randomBytes, createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError, InputError, StopRun } from '../../core/errors.js';
import { type Step, STEPS } from '../shared/page.js';
import type { SiteBase } from './settings.js';
import { readdir, rm, stat } from 'node:fs/promises';
import { makeFolder } from '../../files/regular-file.js';
import { type RunningCheck, startCheck } from '../../run/start-check.js';
import type { CheckResult } from '../../run/requests.js';
import { readMappingText, writtenColumns } from '../../setup/columns.js';
import { defined } from '../../core/text.js';
import { rejectsOf } from './runs/runs.js';
import type { OriginOfRejects } from '../../history/history.js';
import { mappingPathOf, readMapping } from './lists/mappings.js';

type CellInFile = CellPlace & Pick<Correction, 'was'>;

/**
 * Puts what the page is to hand back into a form that it can neither read nor make: with `--mask` it does not know the
 * values that it speaks of. It ends with the process.
 */
export class Seal<T> {
  readonly #key = randomBytes(32);

  close(value: T): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce);
    const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
  }

  /** `undefined`: it was not made here. */
  open(sealed: string): T | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    const begin = NONCE_BYTES + TAG_BYTES;
    if (bytes.length < begin) return undefined;
    const decipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, begin));
    try {
      const text = Buffer.concat([decipher.update(bytes.subarray(begin)), decipher.final()]);
      // Nobody else can have made it.
      return JSON.parse(text.toString('utf8')) as T;
    } catch {
      return undefined;
    }
  }
}

const ALGORITHM = 'aes-256-gcm';
const [NONCE_BYTES, TAG_BYTES] = [12, 16];

const seal = new Seal<CellInFile>();

export const sealedCell = (cell: CellInFile): string => seal.close(cell);

/** @throws Refusal for one of an earlier start */
export function cellOf(sealed: string): CellInFile {
  const cell = seal.open(sealed);
  if (cell) return cell;
  throw refusal('old_rows');
}

/** The correction of a cell, where it has one. */
export const correctionOf = (
  corrections: readonly Correction[],
  { sheet, row, column }: CellPlace,
): Correction | undefined =>
  corrections.find(
    (one) =>
      one.row === row && one.column.trim() === column.trim() && (one.sheet ?? sheet) === sheet,
  );

interface CheckProblem {
  /** Why the check has failed. */
  readonly problem: PageProblem | null;
  /** Why the mapping does not fit. */
  readonly mistakes: readonly {
    readonly line: number | null;
    readonly message: string;
    readonly suggestion: string | null;
  }[];
}

export const NO_PROBLEM: CheckProblem = { problem: null, mistakes: [] };

/** Why a check has failed, and what to do. A mapping that does not fit is shown mistake by mistake. */
export function checkProblem(
  error: unknown,
  { file, name }: Pick<StoredList, 'file' | 'name'> = { file: '', name: '' },
): CheckProblem {
  // The person never saw the path of the copy.
  const named = (text: string): string =>
    pageWords(file === '' ? text : text.replaceAll(file, name));
  if (error instanceof StopRun) return NO_PROBLEM;
  if (error instanceof InputError && error.code.startsWith('correction_')) {
    const { row = 0, column = '' } = error.place;
    return {
      ...NO_PROBLEM,
      problem: {
        code: 'stale_correction',
        sentence: `Row ${row} does not hold any more what was corrected in the column ${column}: the file has changed since.`,
        next: 'Take this correction back.',
        values: { row, column },
      },
    };
  }
  const mistakes = error instanceof ConfigurationError ? error.mistakes : [];
  if (!mistakes.some(({ file }) => basename(file) === 'mapping.yaml'))
    return { ...NO_PROBLEM, problem: problemOf(error).problem };
  return {
    problem: refusal('mapping_does_not_fit').problem,
    mistakes: mistakes.map(({ line, message, suggestion }) => ({
      line: line ?? null,
      message: named(message),
      suggestion: suggestion === undefined ? null : named(suggestion),
    })),
  };
}

/** How long a check that nobody looks at is kept, in milliseconds. */
const IDLE_MS = 5 * 60 * 1000;

interface Entry {
  readonly revision: string;
  readonly check: Promise<KeptCheck>;
  readonly gone: AbortController;
  lookers: number;
  timer: NodeJS.Timeout | undefined;
}

/** The checks of the lists: one for each, shared by all tabs, and ended when nobody looks for a while. */
export class Checks {
  readonly #entries = new Map<string, Entry>();

  constructor(private readonly site: SiteBase) {
    const stopAll = (): void => {
      for (const id of this.#entries.keys()) this.#drop(id);
    };
    site.stop.addEventListener('abort', stopAll, { once: true });
  }

  /**
   * Looks at the check of a list as it is now, for as long as `use` takes. Where mapping, corrections or file have
   * changed, it begins anew.
   * @throws Refusal where there is no mapping, and what the file system says of a file that is gone
   */
  async look<T>(id: string, use: (check: KeptCheck) => Promise<T>): Promise<T> {
    const list = await this.site.lists.get(id);
    for (;;) {
      const { check, release } = await this.hold(list);
      try {
        return await use(check);
      } catch (error) {
        // Another check has taken its place, and its index is gone: the new one is asked.
        if (!check.gone.aborted || this.site.stop.aborted) throw error;
      } finally {
        release();
      }
    }
  }

  /** As `look`, until it is released. `again`: one that has failed begins anew. */
  async hold(list: StoredList, again = false) {
    const revisions = await revisionsOf(list, this.site);
    const found = this.#entries.get(list.id);
    if (found && again) {
      const phase = (await found.check.catch(() => undefined))?.running.state().phase;
      const hasFailed = phase === 'failed' || phase === 'stopped';
      if (hasFailed && this.#entries.get(list.id) === found) this.#drop(list.id);
    }
    const kept = this.#entries.get(list.id);
    const entry = kept?.revision === revisions.revision ? kept : this.#begin(list, revisions);
    entry.lookers++;
    clearTimeout(entry.timer);
    const release = (): void => this.#release(list.id, entry);
    try {
      return { check: await entry.check, release };
    } catch (error) {
      release();
      if (this.#entries.get(list.id) === entry) this.#drop(list.id);
      throw error;
    }
  }

  #begin(list: StoredList, revisions: Revisions): Entry {
    this.#drop(list.id);
    const gone = new AbortController();
    const check = beginCheck(list, revisions, this.site, gone.signal);
    const { revision } = revisions;
    const entry: Entry = { revision, check, gone, lookers: 0, timer: undefined };
    this.#entries.set(list.id, entry);
    if (this.site.stop.aborted) this.#drop(list.id);
    return entry;
  }

  #release(id: string, entry: Entry): void {
    entry.lookers--;
    if (entry.lookers > 0 || this.#entries.get(id) !== entry) return;
    entry.timer = setTimeout(() => this.#drop(id), IDLE_MS);
    // It keeps no process from its end.
    entry.timer.unref();
  }

  #drop(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    clearTimeout(entry.timer);
    entry.gone.abort();
    const closed = entry.check.then(({ running }) => running.close());
    this.site.keep(closed.catch(() => undefined));
  }
}

/** A check of a list, which its tabs share. */
export interface KeptCheck extends Revisions {
  readonly list: StoredList;
  /** Set where the file holds rejects of a run: its rows have other numbers than in the file of that run. */
  readonly rejectsOf: OriginOfRejects | null;
  readonly running: RunningCheck;
  /** What was sentences of the list and its file beside its rows. */
  readonly sentences: readonly string[];
  /** The cells that were corrected when it began. */
  readonly corrections: readonly Correction[];
  /** By its mapping. */
  readonly columnsOf: ColumnsOf;
  /** Resolves at its end, however it ends. */
  readonly ended: Promise<CheckEnd>;
  /** Aborted when another one has taken its place, or it was closed. */
  readonly gone: AbortSignal;
}

export type CheckEnd = { readonly result: CheckResult } | { readonly error: unknown };

/**
 * Begins to check a list.
 * @throws ConfigurationError for corrections that cannot be read, and what the file system says
 */
async function beginCheck(
  list: StoredList,
  revisions: Revisions,
  site: Pick<SiteBase, 'lists' | 'settings'>,
  gone: AbortSignal,
): Promise<KeptCheck> {
  const { settings } = site;
  const mapping = mappingPathOf(site, list);
  const folder = site.lists.workFolder(list.id);
  // Nobody has written there yet where the list is only read.
  makeFolder(folder);
  await removeLeft(folder);
  const corrections = await readCorrections(list);
  const columnsOf = writtenColumns(await readMappingText(mapping));
  const sentences: string[] = [];
  const running = await startCheck({
    onWarning: (message) => sentences.push(message),
    ...{ files: [list.file], mapping, folder, show: 0, source: sourceOptions(list.source) },
    ...defined({
      installation: settings.center?.installation,
      ledger: settings.ledger,
      corrections: await correctionsPath(list),
    }),
  });
  const ended = running.result.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  const from = await rejectsOf(list.file, settings);
  const found = { rejectsOf: from, running, sentences, corrections, columnsOf, ended, gone };
  return { ...revisions, list, ...found };
}

/** The index of a check, and a mapping on trial. */
const LEFT = /^check-\w+\.index$|^mapping\.yaml\.[\da-f]{12}$/;
/** One that nobody has written to for so long was left by a server that was killed, in milliseconds. */
const LEFT_MS = 60 * 60 * 1000;

/** Removes what checks of a killed server have left. One that is in use where it is not removed stays. */
async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!LEFT.test(name)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    // Where an open file cannot be removed, it goes with its own server or with the list.
    if (found && Date.now() - found.mtimeMs > LEFT_MS)
      await rm(path, { force: true }).catch(() => null);
  }
}

/** Nobody reads faster, in milliseconds. */
const EVERY_MS = 250;

/** The states of a check, until it ends or another one takes its place. `end`: set once it has ended. */
export async function* statesOf(check: KeptCheck, signal: AbortSignal) {
  const over = AbortSignal.any([signal, check.gone]);
  for await (const state of check.running.watch(over)) {
    const isEnd = state.phase !== 'opening' && state.phase !== 'reading';
    const end = isEnd ? await check.ended : undefined;
    if (over.aborted) return;
    yield { state, end, over };
    await sleep(isEnd ? 0 : EVERY_MS, undefined, { signal: over }).catch(() => undefined);
  }
}

/** Notes that a list has come to a step. */
export async function reached(
  id: string,
  step: Step,
  { lists, settings }: Pick<SiteBase, 'lists' | 'settings'>,
): Promise<StoredList> {
  const list = await lists.get(id);
  await lists.touch(id);
  const isNew = STEPS.indexOf(list.step) < STEPS.indexOf(step);
  return isNew && !settings.readOnly ? lists.change(id, { step }) : list;
}

/** What a check was made of. */
interface Revisions {
  /** Changes when the file, how it is read, the mapping or a corrected cell does. */
  readonly revision: string;
  /** Changes when the mapping does: a rule names the one that it was made on. */
  readonly mapping: string;
}

/** @throws as `readMapping` does, and what the file system says of a file that is gone */
async function revisionsOf(
  list: StoredList,
  site: Pick<SiteBase, 'lists' | 'settings' | 'tables'>,
): Promise<Revisions> {
  const { revision: mapping } = await readMapping(site, list);
  const corrections = await correctionsPath(list);
  const files = [list.file, corrections, site.settings.center?.installation];
  const states = await Promise.all(files.map(stateOf));
  const all = JSON.stringify([mapping, list.source, ...states]);
  return { mapping, revision: createHash('sha256').update(all).digest('hex').slice(0, 16) };
}

/** Changes when the file does. Reading a large one for its digest would take as long as checking it. */
export async function stateOf(file: string | undefined): Promise<string> {
  if (file === undefined) return '';
  const { size, mtimeMs } = await stat(file);
  return `${size} ${mtimeMs}`;
}

/** Columns of the parts of a client, by the mapping. */
type ColumnsOf = ReturnType<typeof writtenColumns>;

const CONTACTS = ['phones', 'emails', 'addresses'] as const;

/** Parts of a client whose cells can mend what is wrong with a row as a whole, by the code of the problem. */
const PARTS: Readonly<Record<string, Parameters<ColumnsOf>>> = {
  no_phone: ['phones'],
  no_contact: [...CONTACTS],
  two_statuses: [...CONTACTS],
  no_time_zone: ['phones'],
  ambiguous_time_zone: ['phones'],
};

/** The columns whose cells can mend what is wrong with a row as a whole. */
export const mendingColumns = (
  columnsOf: ColumnsOf,
  codes: readonly (string | null)[],
): ReadonlySet<string> => new Set(codes.flatMap((code) => columnsOf(...(PARTS[code ?? ''] ?? []))));
