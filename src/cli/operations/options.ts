import { type OperationName, operations } from '../../contract/operations.js';
import type { Options } from 'yargs';
import { z } from 'zod';
import { fieldsOf, type Field, type FieldKind, isList } from '../../operations/arguments.js';
import { FILTER_OPERATORS, FILTER_VALUES } from '../../contract/applications.js';
import { flagOption, numberOption, requiredInstallation, textOption } from '../options/options.js';

/** An operation of the contact center as a command. Its options are read off the contract's table. */
export const actionSchema = z.strictObject({
  operation: z.custom<OperationName>((name) => typeof name === 'string' && name in operations),
  /** Field that is given without an option, and what it is called. */
  positional: z.tuple([z.string(), z.string()]).optional(),
  /** Options with another name than their field. */
  flags: z.record(z.string(), z.string()).optional(),
  /** What cannot easily be undone: said before the person is asked whether to go on. */
  asks: z.string().optional(),
  /** Columns of its table. Default: all. */
  columns: z.array(z.string()).optional(),
  /** Said below the options. */
  note: z.string().optional(),
  /** The arguments after the command's name and the installation, and what they are good for. */
  examples: z.array(z.tuple([z.string(), z.string()])),
});

export type Action = z.infer<typeof actionSchema>;

/** A field of a request and the option that gives it. */
export interface Flag {
  readonly field: Field;
  /** Without the dashes. */
  readonly name: string;
}

/** How the person names fields of these kinds; other options have the names of their fields. */
const NAMES: Partial<Record<FieldKind, string>> = {
  identifiers: 'id',
  clients: 'id',
  criteria: 'where',
  campaign: 'campaign',
};

/** Kinds of fields that take several values. */
const LISTS: ReadonlySet<FieldKind> = new Set(['identifiers', 'clients', 'criteria', 'card']);

/** Help for kinds that the contract cannot describe, or not for a command line. */
const HELP: Partial<Record<FieldKind, string>> = {
  identifiers: 'A synchronization identifier of the client, as name=value; once for each.',
  clients: 'A synchronization identifier of one client, as name=value; once for each.',
  criteria:
    'A filter, as "key operator value", such as "application.status = FAILED"; may be repeated.',
  card: 'A custom card field to change, as name=value; may be repeated.',
  campaign: 'TM campaign, by id or by name.',
};

const data = textOption(
  'The request body, or its list, or one element of that: a YAML or JSON file, - for standard input, or JSON. What options give wins.',
);

export const dryRun = flagOption('Print the request and send nothing. Default: no.');

const dryRunWithLookup = flagOption(
  'Print the request and do not send it. What it needs is looked up all the same: a campaign by its name, a task by its campaign. Default: no.',
);

export const jsonOutput = flagOption('Print JSON. Default: a table on a terminal, else JSON.');

/** The options that the operation's fields make, in the order of the interface. */
export function flagsOf({ operation, positional, flags = {} }: Action): Flag[] {
  return fieldsOf(operation)
    .filter(({ name, kind }) => kind !== 'nested' && name !== positional?.[0])
    .map((field) => ({ field, name: flags[field.name] ?? NAMES[field.kind] ?? kebab(field.name) }));
}

/** Every option of an action. */
export function optionsOf(action: Action, flags: readonly Flag[]): Record<string, Options> {
  const { operation, asks } = action;
  return {
    ...requiredInstallation,
    ...Object.fromEntries(flags.map(({ name, field }) => [name, optionOf(field, name)])),
    ...(flags.some(({ field }) => field.kind === 'task') && { campaign: taskOption }),
    ...('body' in operations[operation] && { data }),
    ...(isList(operation) && {
      limit: numberOption('limit', 'Print at most so many. Default: all.', 1),
    }),
    'dry-run': looksUp(operation) ? dryRunWithLookup : dryRun,
    ...(asks !== undefined && { yes: yesOption }),
    json: jsonOutput,
  };
}

const looksUp = (operation: OperationName): boolean =>
  fieldsOf(operation).some(({ kind }) => kind === 'campaign' || kind === 'task');

const taskOption = textOption(
  'In place of --task-id: the TM campaign of the task, by id or by name.',
);

const yesOption = {
  ...flagOption('Do it without asking; needed where nobody can be asked. Default: no.'),
  alias: 'y',
};

function optionOf(field: Field, name: string): Options {
  const describe = helpOf(field, name);
  if (field.kind === 'boolean') return flagOption(describe);
  if (LISTS.has(field.kind)) return textOption(describe, { array: true });
  return { ...textOption(describe), ...(field.choices && { choices: field.choices }) };
}

function helpOf(field: Field, name: string): string {
  const { kind, required } = field;
  if (!required || kind === 'task') return sentenceOf(field);
  const how = kind === 'boolean' ? `: --${name} or --no-${name}` : '';
  return `${sentenceOf(field)} Required${how}.`;
}

/** One sentence about a field. */
export function sentenceOf({ kind, description }: Field): string {
  return HELP[kind] ?? description.charAt(0).toUpperCase() + description.slice(1);
}

/** What is said below the options. */
export function helpNote({ operation, asks, note }: Action): string {
  const filters = fieldsOf(operation).some(({ kind }) => kind === 'criteria') ? FILTER_NOTE : '';
  const asking =
    asks === undefined ? '' : `${asks} So it asks first, unless --yes or --dry-run is given.`;
  return [note ?? '', filters, asking, EXIT_CODES].filter((text) => text !== '').join('\n\n');
}

const FILTER_NOTE = `A filter is "key operator value"; of several, all must fit. Operators: ${FILTER_OPERATORS.join(', ')}. Keys, and their values:
${Object.entries(FILTER_VALUES)
  .map(([key, values]) => `  ${key}: ${values.join(', ')}`)
  .join('\n')}
  phones.phoneNumber: a phone number
  id: the client's internal id
  the name of a card field: its value`;

export const EXIT_CODES = `Exit codes:
  0   done
  2   the contact center refused; its message is shown as it stands
  3   not reached, or it is not known whether it took effect
  64  wrong usage, installation or data`;

/** `phoneNumber` -> `phone-number`. */
const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
