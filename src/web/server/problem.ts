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

/** What went wrong, in words for the person. Holds nothing of the file's contents and no credentials. */
export interface PageProblem {
  /** Short machine-readable word. */
  readonly code: string;
  readonly sentence: string;
  /** What to do next. */
  readonly next?: string | undefined;
  /** Name of the field that is wrong, where one is. */
  readonly field?: string;
  /** Where in the file it is, which the sentence does not say. */
  readonly place?: {
    readonly sheet: string | undefined;
    readonly line: number | undefined;
    readonly row: number | undefined;
  };
  /** What it is about, such as a run or a row. */
  readonly values?: Readonly<Record<string, string | number>>;
}

/** A request that is not carried out, and why. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly problem: PageProblem,
  ) {
    super(problem.sentence);
  }
}

/** What is refused, by the status of HTTP: what is wrong, and then what to do. */
const REFUSALS = {
  400: {
    not_understood:
      'The page has asked for something that the server does not understand. Reload the page.',
    not_json: 'The request is not valid JSON.',
    broken_off: 'The upload broke off. Choose the file again.',
  },
  401: {
    no_session:
      'cardline does not know this page, or was started anew since. Open the address that "cardline ui" has printed.',
    old_address:
      'This address is from an earlier start of cardline. Open the address that "cardline ui" has printed.',
    no_ticket: 'This download was used already, or is too old. Click on it again.',
  },
  403: {
    read_only:
      'This page only shows: cardline was started with --read-only. Start it without, to change something.',
    other_origin:
      'Another site has asked for this. Open the address that "cardline ui" has printed.',
    masked:
      'This file holds personal data, which this page hides. Start cardline ui without --mask to download it.',
  },
  404: {
    no_such_page: 'There is no such page.',
    no_such_list: 'This list is not there any more. Choose the file again.',
    no_such_run: 'There is no such run. The History lists those that there are.',
    no_sample: 'There is no such sample.',
    no_file:
      'This file of the run is not there any more. The reports can be made again from the ledger.',
    no_rejects:
      'The rejects of this run are not there any more. Look at its rows, and correct them in the spreadsheet itself.',
  },
  409: {
    no_installation:
      'cardline was started without an installation, which describes your contact center. Make one with "cardline init" and name it with -i; or start "cardline ui --sandbox".',
    has_center:
      'This page has a contact center already. For another one, start "cardline ui" with its installation.',
    other_center:
      'This run was on another contact center than the one that this page is for. Start "cardline ui" with the installation that the run was made with.',
    complete: 'The file of this list is there already.',
    list_at_work:
      'The import of this list is under way. Stop it first, or wait until it has ended.',
    header_hidden:
      'Cells are hidden with --mask, and so no other row can be taken for the header. Start cardline without --mask to choose it.',
    text_hidden:
      'The text of the mapping is hidden with --mask, and so it cannot be typed in. Start cardline without --mask to edit it.',
    stale_mapping:
      'The mapping has been changed elsewhere since, perhaps in another tab. It is shown as it is now. Make your change again if it is still wanted.',
    old_rows:
      'cardline was started again since these rows were shown. The page shows them anew: correct the cell again.',
    blocked: 'The import cannot start as it is now.',
    plan_changed:
      'What would be sent has changed since this page showed it. It is shown as it is now. Look at it, and start again.',
    not_confirmed:
      'The number that was typed is not the number of rows. Type the number that the button names.',
    made_meanwhile:
      'A campaign of this name was made at the same moment, so no second one was. Choose it in the list, or take another name.',
    which_unknown:
      'The campaign was created; which one of the list it is, is not known. Look for it there before you create another one.',
    works_here:
      'This page works on this run at the moment. Wait until it has ended, or stop it: the History leads to it.',
    works_elsewhere:
      'Another process works on this run. Stop it there with Ctrl-C, or wait until it has ended.',
    not_at_work: 'This run is not at work any more.',
    undo_changed:
      'The number is not that of the rows that would be taken back. Look at what would be done, and type the number again.',
    other_version:
      'This run was begun by another version of cardline. Download the rejects, and choose them as a new spreadsheet.',
    no_mapping:
      'The mapping of this run is not there any more. Download the rejects, and choose them as a new spreadsheet.',
  },
  410: {
    file_gone: 'The file is not there any more. Choose it again.',
  },
  413: {
    too_large_request: 'This is too much for one request.',
    mapping_too_long:
      'This text is too long for a mapping. Put long lists of values into a table, and name it with "lookup".',
  },
  415: {
    wrong_type: 'This route takes another kind of content.',
  },
  421: {
    other_host:
      'The page does not answer to this host. Open the address that "cardline ui" has printed.',
  },
  422: {
    bad_address:
      'This is no address of a contact center. Write it as in a browser, such as cc.example.com.',
    unreachable:
      'The contact center does not answer at this address. Where it has no https, write http:// before it.',
    no_values:
      'A client is found by the values of all its identifiers. Give each identifier once, with its value.',
    rule_signs:
      'Here the new value may hold neither $ nor \\. Choose another one, or add a value map in the step Columns.',
    rule_not_made:
      'The mapping is written in a way that this rule cannot be added to. Add it by hand in the step Columns.',
    mapping_does_not_fit: 'The mapping does not fit this file. Change it in the step Columns.',
    mapping_broken:
      'The mapping is no valid YAML at the moment. Mend it in the text, or take back the last text that could be read.',
    ledger_in_use:
      'Another program has the ledger for itself at this moment. Try again in a moment.',
    newer_ledger:
      'A later version of cardline has written the ledger. Use that version, or start "cardline ui" with another --ledger.',
    no_ledger:
      'What lies at the place of the ledger is none. Start "cardline ui" with another --ledger.',
    ledger_unread:
      'The ledger cannot be read. Look at its disk and its permissions, and try again.',
  },
  500: {
    internal:
      'This is an internal error of cardline, not of your file. Nothing that was recorded is lost. Reload the page.',
  },
  507: {
    disk_full: 'The disk is full. Make room and try again; what was there before is kept.',
    no_room:
      'The disk has no room for a copy of this file. Make room, or name the file on the command line: cardline ui FILE reads it where it is.',
  },
} as const;

