import { rm } from 'node:fs/promises';
import { join, basename } from 'node:path';
import {
  type ClaimedFile,
  type Companion,
  type Place,
  type Shelf,
  workFolder,
} from '../places/place.js';
import {
  codeOf,
  CardlineError,
  InputError,
  EXIT,
  ConfigurationError,
  NoCampaignError,
} from '../../core/errors.js';
import { isDiskFull, makeFolder } from '../../files/regular-file.js';
import type { Secrets, Pickup } from '../pickup/schema.js';
import { unpackZip } from '../../source/source.js';
import { spawn } from 'node:child_process';
import { failuresIn } from '../../core/outcome.js';
import type { RunObserver } from '../../core/report.js';
import { counted, shareText, whole } from '../../core/text.js';
import type { Clock } from '../../core/time.js';
import { type importFiles, recordUnread } from '../../run/import.js';
import { type ImportResult, NOTHING_MORE } from '../../run/requests.js';
import type { Event } from '../notices/notice.js';
import type { Outbox } from '../notices/outbox.js';
import { arePartsRight } from '../pickup/load.js';
import type { Claim, FileKey, TakenFile, WatchState } from '../state/state.js';
import { mistakeByManifest, signOf } from './due.js';
import {
  type Attempt,
  companionsOf,
  isForPerson,
  requestFor,
  unreadReason,
  verdictOn,
} from './verdict.js';

/** What a watcher of one pickup works with. */
export interface WatcherPorts {
  readonly pickup: Pickup;
  readonly place: Place;
  readonly ledger: string | undefined;
  /** Folder on this machine for what is unpacked; nobody else may read it. */
  readonly work: string;
  readonly state: WatchState;
  readonly outbox: Outbox;
  readonly clock: Clock;
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number;
  /** Takes figures of the imports. @default nobody */
  readonly observer?: RunObserver | undefined;
  /** Takes figures of the place. @default nobody */
  readonly figures?: PlaceFigures | undefined;
  /** Carries out an import. */
  readonly execute: typeof importFiles;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with what happens, in words for a person, without personal data. */
  readonly onNote: (message: string) => void;
}

/** Takes note of what happens at a place, for the metrics. */
export interface PlaceFigures {
  /** The place has answered with the files of the pickup that have come and are not put away. */
  listed(names: readonly string[]): void;
  failed(): void;
  putAway(name: string, shelf: Shelf): void;
}

/**
 * How it went with a file. `stopped`: it stays, and is tried again; `interrupted`: so does the next watcher; `lost`:
 * another watcher has it by now.
 */
export type Taken = Shelf | 'stopped' | 'interrupted' | 'lost';

/** A list that is to be imported, with the claim that its notices belong to. */
interface Item {
  /** For people: of an archive, its name and that of the list in it. */
  readonly label: string;
  readonly list: ListFile;
  readonly claim: Claim;
}

/** A list that was imported, or that no other attempt would import. */
interface Done {
  readonly shelf: Shelf;
  readonly beside: Companion[];
}

/** What the claim of a file remembers that is not what its manifest says. */
const REFUSED = 'refused';

/**
 * Takes a file that was claimed: holds it against its manifest, once, imports its lists, keeps the notices of them, and
 * puts it away, in this order. When a watcher is ended in between, the next one does the rest again: the claim says which
 * notices are kept already, and the ledger sees to it that nothing is sent twice.
 */
export class FileTaking {
  readonly #key: FileKey;
  /** Name of the file that says that this one is whole; `null` where time says so. */
  readonly #sign: string | null;

  constructor(
    private readonly ports: WatcherPorts,
    private readonly file: ClaimedFile,
    private readonly claim: Claim,
    private readonly signal: AbortSignal,
  ) {
    const { pickup } = ports;
    this.#key = { pickup: pickup.name, file: file.name };
    this.#sign = signOf(pickup.ready, file.name);
  }

