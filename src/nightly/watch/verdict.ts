import { basename } from 'node:path';
import type { ImportRequest, ImportResult } from '../../run/requests.js';
import { changedText } from '../../core/report.js';
import {
  type CardlineError,
  ConfigurationError,
  EXIT,
  InputError,
  CanaryStop,
  TooManyStop,
} from '../../core/errors.js';
import { failuresIn, occurring } from '../../core/outcome.js';
import { defined, ledgerCommand, whole } from '../../core/text.js';
import type { Event } from '../notices/notice.js';
import type { Pickup } from '../pickup/schema.js';
import type { Companion, Shelf } from '../places/place.js';

/** How an attempt to import a file ended. */
export type Attempt =
  | { readonly result: ImportResult }
  | {
      readonly error: CardlineError;
      /** The mapping or the installation is wrong by now, or the campaign is gone: the file may be right. */
      readonly isOfParts?: boolean;
    };

interface Verdict {
  readonly event: Event;
  /** Where the file goes; `null`: it stays, and is tried again later. */
  readonly shelf: Shelf | null;
}

/** What an import of this file is asked to do. */
export const requestFor = (
  pickup: Pickup,
  { path, name }: { readonly path: string; readonly name: string },
  ledger: string | undefined,
): Omit<ImportRequest, 'signal' | 'watcher' | 'observer' | 'onWarning' | 'onProgress' | 'run'> => {
  const { mapping, installation, campaign, maxCallCount, options, source } = pickup.import;
  const isId = campaign !== undefined && /^\d+$/.test(campaign);
  const choice = { ...(isId ? { id: Number(campaign) } : { name: campaign }), maxCallCount };
  const isChosen = campaign !== undefined || maxCallCount !== undefined;
  return {
    ...options,
    ...{ mapping, installation, source, files: [path], names: [name] },
    ...defined({ ledger, campaign: isChosen ? defined(choice) : undefined }),
  };
};

/** Decides what an attempt means: for the file, and for whoever gets a notice. */
export function verdictOn(pickup: string, file: string, attempt: Attempt): Verdict {
  if (!('error' in attempt)) return endedVerdict(pickup, file, attempt.result);
  const { error, isOfParts = false } = attempt;
  // The file itself is why it could not be imported, and no other attempt would.
  const isOfFile = error.exitCode === EXIT.usage && !isOfParts;
  const sentence = isOfFile
    ? `${file} could not be imported: ${unreadReason(error)}`
    : `The import of ${file} does not go on: ${error.message}`;
  const next = isOfFile
    ? `Mend what is named, and put the file into the folder again; ${file}.error.txt has all there is to know.`
    : 'It is tried again by itself.';
  return {
    event: { kind: isOfFile ? 'bad' : 'stopped', pickup, file, sentence, next },
    shelf: isOfFile ? 'bad' : null,
  };
}

/** Why a file could not be read, in a sentence without its path; what else there is to know is in `.error.txt`. */
export function unreadReason(error: CardlineError): string {
  if (error instanceof ConfigurationError) {
    const [first, ...others] = error.mistakes;
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    return `${firstSentence(first?.message ?? error.message).replace(/[.?!]$/, '')}${more}.`;
  }
  if (!(error instanceof InputError)) return firstSentence(error.message);
  const { sheet, row, column } = error.place;
  const place = [
    ...(sheet === undefined ? [] : [`sheet "${sheet}"`]),
    ...(row === undefined ? [] : [`row ${row}`]),
    ...(column === undefined ? [] : [`column ${column}`]),
  ].join(', ');
  return `${place === '' ? '' : `${place}: `}${firstSentence(error.reason)}`;
}

/** Up to the first full stop, in one line, and not longer than a line may be. */
function firstSentence(text: string): string {
  const [line = ''] = text.trim().split('\n');
  const [sentence = line] = line.split(/(?<=[.?!])\s/);
  const short = sentence.length > MAX_SENTENCE ? `${sentence.slice(0, MAX_SENTENCE)}…` : sentence;
  return /[.?!…]$/.test(short) ? short : `${short.replace(/:$/, '')}.`;
}

const MAX_SENTENCE = 300;

/** Whether going on takes the decision of a person. */
export const isForPerson = (stop: ImportResult['stoppedBy']): boolean =>
  stop instanceof CanaryStop || stop instanceof TooManyStop;