type Refusals = typeof REFUSALS;
type RefusalCode = { [Status in keyof Refusals]: keyof Refusals[Status] }[keyof Refusals];

const KNOWN = new Map(
  Object.entries(REFUSALS).flatMap(([status, texts]) =>
    Object.entries<string>(texts).map(([code, text]) => [code, { status: Number(status), text }]),
  ),
);

/** `about`: the field that is wrong, or what it is about. */
export function refusal(
  code: RefusalCode,
  about: Pick<PageProblem, 'field' | 'values'> = {},
): Refusal {
  const { status, text } = KNOWN.get(code) ?? { status: 500, text: REFUSALS[500].internal };
  const [sentence = '', ...next] = text.split(SENTENCE_END);
  return new Refusal(status, { code, sentence, next: next.join(' ') || undefined, ...about });
}

/** Errors of the system and of the server that a person can do something about. */
const OF_SYSTEM: Readonly<Record<string, RefusalCode>> = {
  ENOSPC: 'disk_full',
  ENOENT: 'file_gone',
  ERR_STREAM_PREMATURE_CLOSE: 'broken_off',
  // The server ends.
  ABORT_ERR: 'broken_off',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'wrong_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large_request',
};

/** Any error in words. What is not known may quote a row, so that nothing of it is repeated. */
export function problemOf(error: unknown): Pick<Refusal, 'status' | 'problem'> {
  if (error instanceof Refusal) return error;
  if (error instanceof InputError) return { status: 422, problem: ofInput(error) };
  if (error instanceof CardlineError) {
    const problem = problemOfStop(pageWords(error.message), error);
    const { code } = problem;
    return { status: 422, problem: { ...problem, code: code === 'stopped' ? 'refused' : code } };
  }
  return refusal(OF_SYSTEM[codeOf(error)] ?? 'internal');
}

/** What to do with a file of which the reason does not say it. */
const SAVE_AS = 'Save it as .xlsx or CSV in a spreadsheet program, and choose that.';

/** The reason and the place in the file: the person knows which file it is, and never saw the path of its copy. */
function ofInput({ code, reason, place }: InputError): PageProblem {
  const { row, line, column, sheet } = place;
  // What is wrong, and then what to do.
  const [sentence = '', ...next] = pageWords(reason).split(SENTENCE_END);
  const values = Object.fromEntries(
    Object.entries({ row, line, column, sheet }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const isPlaced = line !== undefined || row !== undefined;
  return {
    ...{ code, sentence: asSentence(sentence), values },
    next: next.length > 0 ? next.join(' ') : SAVE_AS,
    ...(isPlaced ? { place: { sheet, line, row } } : {}),
  };
}

/** A reason stands behind the name of a file elsewhere. */
export const asSentence = (reason: string): string =>
  reason.slice(0, 1).toUpperCase() + reason.slice(1);

const SENTENCE_END = /(?<=[.?!]) (?=[A-Z"])/;

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
  return {
    ...{ code, sentence: withoutCommand(words), next: NEXT[code] },
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
