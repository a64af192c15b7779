import type { OperationName } from '../../contract/operations.js';
import type { Command } from '../command.js';

/** An operation of the contact center as a command. Its options are read off the contract's table. */
export interface Action {
  readonly operation: OperationName;
  /** Field that is given without an option, and what it is called. */
  readonly positional?: readonly [field: string, name: string];
  /** Options with another name than their field. */
  readonly flags?: Readonly<Record<string, string>>;
  /** What cannot easily be undone: said before the person is asked whether to go on. */
  readonly asks?: string;
  /** Columns of its table. Default: all. */
  readonly columns?: readonly string[];
  /** Said below the options. */
  readonly note?: string;
  /** The arguments after the command's name and the installation. */
  readonly examples: readonly [args: string, what: string][];
}

/** Commands about one kind of thing. */
export interface Group {
  readonly name: string;
  readonly describe: string;
  /** By the names of the commands. A function loads a command that is more than one operation. */
  readonly actions: Readonly<Record<string, Action | (() => Promise<Command>)>>;
}
