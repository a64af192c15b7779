import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { PositionalOptions } from 'yargs';
import { z } from 'zod';
import { type Command, type CommandGroup, defineCommand, type Example } from '../command.js';
import { runAction } from './run-action.js';
import { type Action, actionSchema, flagsOf, optionsOf, sentenceOf, helpNote } from './options.js';
import { fieldsOf } from '../../operations/arguments.js';
import { operations } from '../../contract/operations.js';

const groups = z.record(z.string(), z.record(z.string(), actionSchema));

/** A group with all of its commands, their options read off the contract's table. */
export async function loadGroup(group: string): Promise<CommandGroup> {
  const text = readFileSync(new URL('./data/operations.yaml', import.meta.url), 'utf8');
  const actions = groups.parse(parse(text))[group] ?? {};
  const subcommands = Object.entries(actions).map(([name, action]) =>
    actionCommand(group, name, action),
  );
  if (group !== 'campaigns') return { subcommands };
  // More than one operation, and too much for an example.
  const { createCampaignCommand } = await import('./create-campaign.js');
  const examples = subcommands.flatMap((command) => command.examples.slice(0, 1));
  return { subcommands: [createCampaignCommand, ...subcommands], examples };
}

function actionCommand(group: string, name: string, action: Action): Command {
  const flags = flagsOf(action);
  const options = optionsOf(action, flags);
  const { positional } = action;
  return defineCommand({
    usage: positional ? `${name} <${positional[1]}>` : name,
    describe: `${operations[action.operation].summary}.`,
    epilogue: helpNote(action),
    options,
    positionals: positionalOf(action),
    examples: action.examples.map(([args, what]): Example => [
      `$0 ${group} ${name} -i center.yaml ${args}`.trim(),
      what,
    ]),
    run: (args, terminal) => runAction(action, flags, args, terminal),
  });
}

function positionalOf({ operation, positional }: Action): Record<string, PositionalOptions> {
  if (!positional) return {};
  const [fieldName, name] = positional;
  const field = fieldsOf(operation).find((one) => one.name === fieldName);
  const describe = field ? sentenceOf(field) : '';
  return { [name]: { type: 'string', demandOption: true, describe } };
}