function endedVerdict(pickup: string, file: string, result: ImportResult): Verdict {
  const { summary, already, exitCode, stopped, stoppedBy } = result;
  const facts = {
    ...{ pickup, file, run: summary.run, rows: summary.rows },
    outcomes: Object.fromEntries(occurring(summary.outcomes)),
    reasons: reasonsOf(result),
    quality: summary.quality?.score ?? null,
    seconds: already ? null : summary.seconds,
  };
  if (stopped !== undefined) {
    const needsPerson = isForPerson(stoppedBy) || exitCode === EXIT.usage;
    const event: Event = {
      ...{ ...facts, kind: needsPerson ? 'bad' : 'stopped' },
      sentence: `The import of ${file} has stopped: ${stopped}`,
      next: needsPerson ? reportCommand(result) : 'It goes on by itself.',
    };
    return { event, shelf: needsPerson ? 'bad' : null };
  }
  // A list without rows is the same each time, and is no repetition of anything.
  const isGood = exitCode === EXIT.ok;
  const shelf = isGood ? 'good' : 'bad';
  if (already && summary.rows > 0) {
    const sentence = `${file} has been imported before; nothing was sent.`;
    return { event: { ...facts, kind: 'repeated', sentence }, shelf };
  }
  const sentence = endedSentence(file, result);
  if (isGood) return { event: { ...facts, kind: 'finished', sentence }, shelf };
  const next =
    summary.rows === 0 || summary.changedInputs
      ? 'Ask whoever sends it for the whole file.'
      : reportCommand(result);
  return { event: { ...facts, kind: 'bad', sentence, next }, shelf };
}

/** Works in any folder: whoever reads a notice does not know in which the watcher was started. */
const reportCommand = ({ summary: { run }, ledger }: ImportResult): string =>
  ledgerCommand(ledger, 'report', run);

function endedSentence(file: string, { summary, exitCode, missing }: ImportResult): string {
  const { rows, outcomes, changedInputs: [changed] = [], mode } = summary;
  const bad = failuresIn(outcomes);
  const needYou = `${whole(bad)} of ${whole(rows)} rows of ${file} need you.`;
  if (changed) {
    const text = changedText({ ...changed, name: file }, mode);
    return bad === 0 ? text : `${text} ${needYou}`;
  }
  if (bad > 0) return needYou;
  if (rows === 0)
    return exitCode === EXIT.ok
      ? `${file} has a header and no rows: nothing was sent.`
      : `${file} has a header and no rows, and rows are expected (expect-rows).`;
  if (exitCode === EXIT.ok)
    return rows === 1
      ? `The row of ${file} ended well.`
      : `All ${whole(rows)} rows of ${file} ended well.`;
  return missing
    ? `All rows of ${file} ended well, and clients that it lacks could not all be removed from the campaign.`
    : `${file} needs you: its import ended with code ${exitCode}.`;
}

/** Reasons in words that hold nothing of the rows: those of the contact center may quote a client. */
const reasonsOf = ({ reasons }: ImportResult): NonNullable<Event['reasons']> =>
  (reasons?.reasons ?? []).map(({ from, column, message, rows }) => ({
    column,
    message:
      from === 'contact center'
        ? 'refused by the contact center; the report has its words.'
        : message,
    rows,
  }));

/** What goes with a file that is put away: its report, its rejects and its summary, or what stood in the way. */
export function companionsOf(attempt: Attempt, wanted: boolean, part: string | null): Companion[] {
  // The lists of an archive have their reports beside it, each with the name of the list.
  const own = part === null ? '' : `.${part.replaceAll(/[^\p{L}\p{N}._-]/gu, '_').slice(-60)}`;
  if ('error' in attempt)
    return [{ suffix: `${own}.error.txt`, from: { text: `${attempt.error.message}\n` } }];
  if (!wanted) return [];
  const { report, rejects, summary } = attempt.result;
  return [
    ...(report === '' ? [] : [{ suffix: `${own}.report.csv`, from: { path: report } }]),
    ...rejects.map((path) => ({ suffix: `${own}.${basename(path)}`, from: { path } })),
    { suffix: `${own}.summary.json`, from: { text: `${JSON.stringify(summary, null, 2)}\n` } },
  ];
}
