import type { Readable } from 'node:stream';
import type { KindOf, Name, TakenOf } from '../shared/routes.js';
import type { Language } from '../shared/page.js';
import type { RunResults } from '../../history/results.js';
import type { Checks } from './checks.js';
import type { Runs } from './runs/runs.js';
import type { SiteBase, SiteSettings } from './settings.js';

/** A file that is sent: one that is there, or text that is made meanwhile. */
export type Download = {
  readonly name: string;
  readonly type: string;
} & (
  | {
      readonly path: string;
      /** Called when it has been sent, or nobody waits for it any more. */
      readonly release?: () => Promise<void>;
    }
  | { readonly pieces: AsyncIterable<string> }
);

/** What a handler has beside what was asked. */
export interface Around {
  readonly site: Site;
  /** Aborted when nobody waits for the answer any more, or the server ends. */
  readonly signal: AbortSignal;
  /** That of the page. Sentences of an answer are put into it on the way out, see `sentIn`. */
  readonly language: Language;
  /** The body of an upload. */
  readonly upload: Readable;
}

interface Answers {
  readonly json: Promise<unknown>;
  readonly upload: Promise<unknown>;
  readonly stream: AsyncIterable<unknown>;
  readonly download: Promise<Download>;
}

/**
 * What answers each route. All that it gives reaches the browser: it names what is shown. Errors that it throws become a
 * sentence, see `problem.ts`.
 */
export type Handlers<N extends Name = Name> = {
  readonly [K in N]: (asked: TakenOf<K>, around: Around) => Answers[KindOf<K>];
};

/** What handlers work with. */
export interface Site extends SiteBase {
  /** Changes the settings, for all that work with them. */
  change(changes: Partial<SiteSettings>): void;
  /** The checks of lists that somebody looks at. */
  readonly checks: Checks;
  /** The runs that this server works on. */
  readonly runs: Runs;
  /** How runs went, whoever started them. */
  readonly results: RunResults;
}
