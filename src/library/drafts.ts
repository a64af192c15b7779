import { resolve } from 'node:path';
import { env as processEnv } from 'node:process';
import { initInstallation } from '../setup/init.js';
import { StopRun } from '../core/errors.js';
import { refusePlaces } from './places.js';

/** Options of `draftInstallation`. */
export interface DraftInstallationOptions {
  /** Path of the file to write. */
  readonly file: string;
  /** Address of the contact center. */
  readonly url: string;
  /** Headers of every request, by name; `${NAME}` stands for a variable of the environment. @default {} */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Synchronization identifiers of a client that is there, by name: it is read, and the card drafted from its fields. Or
   * their names alone: nothing is asked for.
   */
  readonly identifiers: Readonly<Record<string, string | number>> | readonly string[];
  /** Card fields beside those that are read, such as `budget:Number`. @default [] */
  readonly fields?: readonly string[];
  /** Whether a file that is there is replaced. @default false */
  readonly force?: boolean;
  /** Environment for `${NAME}` in headers. @default that of the process */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Aborted to stop at once; nothing is written then. */
  readonly signal?: AbortSignal;
}

/** A drafted installation file. */
export interface DraftedInstallation {
  /** Absolute path of the file. */
  readonly file: string;
  /** Whether there was a file, which was replaced. */
  readonly replaced: boolean;
  /** How many fields its card has. */
  readonly fields: number;
  /** Whether the card was read from a client. */
  readonly isRead: boolean;
}

/**
 * Drafts an installation file, with comments on what the interface does not show, and makes sure that it can be used.
 * @throws UsageError when the file is there, or an option is no good; ConfigurationError; ContactCenterError when the
 * client cannot be read; StopRun when the signal is aborted. Nothing is written then.
 */
export async function draftInstallation(
  options: DraftInstallationOptions,
): Promise<DraftedInstallation> {
  const { file, url, headers = {}, identifiers, fields = [], force = false } = options;
  refusePlaces(options, { file: 'file' });
  const { signal = new AbortController().signal, env = processEnv } = options;
  try {
    const drafted = await initInstallation({
      ...{ url, fields, force, out: file, env, signal },
      headers: Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ids: idsOf(identifiers),
    });
    return { file: resolve(file), ...drafted };
  } catch (error) {
    throw signal.aborted ? new StopRun('Nothing was drafted.', { cause: error }) : error;
  }
}

const idsOf = (identifiers: DraftInstallationOptions['identifiers']): readonly string[] =>
  isNames(identifiers)
    ? identifiers
    : Object.entries(identifiers).map(([name, value]) => `${name}=${value}`);

const isNames = (
  identifiers: DraftInstallationOptions['identifiers'],
): identifiers is readonly string[] => Array.isArray(identifiers);
