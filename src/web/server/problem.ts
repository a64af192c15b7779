import {
  codeOf,
  CardlineError,
  InputError,
  ChangedSinceError,
  ContactCenterError,
  LedgerError,
  LedgerInUseError,
  NotAuthorizedError,
  OutcomeUnknownError,
  RefusedError,
  RunInUseError,
  CanaryStop,
  INTERRUPTED,
} from '../../core/errors.js';
import type { PageProblem } from '../shared/route.js';

/** What is answered instead of what was asked for. */
interface Refused {
  readonly status: number;
  readonly problem: PageProblem;
}

/** An upload of which a part is missing. */
export const brokenOff = (): Refusal =>
  new Refusal(400, {
    code: 'broken_off',
    sentence: 'The upload broke off.',
    next: 'Choose the file again.',
  });

/** A request that is not carried out, and why. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly problem: PageProblem,
  ) {
    super(problem.sentence);
  }
}

const CODES: Readonly<Record<string, Refused>> = {
  ENOSPC: {
    status: 507,
    problem: {
      code: 'disk_full',
      sentence: 'The disk is full.',
      next: 'Make room and try again; what was there before is kept.',
    },
  },
  ENOENT: {
    status: 410,
    problem: {
      code: 'file_gone',
      sentence: 'The file is not there any more.',
      next: 'Choose it again.',
    },
  },
  ERR_STREAM_PREMATURE_CLOSE: brokenOff(),
  // The server ends.
  ABORT_ERR: brokenOff(),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    problem: { code: 'wrong_type', sentence: 'This route takes another kind of content.' },
  },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    status: 413,
    problem: { code: 'too_large_request', sentence: 'This is too much for one request.' },
  },
};

const INTERNAL: Refused = {
  status: 500,
  problem: {
    code: 'internal',
    sentence: 'This is an internal error of cardline, not of your file.',
    next: 'Nothing that was recorded is lost. Reload the page.',
  },
};

/** Any error in words. What is not known may quote a row, so that nothing of it is repeated. */
export function problemOf(error: unknown): Refused {
  if (error instanceof Refusal) return error;
  if (error instanceof InputError) return { status: 422, problem: ofInput(error) };
  if (error instanceof CardlineError) return { status: 422, problem: ofEngine(error) };
  return CODES[codeOf(error)] ?? INTERNAL;
}

function ofEngine(error: CardlineError): PageProblem {
  const problem = problemOfStop(pageWords(error.message), error);
  return problem.code === 'stopped' ? { ...problem, code: 'refused' } : problem;
}

/** What to do with a file of which the reason does not say it. */
const SAVE_AS = 'Save it as .xlsx or CSV in a spreadsheet program, and choose that.';

