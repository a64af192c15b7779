import { ledgerPath } from '../../options/places.js';
import { showRun } from '../../history/history.js';
import { CardlineError, EXIT, type ExitCode } from '../../core/errors.js';
import { OUTCOME_TRAITS, OUTCOMES } from '../../core/outcome.js';
import { systemClock } from '../../core/time.js';
import { counted, whole } from '../../core/text.js';
import { loadInstallation } from '../../installation/installation.js';
import { NOTICES, type NoticeKind } from '../notices/notice.js';
import { loadPickups, type PickupFile } from '../pickup/load.js';
import type { Pickup, Secrets } from '../pickup/schema.js';
import { mayFitPattern, memoryOf, type Place, PlaceError } from '../places/place.js';
import { openPlace } from '../places/open-place.js';
import { openState, type TakenFile, type WatchState } from '../state/state.js';
import { lateAt, arrivals } from './due.js';

/** A file that was taken last, and what became of it. */
interface LastFile extends Pick<TakenFile, 'file' | 'run' | 'kind' | 'rows' | 'badRows'> {
  /** When it was taken, as an ISO time. */
  readonly at: string;
  /** Rows that reached the contact center; `null` where the ledger does not know the run. */
  readonly sent: number | null;
}

/** How one source stands. */
interface SourceStatus {
  readonly name: string;
  readonly place: string;
  /** `null` where none was taken yet. */
  readonly last: LastFile | null;
  readonly waiting: readonly { readonly file: string; readonly why: string }[];
  /** What should have come, in a sentence; `null` where nothing is late. */
  readonly late: string | null;
  /** 3: it does not go on; 2: it needs a person; 0: neither. */
  readonly exitCode: ExitCode;
}

interface WatchStatus {
  readonly at: string;
  /** The worst of the sources. */
  readonly exitCode: ExitCode;
  readonly sources: readonly SourceStatus[];
}

/** How all sources of a pickup file stand. Takes nothing. `now`: in milliseconds since the epoch. */
export async function statusOf(
  settings: PickupFile,
  state: WatchState,
  env: Secrets,
  now: number,
): Promise<WatchStatus> {
  const sources = await Promise.all(
    settings.pickups.map((pickup) => sourceStatus(settings, pickup, state, env, now)),
  );
  const exitCode = ([EXIT.stopped, EXIT.rows] as const).find((code) =>
    sources.some((source) => source.exitCode === code),
  );
  return { at: new Date(now).toISOString(), exitCode: exitCode ?? EXIT.ok, sources };
}

async function sourceStatus(
  { ledger, work }: PickupFile,
  pickup: Pickup,
  state: WatchState,
  env: Secrets,
  now: number,
): Promise<SourceStatus> {
  const place = openPlace(pickup, { memory: memoryOf(state, pickup.name), work, env });
  try {
    const [taken] = await state.latest(pickup.name, 1);
    const since = Number((await state.mark(pickup.name, 'since')) ?? now);
    const late = lateAt(pickup, now, since, taken?.at ?? null)?.sentence ?? null;
    const last = taken ? await lastFile(taken, pickup, ledger) : null;
    const { waiting, isStopped, needsPerson } = await waitingAt(place, pickup, state);
    const isBad = needsPerson || late !== null || (last !== null && isWrong(last));
    const exitCode = isStopped ? EXIT.stopped : isBad ? EXIT.rows : EXIT.ok;
    return { name: pickup.name, place: place.words, last, waiting, late, exitCode };
  } finally {
    await place.close();
  }
}

/** A file that came again has the rows of its first import that need a person. */
const isWrong = ({ kind, badRows }: LastFile): boolean =>
  badRows > 0 || (kind in NOTICES && NOTICES[kind as NoticeKind].needsYou);