  async take(): Promise<Taken> {
    const { file, claim, signal } = this;
    const { state, place, pickup, work, env } = this.ports;
    if (claim.noticed === REFUSED)
      return this.#refuse(`${file.name} is not what ${this.#sign ?? 'it'} says.`);
    if (!claim.isChecked && this.#sign !== null) {
      const mistake = await mistakeByManifest(pickup.ready, place, file);
      if (mistake !== null) return this.#refuse(mistake);
      // The next file of this name brings a sign of its own, which this one is not held against.
      await place.discard(this.#sign);
      await state.noteClaim(this.#key, { isChecked: true });
    }
    const folder = workFolder(work, 'unpacked', file.name);
    try {
      const lists = await unpack(file, folder, env, signal).catch((error: unknown) => {
        if (signal.aborted) return [];
        if (error instanceof CardlineError && error.exitCode !== EXIT.internal) return error;
        throw error;
      });
      if (signal.aborted) return 'interrupted';
      if (Array.isArray(lists)) return await this.#takeLists(lists);
      const item: Item = { label: file.name, list: { path: file.path, part: null }, claim };
      const done = await this.#conclude(item, { error: lists });
      return typeof done === 'string' ? done : await this.#putAway([done]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #refuse(sentence: string): Promise<Taken> {
    const { place, outbox, onNote } = this.ports;
    if (this.claim.noticed !== REFUSED) {
      const event = { ...this.#key, kind: 'bad', sentence, next: 'Send it again.' } as const;
      const isKept = await outbox.add([event], { about: { ...this.#key, run: REFUSED } });
      if (!isKept) return 'lost';
    }
    if (this.#sign !== null) await place.discard(this.#sign);
    const text = `${sentence}\n`;
    await place.putAway(this.file, 'bad', [{ suffix: '.error.txt', from: { text } }]);
    onNote(sentence);
    return 'bad';
  }

  async #takeLists(lists: readonly ListFile[]): Promise<Taken> {
    const { file, claim } = this;
    const { state, pickup, clock } = this.ports;
    const done: Done[] = [];
    const parts: FileKey[] = [];
    let isOver = false;
    try {
      for (const [index, list] of lists.entries()) {
        const label = list.part === null ? file.name : `${file.name}/${list.part}`;
        const key = { pickup: pickup.name, file: label };
        const own = list.part === null ? claim : await state.claim(key, file.version, clock.now());
        if (!own) return 'lost';
        if (list.part !== null) parts.push(key);
        // That the archive can be unpacked now is said with its first list.
        const hasStopped = own.hasStopped || (index === 0 && claim.hasStopped);
        const item: Item = { label, list, claim: { ...own, hasStopped } };
        const attempt = await this.#attempt(item);
        if (this.signal.aborted && isInterrupted(attempt)) return 'interrupted';
        const imported = await this.#conclude(item, attempt);
        if (typeof imported === 'string') return imported;
        done.push(imported);
      }
      const taken = await this.#putAway(done);
      isOver = taken !== 'lost';
      return taken;
    } finally {
      for (const key of parts) await (isOver ? state.unclaim(key) : state.letGo(key));
    }
  }

  async #putAway(lists: readonly Done[]): Promise<Taken> {
    const { state, place, onNote } = this.ports;
    if ((await state.holderOf(this.#key)) !== 'this') return 'lost';
    const shelf = lists.some((list) => list.shelf === 'bad') ? 'bad' : 'good';
    const beside = lists.flatMap((list) => list.beside);
    const where = await place.putAway(this.file, shelf, beside);
    onNote(`${this.file.name} is now ${where}.`);
    return shelf;
  }

  /** The list under the name by which it has arrived, which is not where it is read. */
  #request({ label, list }: Item): ReturnType<typeof requestFor> {
    const { pickup, place, ledger } = this.ports;
    const name = `${place.words.replace(/\/+$/, '')}/${label}`;
    return requestFor(pickup, { path: list.path, name }, ledger);
  }

  async #attempt(item: Item): Promise<Attempt> {
    const { signal } = this;
    const { pickup, env, execute, observer, onNote } = this.ports;
    const onWarning = (message: string): void => onNote(`${item.label}: ${message}`);
    try {
      const request = {
        ...this.#request(item),
        ...(hasNotice(item) ? { maxFailures: NOTHING_MORE } : {}),
      };
      // Corrected rejects arrive under another name.
      const seen = { pickup: pickup.name, settlesStrays: true, ...(observer && { observer }) };
      return { result: await execute({ ...request, ...seen, env, signal, onWarning }) };
    } catch (error) {
      if (!(error instanceof CardlineError) || error.exitCode === EXIT.internal) throw error;
      // The mapping names a column that the file lacks, or it is wrong by itself since it was changed.
      const isOfParts =
        error instanceof NoCampaignError ||
        (error instanceof ConfigurationError && !(await arePartsRight(pickup)));
      return { error, isOfParts };
    }
  }

  /** Keeps the notices of an attempt, and says where the file goes; `lost`: another watcher has it by now. */
  async #conclude(item: Item, attempt: Attempt): Promise<Exclude<Taken, Shelf> | Done> {
    const { outbox, state, onNote } = this.ports;
    const { label: file, claim } = item;
    const { pickup } = this.#key;
    const { event: plain, shelf } = verdictOn(pickup, file, attempt);
    if (shelf === null) {
      onNote(plain.sentence);
      if (!claim.hasStopped) await outbox.add([plain]);
      await state.noteClaim({ pickup, file }, { hasStopped: true });
      return 'stopped';
    }
    const result = 'error' in attempt ? undefined : attempt.result;
    const { run = null, rows = 0, outcomes } = result?.summary ?? {};
    const badRows = outcomes ? failuresIn(outcomes) : 0;
    const taken: TakenFile = {
      ...{ pickup, file, run, rows, badRows },
      ...{ at: claim.at, kind: plain.kind },
    };
    const unusual = await this.#unusual(taken, result);
    // What is unusual about a file is the first that its notice says, unless the notice is about nothing else.
    const event =
      unusual === null || plain.rows === 0
        ? plain
        : { ...plain, sentence: `${unusual.sentence} ${plain.sentence}` };
    // Ended between the notice and the putting away: the notice is kept.
    if (claim.noticed !== (run ?? '')) {
      const sentence = `The import of ${file} went on.`;
      const recovered: Event | null =
        claim.hasStopped && event.kind !== 'bad'
          ? { kind: 'recovered', pickup, file, sentence }
          : null;
      const events = [recovered, event, unusual].filter((one) => one !== null);
      if (!(await outbox.add(events, { taken, about: { pickup, file, run } }))) return 'lost';
    }
    if ('error' in attempt && !hasNotice(item)) await this.#putOnRecord(item, attempt.error);
    if (!hasNotice(item)) onNote(event.sentence);
    const { report } = this.ports.pickup.after;
    return { shelf, beside: companionsOf(attempt, report === 'beside', item.list.part) };
  }

  /** So that the file is among the runs; where that cannot be, its notice and its place say the same. */
  async #putOnRecord(item: Item, error: CardlineError): Promise<void> {
    const { files: _, ...request } = this.#request(item);
    const [name = item.label] = request.names ?? [];
    try {
      await recordUnread(request, { name, reason: unreadReason(error) });
    } catch (failure) {
      if (!(failure instanceof CardlineError)) throw failure;
      const { message } = failure;
      this.ports.onNote(`${item.label} could not be put on record among the runs: ${message}`);
    }
  }

  async #unusual(taken: TakenFile, result: ImportResult | undefined): Promise<Event | null> {
    const { pickup, file, run, rows } = taken;
    // What has stopped, or was changed while it was read, says nothing of how large the file is.
    const isCut = result?.stopped !== undefined || result?.summary.changedInputs !== undefined;
    if (run === null || isCut || (result?.already && rows > 0)) return null;
    const last = await this.ports.state.latest(pickup, COMPARED_FILES);
    const { expect } = this.ports.pickup;
    const words = unexpectedRows(rows, expect?.rows) ?? unusualIn(taken, last);
    if (words === null) return null;
    return { kind: 'unusual', pickup, file, run, rows, sentence: `${file} is unusual: ${words}.` };
  }
}

/** Whether the notice of its run is kept: it is only to be put away, and what has stopped does not go on by itself. */
const hasNotice = ({ claim }: Item): boolean => claim.noticed !== null && claim.noticed !== '';

/** What needs a person is said at once: the next watcher would go on with it. */
const isInterrupted = (attempt: Attempt): boolean =>
  !('error' in attempt) &&
  attempt.result.summary.state === 'stopped' &&
  !isForPerson(attempt.result.stoppedBy);

/** Files of a pickup that a new one is held against. */
const COMPARED_FILES = 10;
/** Of fewer, chance decides how many rows end badly, and a difference of some rows says nothing. */
const MIN_FILES = 3;
const MIN_DIFFERENCE = 10;
/** How much the number of rows may differ from the usual one, as a share of it. */
const USUAL_ROWS = 0.5;
/** How many more rows of a hundred may end badly than usual. */
const USUAL_BAD = 0.05;

type Figures = Pick<TakenFile, 'rows' | 'badRows'>;

/**
 * What is unusual about a file beside the last ones of its pickup, in words; `null` where nothing is. A file without rows
 * is unusual by itself.
 */
export function unusualIn(file: Figures, last: readonly Figures[]): string | null {
  const compared = last.filter(({ rows }) => rows > 0);
  if (compared.length === 0) return file.rows === 0 ? NO_ROWS : null;
  const areFew = compared.length < MIN_FILES;
  const rows = median(compared.map((other) => other.rows));
  const bad = median(compared.map(shareOf));
  const parts = [
    ...(isFar(file.rows, rows, areFew ? MIN_DIFFERENCE : 0)
      ? [`${rowsText(file.rows)}, where ${whole(Math.round(rows))} are usual`]
      : []),
    ...(!areFew && file.rows > 0 && shareOf(file) > bad + USUAL_BAD
      ? [
          `${shareText(shareOf(file), 1)} of its rows ended badly, where ${shareText(bad, 1)} are usual`,
        ]
      : []),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}

const NO_ROWS = 'it has a header and no rows';

const rowsText = (rows: number): string =>
  rows === 0 ? NO_ROWS : `it has ${counted(rows, 'row')}`;

const isFar = (rows: number, usual: number, minDifference: number): boolean =>
  rows === 0 ||
  (Math.abs(rows - usual) >= minDifference && Math.abs(rows - usual) > usual * USUAL_ROWS);

/** What is wrong with the number of rows, where it is said how many there are; `null` where nothing is. */
export function unexpectedRows(
  rows: number,
  expected: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined,
): string | null {
  const { min = 0, max = Infinity } = expected ?? {};
  if (rows < min) return `${rowsText(rows)}, where at least ${whole(min)} are expected`;
  return rows > max ? `${rowsText(rows)}, where at most ${whole(max)} are expected` : null;
}

const shareOf = ({ rows, badRows }: Figures): number => badRows / rows;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/** How the names of files end that are packed or encrypted. What they hold decides; this says whether to look. */
const ENDS = { zip: /\.zip$/i, encrypted: /\.(?:pgp|gpg|asc)$/i } as const;

/**
 * The lists of a file: itself, or what it holds. What is unpacked or decrypted lies in `folder`, which the caller
 * removes; what was left there by a watcher that was killed is removed first.
 * @throws UnpackError
 */
async function unpack(
  file: ClaimedFile,
  folder: string,
  env: Secrets,
  signal: AbortSignal,
): Promise<ListFile[]> {
  await rm(folder, { recursive: true, force: true });
  if (!Object.values(ENDS).some((end) => end.test(file.name)))
    return [{ path: file.path, part: null }];
  try {
    makeFolder(folder);
    if (!ENDS.encrypted.test(file.name)) return await listsInZip(file.name, file.path, folder);
    const name = basename(file.name.replace(ENDS.encrypted, ''));
    const clear = join(folder, name === '' || name.startsWith('.') ? 'list' : name);
    await decrypt(file, clear, env, signal);
    if (!ENDS.zip.test(name)) return [{ path: clear, part: null }];
    return await listsInZip(file.name, clear, join(folder, '.lists'));
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof CardlineError || code === '') throw error;
    const why = isDiskFull(error)
      ? 'the disk is full. Free some space'
      : `its folder cannot be written (${code})`;
    throw new UnpackError(`${file.name} cannot be unpacked into ${folder}: ${why}.`, false, {
      cause: error,
    });
  }
}

/** The lists of a zip file, unpacked into a folder, in the order of their names. @throws UnpackError */
async function listsInZip(name: string, path: string, folder: string): Promise<ListFile[]> {
  makeFolder(folder);
  const lists = await unpackZip(path, folder).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    throw new UnpackError(`${name} cannot be unpacked: ${error.reason}`, true, { cause: error });
  });
  if (lists.length === 0) throw new UnpackError(`${name} holds no list.`, true);
  return lists.map((list) => ({ path: list.path, part: list.name }));
}

/** Much of what gpg says repeats names of keys; so much of it is shown. */
const MAX_WORDS = 600;

const OPTIONS = ['--batch', '--no-tty', '--yes', '--quiet', '--status-fd', '1', '--no-options'];

/** What gpg reports of a file (doc/DETAILS of GnuPG), with what it means for a person. */
const STATUSES: readonly (readonly [status: RegExp, isOfFile: boolean, words: string])[] = [
  [
    /No space left on device|Disk quota exceeded/,
    false,
    'the disk is full where it is decrypted to. Free some space',
  ],
  [
    /^NO_SECKEY |No secret key/m,
    false,
    'the key that it is encrypted for is not on this machine. Import it with "gpg --import", as the user of the watcher',
  ],
  [
    /^(?:BAD_PASSPHRASE|MISSING_PASSPHRASE) /m,
    false,
    'the key needs a passphrase. Give it to the agent of gpg, or use a key without one',
  ],
  [/^(?:BADMDC|BADSIG) /m, true, 'it was changed on its way. Have it sent again'],
  [/^DECRYPTION_FAILED/m, true, 'it is damaged or cut short. Have it sent again'],
  [/^NODATA /m, true, 'it is not encrypted with OpenPGP. Have it sent again'],
];

/**
 * Decrypts a file with the gpg of this machine. When that fails, nothing of the clear text is left.
 * @throws UnpackError
 */
async function decrypt(
  file: ClaimedFile,
  to: string,
  env: Secrets,
  signal: AbortSignal,
): Promise<void> {
  const { code, status, words } = await gpg(file, to, env, signal);
  signal.throwIfAborted();
  // A message without protection against changes ends with 0 in some versions.
  if (code === 0 && /^DECRYPTION_OKAY/m.test(status)) return;
  await rm(to, { force: true });
  const [, isOfFile, why] = STATUSES.find(([pattern]) => pattern.test(`${status}\n${words}`)) ?? [
    undefined,
    true,
    `gpg says: ${words || 'nothing'}`,
  ];
  throw new UnpackError(
    `${file.name} cannot be decrypted (gpg ended with ${code ?? 'a signal'}): ${why}.`,
    isOfFile,
  );
}

/** gpg needs to find its home and its agent, and nothing else: no secret of the pickups. */
const KEPT = ['PATH', 'HOME', 'GNUPGHOME', 'XDG_RUNTIME_DIR', 'TMPDIR', 'SystemRoot', 'APPDATA'];

function gpg(
  { name, path }: ClaimedFile,
  to: string,
  env: Secrets,
  signal: AbortSignal,
): Promise<{ readonly code: number | null; readonly status: string; readonly words: string }> {
  return new Promise((resolve, reject) => {
    const args = [...OPTIONS, '--output', to, '--decrypt', '--', path];
    // Its words are read, and are to be the same everywhere.
    const own = { ...Object.fromEntries(KEPT.map((key) => [key, env[key]])), LC_ALL: 'C.UTF-8' };
    const child = spawn('gpg', args, { stdio: ['ignore', 'pipe', 'pipe'], env: own });
    const end = (): void => void child.kill();
    signal.addEventListener('abort', end, { once: true });
    let [status, words] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      status += text.replaceAll('[GNUPG:] ', '');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(0, MAX_WORDS);
    });
    child.on('error', (error) => {
      const words = `${name} is encrypted, and gpg is not on this machine. Install it: "apt-get install gpg", "dnf install gnupg2", "apk add gnupg" or "brew install gnupg".`;
      reject(codeOf(error) === 'ENOENT' ? new UnpackError(words, false) : error);
    });
    child.on('close', (code) => {
      signal.removeEventListener('abort', end);
      resolve({ code, status, words: words.trim().replaceAll(/\s*\n\s*/g, '; ') });
    });
  });
}

class UnpackError extends CardlineError {
  constructor(
    message: string,
    /** Whether the file is wrong, and not this machine. */
    isOfFile: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.exitCode = isOfFile ? EXIT.usage : EXIT.stopped;
  }
  readonly exitCode: typeof EXIT.usage | typeof EXIT.stopped;
}

interface ListFile {
  readonly path: string;
  /** Its name in an archive; `null` where the file that arrived is the list. */
  readonly part: string | null;
}