/** The reason and the place in the file: the person knows which file it is, and never saw the path of its copy. */
function ofInput({ code, reason, place }: InputError): PageProblem {
  const { row, line, column, sheet } = place;
  const [sentence = reason, ...next] = sentences(pageWords(reason));
  const values = Object.fromEntries(
    Object.entries({ row, line, column, sheet }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const isPlaced = line !== undefined || row !== undefined;
  return {
    ...{ code, sentence, next: next.length > 0 ? next.join(' ') : SAVE_AS, values },
    ...(isPlaced ? { place: { sheet, line, row } } : {}),
  };
}

/** A reason stands behind the name of a file elsewhere. */
export const asSentence = (reason: string): string =>
  reason.slice(0, 1).toUpperCase() + reason.slice(1);

/** What is wrong, and then what to do. */
const sentences = (reason: string): string[] => {
  const [first = '', ...rest] = reason.split(/(?<=[.?!]) (?=[A-Z"])/);
  return [asSentence(first), ...rest];
};

/** There is no such list, or it has been deleted. */
export const noSuchList = (): Refusal =>
  new Refusal(404, {
    code: 'no_such_list',
    sentence: 'This list is not there any more.',
    next: 'Choose the file again.',
  });

/** What columns can become, only an installation says. */
export const noInstallation = (): Refusal =>
  new Refusal(409, {
    code: 'no_installation',
    sentence: 'cardline was started without an installation, which describes your contact center.',
    next: 'Make one with "cardline init" and name it with -i; or start "cardline ui --sandbox".',
  });

/** Secrets that the installation names and that nobody has set: without them nothing can be asked of it. */
export const notSet = (names: readonly string[]): Refusal =>
  new Refusal(422, {
    code: 'not_set',
    sentence: `Credentials that the contact center needs are not set: ${names.join(', ')}.`,
    next: 'Set them where cardline is started, and start it again.',
  });

/** What a command line would do: the page has a button for it. */
const COMMAND = /[;.]? [^;.]*\bsame command\b[^;.]*/g;

/** Words without what only a command line can do. */
export const withoutCommand = (words: string): string => words.replaceAll(COMMAND, '');

/** What to do, where the words do not say it. */
const NEXT: Readonly<Record<string, string>> = {
  canary:
    'Look at the reasons below. When they are mended, or do not matter, continue with the other rows.',
  interrupted: 'What was sent is on record. Continue sends the rest.',
  unreachable: 'Nothing is lost. Continue as soon as it is there again.',
  not_authorized:
    'Set the right value in the environment variable that the installation names, start cardline again, and continue.',
  no_center_there:
    'Check the address in the installation, the proxy, and whether a login stands in between.',
  works_elsewhere: 'Stop it there with Ctrl-C, or wait until it has ended.',
  ledger: 'What was recorded before holds. Look at the folder of the ledger, then continue.',
  disk_full: 'Make room and try again; what was there before is kept.',
  changed_since:
    'Restore what has changed, take back what it did, or begin anew, which sends all rows again.',
};

/** Why a run has stopped, or did not begin, in words, and what it was. */
export function problemOfStop(words: string, by: CardlineError | undefined): PageProblem {
  const code = codeOfStop(by);
  const next = NEXT[code];
  return {
    code,
    sentence: withoutCommand(words),
    ...(next === undefined ? {} : { next }),
    ...(by instanceof RunInUseError || by instanceof ChangedSinceError
      ? { values: { run: by.run } }
      : {}),
  };
}

function codeOfStop(by: CardlineError | undefined): string {
  if (by === undefined) return 'stopped';
  if (by instanceof CanaryStop) return 'canary';
  if (by.message === INTERRUPTED) return 'interrupted';
  if (by instanceof ChangedSinceError) return 'changed_since';
  if (by instanceof LedgerInUseError) return 'works_elsewhere';
  if (by.message.includes('disk is full')) return 'disk_full';
  if (by instanceof LedgerError) return 'ledger';
  const cause = by instanceof ContactCenterError ? by : by.cause;
  if ([by, cause, causeOf(cause)].some((one) => one instanceof NotAuthorizedError))
    return 'not_authorized';
  if (!(cause instanceof ContactCenterError)) return 'stopped';
  if (cause.seen !== undefined) return 'no_center_there';
  // What it has refused it refuses again, and of what may have taken effect the words say what to do.
  const isAnswered = cause instanceof RefusedError && (cause.status ?? 0) < 500;
  return isAnswered || by instanceof OutcomeUnknownError ? 'stopped' : 'unreachable';
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

/** What the command line has an option for, or the mapping a key, and the page a control. */
const CONTROLS: readonly (readonly [words: RegExp, instead: string])[] = [
  [/Check headerRow\./, 'Choose another row or sheet.'],
  [/Name another one with source\.headerRow\./, 'Choose another one in the step File.'],
  [/Name the right one with --encoding, or [^.]*\./, 'Choose the right one in the step File.'],
  [
    /Save the file as UTF-8, or name its encoding: --encoding, or [^.]*\./,
    'Save the file as UTF-8, or choose its encoding in the step File.',
  ],
  [/Leave --sheet out, or name another file\./, 'Choose another file.'],
  [/Name another sheet\./, 'Choose another sheet in the step File.'],
  [/Check --header\./, 'Check the credentials.'],
  [
    /Check --url: the paths of the interface, such as \S+, begin behind it\./,
    'Check the address: the paths of the interface, such as /api/v1/clients, begin behind it.',
  ],
  [
    /Give every synchronization identifier of a client that exists, [^.]*\./,
    'Give the values of a client that exists.',
  ],
];

/** Words of the engine as the page says them: they name what the person sees there. */
export const pageWords = (text: string): string =>
  CONTROLS.reduce((words, [pattern, instead]) => words.replace(pattern, instead), text);

/** What a cell looks like without what it says: `+7 916 …` becomes `+• •••`, so that gaps and patterns still show. */
export const masked = (text: string): string => text.replaceAll(/[\p{L}\p{N}]/gu, '•');

/** Words that may repeat values of a row, which stand in brackets, quotation marks or digits. */
export const maskedWords = (words: string): string =>
  words.replaceAll(/\[[^\]]*\]|\([^)]*\)|["«“][^"»”]*["»”]|\d+/g, (value) => masked(value));
