import type { ContactCenter, ExchangeEvent } from '../../client/contact-center.js';
import type { Mode } from '../../core/mode.js';
import type { SourceInfo, SourceOptions } from '../../core/table.js';
import type { Installation } from '../../installation/installation.js';
import type { LoadedMapping } from '../../mapping/load.js';
import type { CampaignChoice } from '../requests.js';
import type { CheckName, Diagnosis } from './finding.js';

/** What an import would be given. */
export interface DoctorRequest {
  /** Path of the installation file. */
  readonly installation: string;
  readonly mapping?: string | undefined;
  readonly mode?: Mode | undefined;
  /** Path of a spreadsheet. */
  readonly file?: string | undefined;
  readonly source?: SourceOptions | undefined;
  readonly campaign?: CampaignChoice | undefined;
  /** Where the person names the campaign. @default '--campaign' */
  readonly campaignKey?: string | undefined;
  readonly ledger?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted to stop at once. */
  readonly signal: AbortSignal;
  /** How a file that was opened is described. */
  readonly describeInput: (file: string, info: SourceInfo) => string;
}

/** What the first request brought: the list of campaigns, cut to one, or an error. */
export interface Probe {
  readonly error?: unknown;
  /** Absent when nothing was answered. */
  readonly event?: ExchangeEvent | undefined;
  /** When the answer came, in milliseconds since the epoch. */
  readonly at: number;
}

/** What earlier checks have found out for later ones. */
export interface CheckContext {
  readonly request: DoctorRequest;
  installation?: Installation;
  mapping?: LoadedMapping;
  info?: SourceInfo;
  center?: ContactCenter;
  /** The latest answer of the contact center. */
  event?: ExchangeEvent;
  probe?: Probe;
}

/** One check. What it throws on purpose is what it found to be wrong. */
export interface Check {
  /** Checks that have to be well before. */
  readonly needs: readonly CheckName[];
  /** Whether there is anything to check. @default there is */
  readonly isAsked?: (context: CheckContext) => boolean;
  readonly run: (context: CheckContext) => Diagnosis | Promise<Diagnosis>;
}

/** What an earlier check has found: it is among the needs of this one. */
export function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a check needs another one to come before it');
  return value;
}