async function lastFile(
  { file, at, kind, rows, badRows, run }: TakenFile,
  { import: { installation } }: Pickup,
  ledger: string | undefined,
): Promise<LastFile> {
  const known = { file, at: new Date(at).toISOString(), kind, run, rows, badRows };
  if (run === null) return { ...known, sent: 0 };
  try {
    const own = ledgerPath(ledger, await loadInstallation(installation));
    const { outcomes } = await showRun(run, own);
    return { ...known, sent: outcomes && REACHED.reduce((sum, name) => sum + outcomes[name], 0) };
  } catch (error) {
    // The ledger may be away, or the run forgotten: what the watcher knows itself is told.
    if (!(error instanceof CardlineError)) throw error;
    return { ...known, sent: null };
  }
}

/** How rows end whose clients are at the contact center as the list has them, by this run. */
const REACHED = OUTCOMES.filter(
  (name) => OUTCOME_TRAITS[name].isGood && name !== 'skipped' && name !== 'unchanged',
);

async function waitingAt(place: Place, pickup: Pickup, state: WatchState) {
  const waiting: { file: string; why: string }[] = [];
  try {
    let isStopped = false;
    for (const { name: file } of await place.claimed()) {
      const isHeld = (await state.holderOf({ pickup: pickup.name, file })) === 'another';
      isStopped ||= !isHeld;
      const why = isHeld
        ? 'it is being imported'
        : 'its import has stopped, and goes on by itself while a watcher runs';
      waiting.push({ file, why });
    }
    const { files, odd: others } = await place.list();
    for (const { name: file } of arrivals(files, pickup))
      waiting.push({ file, why: 'it has arrived, and is taken once it is whole' });
    const odd = others.filter(({ matched }) => mayFitPattern(matched, pickup.files));
    for (const { name: file, reason } of odd) waiting.push({ file, why: reason });
    return { waiting, isStopped, needsPerson: odd.length > 0 };
  } catch (error) {
    if (!(error instanceof PlaceError)) throw error;
    return { waiting: [{ file: '', why: error.message }], isStopped: true, needsPerson: false };
  }
}

/** The same, for whoever has the file alone. @throws ConfigurationError with every mistake of the file */
export async function watchStatus(file: string, env: Secrets): Promise<WatchStatus> {
  const settings = await loadPickups(file, env);
  const state = await openState(settings.ledger, settings.state);
  try {
    return await statusOf(settings, state, env, systemClock.now());
  } finally {
    await state.close();
  }
}

function lastText({ last }: SourceStatus): string {
  if (last === null) return 'no file yet';
  const { file, at, kind, rows, sent, badRows } = last;
  const words = kind in NOTICES ? NOTICES[kind as NoticeKind].title : kind;
  const bad = badRows === 0 ? '' : `, ${whole(badRows)} need you`;
  const counts = `${counted(rows, 'row')} in, ${sent === null ? 'unknown' : whole(sent)} sent${bad}`;
  return `${file} (${at}) ${words}: ${counts}`;
}

/** The status as lines. */
export function statusText({ sources }: WatchStatus): string {
  return sources
    .map((source) =>
      [
        `${MARKS[source.exitCode] ?? 'no'}  ${source.name}: ${lastText(source)}`,
        ...(source.late === null ? [] : [`    late: ${source.late}`]),
        ...source.waiting.map(
          ({ file, why }) => `    waits: ${file === '' ? '' : `${file}: `}${why}`,
        ),
      ].join('\n'),
    )
    .join('\n');
}

const MARKS: Readonly<Record<number, string>> = { [EXIT.ok]: 'ok', [EXIT.rows]: '! ' };

/** The status in a sentence. */
export function statusSentence({ sources, exitCode }: WatchStatus): string {
  const bad = sources.filter((source) => source.exitCode !== EXIT.ok).map(({ name }) => name);
  return exitCode === EXIT.ok
    ? `All is well with ${sources.map(({ name }) => name).join(', ')}.`
    : `${bad.join(', ')} ${bad.length === 1 ? 'needs' : 'need'} you.`;
}
