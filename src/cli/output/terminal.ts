import type { Readable, Writable } from 'node:stream';
import type { Moment } from '../../core/time.js';

/** Everything that the command line has of the world around it. A test brings its own. */
export interface Terminal {
  /** `isTTY`: whether a person sits there, who can be asked. */
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** For machines: rows, documents, summaries. */
  readonly stdout: Writable;
  /** For people: progress, notes and errors. */
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether stderr is a terminal, on which a progress bar can be drawn. */
  readonly interactive: boolean;
  /** Width of the terminal in characters; absent when stdout is none. */
  readonly columns?: number | undefined;
  /**
   * Told that a run is well under way: whatever memory it needs, it has by then; and that it no longer is, when its rows
   * have ended: reports and rejects have needs of their own.
   */
  readonly onSettled?: (isTerminal: boolean) => void;
  /** When the command was given. @default when its run is executed */
  readonly begun?: Moment;
  /** Aborted when the person wants to stop. */
  readonly signal: AbortSignal;
}

/** Whether a person sits there who sees questions on stdout and can answer them. */
export const canBeAsked = ({ stdin, columns }: Terminal): boolean =>
  columns !== undefined && stdin.isTTY === true;
