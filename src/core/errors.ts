/** The code of an error of Node or SQLite, such as `ENOENT`; empty where it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Where in an input file something is wrong. */
export interface InputPlace {
  readonly file: string;
  readonly sheet?: string | undefined;
  /** Line of a text file, from 1. */
  readonly line?: number | undefined;
  /** Row as the person sees it in a spreadsheet program. */
  readonly row?: number | undefined;
  readonly column?: string | undefined;
}

function describePlace({ file, sheet, line, row, column }: InputPlace): string {
  const parts = [file];
  if (sheet !== undefined) parts.push(`sheet "${sheet}"`);
  if (line !== undefined) parts.push(`line ${line}`);
  if (row !== undefined) parts.push(`row ${row}`);
  if (column !== undefined) parts.push(`column "${column}"`);
  return parts.join(', ');
}

/** One mistake of a mapping or installation file. */
export interface ConfigMistake {
  readonly file: string;
  /** From 1; absent when the mistake has no place, such as a missing file. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** Path inside the file, such as `client.fields.offerId`. */
  readonly path?: string | undefined;
  readonly message: string;
  /** What would be right. */
  readonly suggestion?: string | undefined;
}

function describeMistake(mistake: ConfigMistake): string {
  const place = [mistake.file, mistake.line, mistake.column]
    .filter((part) => part !== undefined)
    .join(':');
  const path = mistake.path ? ` ${mistake.path}:` : '';
  const suggestion = mistake.suggestion ? ` ${mistake.suggestion}` : '';
  return `${place}:${path} ${mistake.message}${suggestion}`;
}

