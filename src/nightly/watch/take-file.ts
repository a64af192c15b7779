import { type ImportResult, NOTHING_MORE } from '../../run/requests.js';
import { recordUnread } from '../../run/on-record.js';
import { CardlineError, ConfigurationError, EXIT, NoCampaignError } from '../../core/errors.js';
import { failuresIn } from '../../core/outcome.js';
import type { Event } from '../notices/notice.js';
import { arePartsRight } from '../pickup/load.js';
import {
  type ClaimedFile,
  type Companion,
  type Place,
  type Shelf,
  workFolder,
} from '../places/place.js';
import type { Claim, FileKey, TakenFile } from '../state/state.js';
import { type ListFile, discardUnpacked, unpack } from '../unpack.js';
import {
  type WatcherPorts,
  type Attempt,
  companionsOf,
  isForPerson,
  requestFor,
  unreadReason,
  verdictOn,
} from './verdict.js';
import { counted, whole } from '../../core/text.js';

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

/** How it went with one list. */
type Imported = Exclude<Taken, Shelf> | { readonly shelf: Shelf; readonly beside: Companion[] };

/**
 * Imports the lists of a file that was claimed, keeps the notices of it, and puts it away, in this order. When a watcher is
 * ended in between, the next one does the rest again: the claim says which notices are kept already, and the ledger sees to
 * it that nothing is sent twice.
 */
export async function takeFile(
  ports: WatcherPorts,
  file: ClaimedFile,
  claim: Claim,
  signal: AbortSignal,
): Promise<Taken> {
  const folder = workFolder(ports.work, 'unpacked', file.name);
  try {
    const lists = await listsOf(ports, file, folder, signal);
    if (signal.aborted) return 'interrupted';
    if (Array.isArray(lists)) return await takeLists(ports, file, lists, claim, signal);
    return await putBrokenAway(ports, file, lists, claim);
  } finally {
    await discardUnpacked(folder);
  }
}

async function listsOf(
  { env }: WatcherPorts,
  file: ClaimedFile,
  folder: string,
  signal: AbortSignal,
): Promise<ListFile[] | CardlineError> {
  try {
    return await unpack(file, folder, env, signal);
  } catch (error) {
    if (signal.aborted) return [];
    if (error instanceof CardlineError && error.exitCode !== EXIT.internal) return error;
    throw error;
  }
}

async function putBrokenAway(
  ports: WatcherPorts,
  file: ClaimedFile,
  error: CardlineError,
  claim: Claim,
): Promise<Taken> {
  const item: Item = { label: file.name, list: { path: file.path, part: null }, claim };
  const imported = await concluded(ports, item, { error });
  return typeof imported === 'string' ? imported : putAway(ports, file, [imported]);
}

async function takeLists(
  ports: WatcherPorts,
  file: ClaimedFile,
  lists: readonly ListFile[],
  claim: Claim,
  signal: AbortSignal,
): Promise<Taken> {
  const { state, pickup, clock } = ports;
  const done: Exclude<Imported, string>[] = [];
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
      const imported = await importList(ports, item, signal);
      if (typeof imported === 'string') return imported;
      done.push(imported);
    }
    const taken = await putAway(ports, file, done);
    isOver = taken !== 'lost';
    return taken;
  } finally {
    for (const key of parts) await (isOver ? state.unclaim(key) : state.letGo(key));
  }
}

async function putAway(
  { state, pickup, place, onNote }: WatcherPorts,
  file: ClaimedFile,
  lists: readonly Exclude<Imported, string>[],
): Promise<Taken> {
  const key = { pickup: pickup.name, file: file.name };
  if ((await state.holderOf(key)) !== 'this') return 'lost';
  const shelf = lists.some((list) => list.shelf === 'bad') ? 'bad' : 'good';
  const beside = lists.flatMap((list) => list.beside);
  const where = await place.putAway(file, shelf, beside);
  onNote(`${file.name} is now ${where}.`);
  return shelf;
}

async function importList(ports: WatcherPorts, item: Item, signal: AbortSignal): Promise<Imported> {
  const attempt = await attemptOn(ports, item, signal);
  if (signal.aborted && isInterrupted(attempt)) return 'interrupted';
  return concluded(ports, item, attempt);
}

/** Whether the notice of its run is kept: it is only to be put away, and what has stopped does not go on by itself. */
const hasNotice = ({ claim }: Item): boolean => claim.noticed !== null && claim.noticed !== '';

/** What needs a person is said at once: the next watcher would go on with it. */
const isInterrupted = (attempt: Attempt): boolean =>
  !('error' in attempt) &&
  attempt.result.summary.state === 'stopped' &&
  !isForPerson(attempt.result.stoppedBy);

