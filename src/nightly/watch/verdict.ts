import { basename } from 'node:path';
import type { ImportRequest, ImportResult } from '../../app/requests.js';
import type { CardlineError } from '../../core/errors/errors.js';
import { EXIT } from '../../core/errors/errors.js';
import { failuresIn, type OutcomeCounts, OUTCOMES } from '../../core/outcome.js';
import { whole } from '../../core/text/whole.js';
import { CanaryStop, TooManyStop } from '../../core/stop.js';
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

/** What follows from an attempt. */
export interface Verdict {
  readonly event: Event;
  /** Where the file goes; `null`: it stays, and is tried again later. */
  readonly shelf: Shelf | null;
}

/** What an import of this file is asked to do. */
export const requestFor = (
  pickup: Pickup,
  path: string,
  ledger: string | undefined,
): Omit<ImportRequest, 'signal' | 'watcher' | 'observer' | 'onWarning' | 'onProgress' | 'run'> => {
  const { mapping, installation, campaign, maxCallCount, options, source } = pickup.import;
  const named =
    campaign === undefined
      ? {}
      : /^\d+$/.test(campaign)
        ? { id: Number(campaign) }
        : { name: campaign };
  const choice = { ...named, ...(maxCallCount === undefined ? {} : { maxCallCount }) };
  return {
    ...options,
    ...{ mapping, installation, source, files: [path] },
    ...(ledger === undefined ? {} : { ledger }),
    ...(Object.keys(choice).length === 0 ? {} : { campaign: choice }),
  };
};

/** Decides what an attempt means: for the file, and for whoever gets a notice. */
export function verdictOn(pickup: Pick<Pickup, 'name'>, file: string, attempt: Attempt): Verdict {
  return 'error' in attempt
    ? failedVerdict(pickup.name, file, attempt)
    : endedVerdict(pickup.name, file, attempt.result);
}

function failedVerdict(
  pickup: string,
  file: string,
  { error, isOfParts = false }: Extract<Attempt, { error: CardlineError }>,
): Verdict {
  const isFile = error.exitCode === EXIT.usage && !isOfParts;
  const sentence = isFile
    ? `${file} could not be imported: ${error.message}`
    : `The import of ${file} could not begin: ${error.message}`;
  const next = isFile
    ? 'Mend what is named, and put the file into the folder again.'
    : 'It is tried again by itself.';
  return {
    event: { kind: isFile ? 'bad' : 'stopped', pickup, file, sentence, next },
    shelf: isFile ? 'bad' : null,
  };
}

/** Whether going on takes the decision of a person. */
export const isForPerson = (stop: ImportResult['stoppedBy']): boolean =>
  stop instanceof CanaryStop || stop instanceof TooManyStop;

function endedVerdict(pickup: string, file: string, result: ImportResult): Verdict {
  const { summary, already, exitCode, stopped, stoppedBy } = result;
  const facts = {
    ...{ pickup, file, run: summary.run, rows: summary.rows },
    outcomes: shownOutcomes(summary.outcomes),
    reasons: reasonsOf(result),
    quality: summary.quality?.score ?? null,
    seconds: already ? null : summary.seconds,
  };
  if (stopped !== undefined) {
    const needsPerson = isForPerson(stoppedBy) || exitCode === EXIT.usage;
    const event: Event = {
      ...{ ...facts, kind: needsPerson ? 'bad' : 'stopped' },
      sentence: `The import of ${file} has stopped: ${stopped}`,
      next: needsPerson ? `cardline report ${summary.run}` : 'It goes on by itself.',
    };
    return { event, shelf: needsPerson ? 'bad' : null };
  }
  if (already)
    return {
      event: {
        ...facts,
        kind: 'repeated',
        sentence: `${file} has been imported before; nothing was sent.`,
      },
      shelf: exitCode === EXIT.ok ? 'good' : 'bad',
    };
  const bad = failuresIn(summary.outcomes);
  const isGood = exitCode === EXIT.ok;
  const sentence = isGood
    ? `All ${whole(summary.rows)} rows of ${file} ended well.`
    : `${whole(bad)} of ${whole(summary.rows)} rows of ${file} need you.`;
  return {
    event: {
      ...facts,
      kind: isGood ? 'finished' : 'bad',
      sentence,
      ...(isGood ? {} : { next: `cardline report ${summary.run}` }),
    },
    shelf: isGood ? 'good' : 'bad',
  };
}

const shownOutcomes = (counts: OutcomeCounts): NonNullable<Event['outcomes']> =>
  Object.fromEntries(
    OUTCOMES.flatMap((name) => (counts[name] === 0 ? [] : [[name, counts[name]] as const])),
  );

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
