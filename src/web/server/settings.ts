import type { Tables } from '../../setup/columns.js';
import type { Lists } from './lists/lists.js';
import { refusal } from './problem.js';

/** What checks and runs are built on. */
export interface SiteBase {
  readonly settings: SiteSettings;
  readonly lists: Lists;
  /** Spreadsheets whose columns were looked at. */
  readonly tables: Tables;
  /** Aborted when the server ends: streams end then, and runs stop gently. */
  readonly stop: AbortSignal;
  /** Work that goes on after its request has been answered: the server ends after it. */
  keep(work: Promise<unknown>): void;
}

/** A sample that can be taken for a list. */
export interface Sample {
  readonly name: string;
  readonly path: string;
  /** A mapping that fits it. */
  readonly mapping: string;
}

/** The contact center that the page is about. */
export interface SiteCenter {
  readonly name: string;
  readonly address: string;
  readonly kind: 'production' | 'local' | 'sandbox';
  /** Path of the installation file. */
  readonly installation: string;
  /** Address to use in place of the installation's: that of the sandbox. */
  readonly baseUrl?: string | undefined;
}

/** A contact center that is chosen while the page is open. */
export type ChosenCenter = Pick<SiteSettings, 'center' | 'env' | 'samples'>;

/** How a page without a contact center gets one. */
export interface Setup {
  /** Path of the installation file that would be written. */
  readonly file: string;
  /** The sandbox of the demo, for as long as the page is served. */
  sandbox(): Promise<ChosenCenter>;
  /** The contact center of an installation file. @throws ConfigurationError */
  installation(file: string): Promise<ChosenCenter>;
}

/** How the sources of the pickup file stand, as `watch --status` says it. */
interface WatchedSources {
  readonly sources: readonly {
    readonly name: string;
    /** The file that was taken last; `null`: none yet. */
    readonly last: {
      readonly file: string;
      readonly at: string;
      readonly run: string | null;
      /** The kind of notice that told of it. */
      readonly kind: string;
      readonly rows: number;
      /** Rows that reached the contact center; `null` where nobody knows. */
      readonly sent: number | null;
      readonly badRows: number;
    } | null;
    /** Files that are there, or are worked on, and why; without a name, why nothing is known of them. */
    readonly waiting: readonly { readonly file: string; readonly why: string }[];
    readonly late: string | null;
    /** 3: it does not go on; 2: it needs a person; 0: neither. */
    readonly exitCode: number;
  }[];
}

/** What the command line has decided. */
export interface SiteSettings {
  readonly version: string;
  /** Folder of the built page. */
  readonly page: string;
  /** `undefined`: no installation was given. */
  readonly center: SiteCenter | undefined;
  /** Path of the mapping that lists begin with. */
  readonly mapping: string | undefined;
  /** Absolute path of the ledger, or its address. */
  readonly ledger: string;
  readonly samples: readonly Sample[];
  readonly readOnly: boolean;
  readonly mask: boolean;
  /** Environment for `${NAME}` in the installation's headers. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Id of the list to begin with. */
  readonly open: string | undefined;
  /** How the sources of the pickup file stand; absent where there is none. @throws ConfigurationError */
  readonly watch?: (() => Promise<WatchedSources>) | undefined;
  /** Absent where a contact center was given. */
  readonly setup?: Setup | undefined;
}

/** The contact center of the page. @throws Refusal when there is none */
export function centerOf({ center }: SiteSettings): SiteCenter {
  if (!center) throw refusal('no_installation');
  return center;
}