/** Exit codes of the command line, which are also the coarse kinds of errors. */
export const EXIT = {
  /** Every row ended well. */
  ok: 0,
  /** Finished, with rows that did not end well. */
  rows: 2,
  /** Stopped, and can be continued. */
  stopped: 3,
  /** Wrong usage, mapping, installation or input file. */
  usage: 64,
  /** An internal error of cardline. */
  internal: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface CardlineErrorOptions extends ErrorOptions {
  /** Whether the message says how a run that it stopped is continued. @default false */
  readonly saysHowToContinue?: boolean;
}

/** Every error that cardline raises on purpose. Its message is for a person and holds no personal data. */
export abstract class CardlineError extends Error {
  abstract readonly exitCode: ExitCode;
  /** Whether the message says how a run that it stopped is continued. */
  readonly saysHowToContinue: boolean;
  constructor(message?: string, options?: CardlineErrorOptions) {
    super(message, options);
    this.saysHowToContinue = options?.saysHowToContinue ?? false;
  }
  override get name(): string {
    return this.constructor.name;
  }
}

/** The command was called wrongly. */
export class UsageError extends CardlineError {
  readonly exitCode = EXIT.usage;
}

/** The contact center does not have the campaign, or more than one of its name. The files may be right. */
export class NoCampaignError extends UsageError {}

/** An earlier run of the same files is not at its end, and something that it is bound to has changed. */
export class ChangedSinceError extends UsageError {
  constructor(
    message: string,
    readonly run: string,
  ) {
    super(message);
  }
}

/** An input file cannot be read (further). Nothing of it is sent after this point. */
export class InputError extends CardlineError {
  readonly exitCode = EXIT.usage;
  constructor(
    /** Short machine-readable word, such as `unclosed_quote` or `not_a_workbook`. */
    readonly code: string,
    /** What is wrong and what to do, without the place. */
    readonly reason: string,
    readonly place: InputPlace,
    options?: ErrorOptions,
  ) {
    super(`${describePlace(place)}: ${reason}`, options);
  }
}

/** A mapping or installation is wrong. Lists every mistake, not only the first. */
export class ConfigurationError extends CardlineError {
  readonly exitCode = EXIT.usage;
  constructor(readonly mistakes: readonly ConfigMistake[]) {
    super(mistakes.map(describeMistake).join('\n'));
  }
}

/** An answer that does not look like one of a contact center: of a proxy, a login page, another server. */
export interface ForeignAnswer {
  /** HTTP status. */
  readonly status: number;
  /**
   * What the body was: its first words in quotation marks, 80 characters at most, without tags and control characters;
   * only its kind where it could repeat what was sent of a client.
   */
  readonly words: string;
  /** Where a redirect points, without credentials, query and fragment; `null` when it says nothing of that. */
  readonly location: string | null;
  /** What was asked, without the query. */
  readonly address?: string | undefined;
}

export interface ContactCenterErrorOptions extends ErrorOptions {
  readonly seen?: ForeignAnswer | undefined;
}

/** A request to the contact center did not bring what was asked for. The subclass says what the caller can do. */
export abstract class ContactCenterError extends CardlineError {
  readonly exitCode: ExitCode = EXIT.stopped;
  /** What was answered, where it was nothing of the interface's. */
  readonly seen: ForeignAnswer | undefined;
  constructor(
    message: string,
    /** Name of the operation in the contract. */
    readonly operation: string,
    /** HTTP status, where there was a response. */
    readonly status?: number,
    options?: ContactCenterErrorOptions,
  ) {
    super(message, options);
    this.seen = options?.seen;
  }
}

/** The request surely never reached the contact center. It can be sent again as it is. */
export class NotSentError extends ContactCenterError {}

/** The installation does not permit requests at this time. Nothing was sent. */
export class NotPermittedError extends NotSentError {}

/** The request may have been carried out. Find out by a lookup before sending it again. */
export class OutcomeUnknownError extends ContactCenterError {}

/**
 * The contact center refused the request. With a client error it did nothing, and sending the request again unchanged
 * is of no use. With a server error it failed at its work, which has ended but may be done in part: find out by a lookup
 * before sending it again.
 */
export class RefusedError extends ContactCenterError {
  override readonly exitCode: ExitCode = EXIT.rows;
  constructor(
    /** The contact center's own words. May hold identifiers: shown to the person and in reports, never logged. */
    readonly errorMessage: string,
    operation: string,
    status: number,
    options?: ContactCenterErrorOptions,
  ) {
    super(errorMessage, operation, status, options);
  }
}

/** Credentials are missing or not enough. Nothing was done; every further request would fail alike. */
export class NotAuthorizedError extends RefusedError {
  override readonly exitCode = EXIT.stopped;
}

/** The contact center is busy and did nothing. Try again after the delay. */
export class TryLaterError extends ContactCenterError {
  constructor(
    message: string,
    operation: string,
    status: number,
    /** What Retry-After asked for, in milliseconds. */
    readonly retryAfterMs?: number,
  ) {
    super(message, operation, status);
  }
}

/** The ledger cannot be read or written. What was recorded before holds. */
export class LedgerError extends CardlineError {
  readonly exitCode: ExitCode = EXIT.stopped;
}

/** This file cannot be a ledger, or cannot be opened at all: name another one. It was left as it was. */
export class NoLedgerError extends LedgerError {
  override readonly exitCode = EXIT.usage;
}

/** A later version has written this ledger. */
export class NewerLedgerError extends NoLedgerError {}

/** Another process works on this run or this ledger: wait for it, or stop it, and run the same command again. */
export class LedgerInUseError extends LedgerError {}

/** Another process works on this very run. */
export class RunInUseError extends LedgerInUseError {
  constructor(
    message: string,
    readonly run: string,
  ) {
    super(message, { saysHowToContinue: true });
  }
}

/** Another process has taken the run from this one, which did not answer for too long: nothing more is done for it here. */
export class RunTakenError extends LedgerInUseError {}

/** Facts that were on the disk are gone: bring them back, or let every open row be looked up before it is sent. */
export class LostFactsError extends LedgerError {}

/** A file that ends with the process cannot be written: free its folder, or name another one with TMPDIR. */
export class TemporaryFileError extends CardlineError {
  readonly exitCode = EXIT.stopped;
}

/**
 * Errors of several files as one, so that a person mends all of them at once. What several of them say is said once.
 * @param errors at least one
 */
export function asOneError(errors: readonly (ConfigurationError | InputError)[]): CardlineError {
  const [first] = errors;
  if (first && errors.length === 1) return first;
  const mistakes = errors.flatMap((error) =>
    error instanceof ConfigurationError ? error.mistakes : [mistakeOfInput(error)],
  );
  const byText = new Map(mistakes.map((mistake) => [describeMistake(mistake), mistake]));
  return new ConfigurationError([...byText.values()]);
}

function mistakeOfInput({ place, reason }: InputError): ConfigMistake {
  const { file, line, ...inside } = place;
  const where = describePlace({ file: '', ...inside }).replace(/^, /, '');
  return { file, line, message: `${where === '' ? '' : `${where}: `}${reason}` };
}

/** Why a run ends before its input does. Nothing is lost: the same command continues it. */
export class StopRun extends CardlineError {
  readonly exitCode = EXIT.stopped;
  override readonly saysHowToContinue = true;
}

/** The first clients of a run did not pass, so that the others were not sent. */
export class CanaryStop extends StopRun {}

/** More rows ended badly than the person allowed: going on takes a decision. */
export class TooManyStop extends StopRun {}

/** The time has come at which the run was to stop. */
export class DeadlineStop extends StopRun {}

/** The person, or the system, asked the run to end; perhaps before it began. */
export const INTERRUPTED = 'Interrupted; the same command goes on from here.';

/** The person, or the program, asked for it. */
class Interruption extends StopRun {
  constructor(options?: ErrorOptions) {
    super(INTERRUPTED, options);
  }
}

/** Why a run ends whose signal was aborted. */
export const interruption = (signal: AbortSignal | undefined, options?: ErrorOptions): StopRun =>
  signal?.reason instanceof DeadlineStop ? signal.reason : new Interruption(options);

/** Whether somebody, or the clock, has ended what could have gone on. */
export const isInterruption = (error: unknown): error is StopRun =>
  error instanceof Interruption || error instanceof DeadlineStop;

/** What a status code says of a request, whatever the body of its answer says. */
export type StatusMeaning =
  /** A status of its class that is not in the table. */
  | StatusClass
  /** Something in the body is wrong; in a batch it may be only some of its clients. */
  | 'invalid'
  /** Credentials are missing or wrong. */
  | 'unauthenticated'
  /** The credentials do not give the right to this. */
  | 'forbidden'
  | 'not_found'
  | 'wrong_method'
  /** The server gave up waiting for the request; it may have begun with it. */
  | 'timeout'
  /** The body is larger than the server takes. */
  | 'too_large'
  /** Turned away untouched; the same request may be sent later. */
  | 'busy'
  /** The server failed at its work, which may be done in part. */
  | 'failed'
  /** A gateway had no answer from the server behind it, which may have done the work. */
  | 'gateway';

/** The classes of RFC 9110. */
type StatusClass = 'informational' | 'success' | 'redirect' | 'client_error' | 'server_error';

/** The statuses that mean more than their class; no other file knows their numbers. */
const STATUSES: Readonly<Record<number, StatusMeaning>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'wrong_method',
  408: 'timeout',
  413: 'too_large',
  422: 'invalid',
  429: 'busy',
  500: 'failed',
  502: 'gateway',
  503: 'busy',
  504: 'gateway',
};