/** The name under which a list has arrived, which is not where it is read. */
const arrivedAt = ({ words }: Place, label: string): string =>
  `${words.replace(/\/+$/, '')}/${label}`;

async function attemptOn(
  { pickup, place, ledger, env, execute, observer, onNote }: WatcherPorts,
  item: Item,
  signal: AbortSignal,
): Promise<Attempt> {
  const { label, list } = item;
  const onWarning = (message: string): void => {
    onNote(`${label}: ${message}`);
  };
  try {
    const request = {
      ...requestFor(pickup, { path: list.path, name: arrivedAt(place, label) }, ledger),
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

/** Keeps the notices of an attempt, and says where the file goes. */
async function concluded(ports: WatcherPorts, item: Item, attempt: Attempt): Promise<Imported> {
  const { pickup, outbox, state, onNote } = ports;
  const { event: plain, shelf } = verdictOn(pickup, item.label, attempt);
  if (shelf === null) {
    const event = plain;
    onNote(event.sentence);
    const key = { pickup: pickup.name, file: item.label };
    if (!item.claim.hasStopped) await outbox.add([event]);
    await state.noteClaim(key, { hasStopped: true });
    return 'stopped';
  }
  const result = 'error' in attempt ? undefined : attempt.result;
  const taken = takenFile(pickup.name, item.label, plain.kind, result, item.claim.at);
  const unusual = await unusualEvent(ports, taken, result);
  const event = withWarning(plain, unusual);
  if (!(await keepNotices(ports, item, taken, [event, unusual]))) return 'lost';
  if ('error' in attempt && !hasNotice(item)) await putOnRecord(ports, item, attempt.error);
  if (!hasNotice(item)) onNote(event.sentence);
  const beside = companionsOf(attempt, pickup.after.report === 'beside', item.list.part);
  return { shelf, beside };
}

/** So that the file is among the runs; where that cannot be, its notice and its place say the same. */
async function putOnRecord(
  { pickup, place, ledger, onNote }: WatcherPorts,
  { label, list }: Item,
  error: CardlineError,
): Promise<void> {
  const name = arrivedAt(place, label);
  const { files: _, ...request } = requestFor(pickup, { path: list.path, name }, ledger);
  try {
    await recordUnread(request, { name, reason: unreadReason(error) });
  } catch (failure) {
    if (!(failure instanceof CardlineError)) throw failure;
    onNote(`${label} could not be put on record among the runs: ${failure.message}`);
  }
}

/** `false`: another watcher has the file by now. */
async function keepNotices(
  { pickup, outbox }: WatcherPorts,
  { label, claim }: Item,
  taken: TakenFile,
  [event, unusual]: readonly [event: Event, unusual: Event | null],
): Promise<boolean> {
  const { run } = taken;
  // Ended between the notice and the putting away: the notice is kept.
  if (claim.noticed === (run ?? '')) return true;
  const sentence = `The import of ${label} went on.`;
  const recovered: Event | null =
    claim.hasStopped && event.kind !== 'bad'
      ? { kind: 'recovered', pickup: pickup.name, file: label, sentence }
      : null;
  return outbox.add(
    [recovered, event, unusual].filter((one) => one !== null),
    { taken, about: { pickup: pickup.name, file: label, run } },
  );
}

/** What is unusual about a file is the first that its notice says, unless the notice is about nothing else. */
const withWarning = (event: Event, unusual: Event | null): Event =>
  unusual === null || event.rows === 0
    ? event
    : { ...event, sentence: `${unusual.sentence} ${event.sentence}` };

function takenFile(
  pickup: string,
  file: string,
  kind: string,
  result: ImportResult | undefined,
  at: number,
): TakenFile {
  const { run = null, rows = 0, outcomes } = result?.summary ?? {};
  return { pickup, file, run, at, kind, rows, badRows: outcomes ? failuresIn(outcomes) : 0 };
}

async function unusualEvent(
  { pickup: { name: pickup, expect }, state }: WatcherPorts,
  taken: TakenFile,
  result: ImportResult | undefined,
): Promise<Event | null> {
  const { file, run, rows } = taken;
  // What has stopped, or was changed while it was read, says nothing of how large the file is.
  const isCut = result?.stopped !== undefined || result?.summary.changedInputs !== undefined;
  if (run === null || isCut || (result?.already && rows > 0)) return null;
  const last = await state.latest(pickup, COMPARED_FILES);
  const words = unexpectedRows(rows, expect?.rows) ?? unusualIn(taken, last);
  if (words === null) return null;
  return { kind: 'unusual', pickup, file, run, rows, sentence: `${file} is unusual: ${words}.` };
}

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
      ? [`${percent(shareOf(file))} of its rows ended badly, where ${percent(bad)} are usual`]
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

const percent = (share: number): string => `${Number((share * 100).toPrecision(2))} %`;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
