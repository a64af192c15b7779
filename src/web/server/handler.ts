import type { Readable } from 'node:stream';
import type { Answer, Name, Routes, TakenOf } from '../shared/routes.js';
import type { Language } from '../shared/in-browser.js';
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
  /** That of the page. Sentences of an answer are put into it on the way out; others know themselves how. */
  readonly language: Language;
  /** The body of an upload. */
  readonly upload: Readable;
}

interface Answers<N extends Name> {
  readonly json: Promise<Answer<N>>;
  readonly upload: Promise<Answer<N>>;
  readonly stream: AsyncIterable<Answer<N>>;
  readonly download: Promise<Download>;
}

/** Answers one route. Errors that it throws become a sentence, see `problem.ts`. */
type Handler<N extends Name> = (asked: TakenOf<N>, around: Around) => Answers<N>[Routes[N]['kind']];

export type Handlers<N extends Name = Name> = { readonly [K in N]: Handler<K> };

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
