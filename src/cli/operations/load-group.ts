import type { Argv } from 'yargs';
import { type Command, defineCommand, commandGroup } from '../command.js';
import { type Group, runAction } from './run-action.js';
import { type Action, flagsOf, optionsOf, sentenceOf, helpNote } from './options.js';
import { fieldsOf } from '../../operations/fields.js';
import { operations } from '../../contract/operations.js';

/** A group with all of its commands, their options read off the contract's table. */
export async function loadGroup({ name, describe, actions }: Group): Promise<Command> {
  const subcommands = await Promise.all(
    Object.entries(actions).map(async ([action, declared]) =>
      typeof declared === 'function' ? declared() : actionCommand(name, action, declared),
    ),
  );
  return commandGroup({ name, describe, subcommands, examples: examplesOf(name, actions) });
}

/** The first example of each command. */
function examplesOf(group: string, actions: Group['actions']): [string, string][] {
  return Object.entries(actions).flatMap(([name, declared]): [string, string][] => {
    const [first] = typeof declared === 'function' ? [] : declared.examples;
    return first ? [exampleLine(group, name, first)] : [];
  });
}

const exampleLine = (
  group: string,
  action: string,
  [args, what]: readonly [string, string],
): [string, string] => [`$0 ${group} ${action} -i center.yaml ${args}`.trim(), what];

function actionCommand(group: string, name: string, action: Action): Command {
  const flags = flagsOf(action);
  const options = optionsOf(action, flags);
  const { positional } = action;
  return defineCommand({
    usage: positional ? `${name} <${positional[1]}>` : name,
    describe: `${operations[action.operation].summary}.`,
    epilogue: helpNote(action),
    options,
    examples: action.examples.map((example) => exampleLine(group, name, example)),
    build: (parser) => withPositional(parser, action).options(options),
    run: (args, terminal) => runAction(action, flags, args, terminal),
  });
}

function withPositional(parser: Argv, { operation, positional }: Action): Argv {
  if (!positional) return parser;
  const [fieldName, name] = positional;
  const field = fieldsOf(operation).find((one) => one.name === fieldName);
  const describe = field ? sentenceOf(field) : '';
  return parser.positional(name, { type: 'string', demandOption: true, describe });
}
