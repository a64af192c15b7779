import { describeMistake, describePlace, type ConfigMistake, type InputPlace } from './places.js';

export type { ConfigMistake, InputPlace } from './places.js';

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
