import type { ArgumentsCamelCase, Argv, Options } from 'yargs';
import type { ExitCode } from '../core/errors.js';
import type { Terminal } from './terminal.js';

/** What is left to do once the arguments are understood. */
export type Task = (terminal: Terminal) => Promise<ExitCode>;

interface Definition<T, O> {
  /** Name and positional arguments, in yargs' notation. */
  readonly usage: string;
  readonly describe: string;
  /** Said below the options. */
  readonly epilogue?: string;
  readonly options: O;
  readonly examples: readonly [line: string, what: string][];
  /** Adds the options and positional arguments. */
  readonly build: (parser: Argv) => Argv<T>;
  /** Loads what it needs when it is called, so that the other commands start quickly. */
  readonly run: (args: ArgumentsCamelCase<T>, terminal: Terminal) => Promise<ExitCode>;
}

/** A command, its argument types known to itself alone. */
export interface Command {
  readonly name: string;
  /** Names of the positional arguments as the help shows them. */
  readonly positionals: string;
  readonly optionNames: readonly string[];
  /** Adds the command to the parser; `choose` is called with its task when it was asked for. */
  add(parser: Argv, choose: (task: Task) => void): Argv;
}

/** Declares a command. Parsing only chooses the task; it is run by the caller. */
export function defineCommand<T, O extends Record<string, Options>>(
  definition: Definition<T, O>,
): Command {
  const { usage, describe, epilogue, options, examples, build, run } = definition;
  const [name = usage, ...positionals] = usage.split(' ');
  const builder = (parser: Argv): Argv<T> => {
    const built = build(parser).example(examples);
    return epilogue === undefined ? built : built.epilogue(epilogue);
  };
  return {
    name,
    positionals: positionals.join(' '),
    optionNames: Object.keys(options),
    add: (parser, choose) =>
      parser.command(usage, describe, builder, (args) => {
        choose((terminal) => run(args, terminal));
      }),
  };
}
