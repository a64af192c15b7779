import type { Argv } from 'yargs';
import type { Command, Task } from './command.js';

/** Commands about one kind of thing. */
export interface CommandGroup {
  readonly name: string;
  readonly describe: string;
  readonly subcommands: readonly Command[];
  readonly examples: readonly [line: string, what: string][];
}

/** A group of which only name and description are at hand, until the command line names it. */
export function lazyGroup(
  { name, describe }: Pick<CommandGroup, 'name' | 'describe'>,
  load: () => Promise<Command>,
): Command {
  return {
    ...traitsOf(name),
    add: (parser) => parser.command(`${name} <command>`, describe),
    load,
  };
}

/** A group with all of its commands. */
export function commandGroup({ name, describe, subcommands, examples }: CommandGroup): Command {
  return {
    ...traitsOf(name),
    subcommands,
    add: (parser, choose) =>
      parser.command(
        name,
        describe,
        (inner) => addParts(inner, subcommands, choose).example([...examples]),
        () => undefined,
      ),
  };
}

const traitsOf = (name: string) => ({
  name,
  positionals: '<command>',
  optionNames: [],
  switchNames: [],
  listNames: [],
});

function addParts(
  parser: Argv,
  subcommands: readonly Command[],
  choose: (task: Task) => void,
): Argv {
  return subcommands
    .reduce((built, command) => command.add(built, choose), parser)
    .demandCommand(1);
}