/** The class of a status. Codes that no class has count as the nearest one. */
export function classOf(status: number): StatusClass {
  if (status < 200) return 'informational';
  if (status < 300) return 'success';
  if (status < 400) return 'redirect';
  return status < 500 ? 'client_error' : 'server_error';
}

/** What a status means; where no table entry says more, its class. */
export function meaningOf(status: number): StatusMeaning {
  return STATUSES[status] ?? classOf(status);
}

/** Whether some of the request may have been carried out before it failed. `undefined`: there was no answer. */
export function isServerError(status: number | undefined): boolean {
  return status !== undefined && classOf(status) === 'server_error';
}

/** Whether a status reports that something went wrong, on either side. */
export function isErrorStatus(status: number): boolean {
  const kind = classOf(status);
  return kind === 'client_error' || kind === 'server_error';
}

/**
 * What spreadsheet programs show in a cell whose formula ended in an error, in the languages that they have: the words of
 * Excel, then those of LibreOffice and Google Sheets that are others.
 */
const WORDS = `
#N/A #REF! #VALUE! #DIV/0! #NUM! #NAME? #NULL! #GETTING_DATA #SPILL! #CALC! #FIELD! #BLOCKED! #CONNECT! #UNKNOWN! #BUSY!
#PYTHON! #EXTERNAL! #TIMEOUT! #ERROR! #MACRO? #LOADING...
#NV #BEZUG! #WERT! #ZAHL! #ÜBERLAUF! #KALK! #FELD! #DATEN_ABRUFEN
#VALEUR! #NOMBRE! #NOM? #NUL! #PROPAGATION! #EPARS! #CALCUL! #CHAMP!
#N/D #¡REF! #¡VALOR! #¡NUM! #¿NOMBRE? #¡NULO! #¡DIV/0! #¡DESBORDAMIENTO! #¡CALC! #¡CAMPO!
#VALOR! #NÚM! #NOME? #NULO! #DESPEJAR! #DESPEJO!
#RIF! #VALORE! #NULLO! #ESPANSIONE! #CALC!
#N/D! #ADR! #ARG! #LICZBA! #NAZWA? #ZERO! #DZIEL/0! #ROZLANIE! #OBL!
#Н/Д #ССЫЛКА! #ЗНАЧ! #ЧИСЛО! #ИМЯ? #ПУСТО! #ДЕЛ/0! #ПЕРЕНОС! #ВЫЧИСЛ! #ПОЛЕ! #ПЕРЕПОЛНЕНИЕ!
#ПОСИЛАННЯ! #ІМ'Я? #ДІЛ/0! #ЗНАЧЕННЯ!
#N/B #VERW! #WAARDE! #GETAL! #NAAM? #LEEG! #DEEL/0! #OVERLOOP! #BEREKEN!
#SAKNAS! #REFERENS! #VÄRDEFEL! #OGILTIGT! #NAMN? #SKÄRNING! #DIVISION/0! #SPILL!
#I/T #REFERENCE! #VÆRDI! #NAVN? #OVERLØB! #VERDI! #OVERFLYT!
#PUUTTUU! #VIITTAUS! #ARVO! #LUKU! #NIMI? #TYHJÄ! #JAKO/0! #VUOTO!
#NENÍ_K_DISPOZICI #ODKAZ! #HODNOTA! #ČÍSLO! #NÁZEV? #DĚLENÍ_NULOU! #PŘESAH! #NEDOSTUPNÝ #HODN! #NÁZOV? #DELENIENULOU!
#HIÁNYZIK #HIV! #ÉRTÉK! #SZÁM! #NÉV? #NULLA! #ZÉRÓOSZTÓ! #KIBONTÁS!
#YOK #BAŞV! #DEĞER! #SAYI! #AD? #BOŞ! #SAYI/0! #TAŞMA!
#Δ/Υ #ΑΝΑΦ! #ΤΙΜΗ! #ΑΡΙΘ! #ΟΝΟΜΑ? #ΚΕΝΟ! #ΔΙΑΙΡ/0!
`;

const KNOWN: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));

/** LibreOffice numbers the errors that have no word. */
const NUMBERED = /^(?:ERR|FEHLER|ERREUR|ОШИБКА) ?: ?5\d\d$/;
const LONGEST = 20;

/** How they begin, white space aside; of the numbered ones in small letters as well. A table of all is looked up fastest. */
const STARTS = new Uint8Array(0x500);
for (const sign of '#eEfFоО \t\u00a0') STARTS[sign.charCodeAt(0)] = 1;

/** Whether a text is, as a whole, the error of a formula as a spreadsheet program shows it. */
export function isErrorWord(text: string): boolean {
  // Nearly every cell is none, and shows it by its first character.
  if (text.length > LONGEST || STARTS[text.charCodeAt(0)] !== 1) return false;
  const word = text.trim().toUpperCase().normalize('NFC');
  return KNOWN.has(word) || NUMBERED.test(word);
}
