import {
  type OperationName,
  operations,
  FILTER_OPERATORS,
  FILTER_VALUES,
} from '../../contract/operations.js';
import type { Options, PositionalOptions } from 'yargs';
import { z } from 'zod';
import {
  fieldsOf,
  type Field,
  type FieldKind,
  isList,
  type OperationArguments,
  type ArgumentValue,
  type DataSource,
} from '../../operations/arguments.js';
import { flagOption, numberOption, requiredInstallation, textOption } from '../options.js';
import {
  isRecord,
  shortenedInMiddle,
  printableLine,
  counted,
  printableJson,
} from '../../core/text.js';
import {
  prepareOperation,
  type ReadyOperation,
  sendOperation,
  shownRequest,
  type ShownRequest,
  readCampaign,
  type Assignment,
  assignmentOf,
  type CampaignPlan,
  createCampaign,
  plannedRequests,
  type CampaignCreation,
  type Step,
  openSession,
} from '../../operations/operation.js';
import { EXIT, type ExitCode, CardlineError, UsageError } from '../../core/errors.js';
import {
  note,
  print,
  printEither,
  printValue,
  type Terminal,
  STANDARD_INPUT,
  stopWaiting,
  explain,
} from '../output/output.js';
import { confirm, needSomebody } from './confirm.js';
import { text } from 'node:stream/consumers';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Command, type CommandGroup, defineCommand, type Example } from '../command.js';

/** An operation of the contact center as a command. Its options are read off the contract's table. */
const actionSchema = z.strictObject({
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

type Action = z.infer<typeof actionSchema>;

interface Flag {
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

const dryRun = flagOption('Print the request and send nothing. Default: no.');

const dryRunWithLookup = flagOption(
  'Print the request and do not send it. What it needs is looked up all the same: a campaign by its name, a task by its campaign. Default: no.',
);

const jsonOutput = flagOption('Print JSON. Default: a table on a terminal, else JSON.');

/** The options that the operation's fields make, in the order of the interface. */
function flagsOf({ operation, positional, flags = {} }: Action): Flag[] {
  return fieldsOf(operation)
    .filter(({ name, kind }) => kind !== 'nested' && name !== positional?.[0])
    .map((field) => {
      const kebab = field.name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return { field, name: flags[field.name] ?? NAMES[field.kind] ?? kebab };
    });
}

const taskOption = textOption(
  'In place of --task-id: the TM campaign of the task, by id or by name.',
);

const yes = flagOption('Do it without asking; needed where nobody can be asked. Default: no.');

function optionOf(field: Field, name: string): Options {
  const { kind, required } = field;
  const how = kind === 'boolean' ? `: --${name} or --no-${name}` : '';
  const isNeeded = required && kind !== 'task';
  const describe = `${sentenceOf(field)}${isNeeded ? ` Required${how}.` : ''}`;
  if (field.kind === 'boolean') return flagOption(describe);
  if (LISTS.has(field.kind)) return textOption(describe, { array: true });
  return { ...textOption(describe), ...(field.choices && { choices: field.choices }) };
}

function sentenceOf({ kind, description }: Field): string {
  return HELP[kind] ?? description.charAt(0).toUpperCase() + description.slice(1);
}

const FILTER_NOTE = `A filter is "key operator value"; of several, all must fit. Operators: ${FILTER_OPERATORS.join(', ')}. Keys, and their values:
${Object.entries(FILTER_VALUES)
  .map(([key, values]) => `  ${key}: ${values.join(', ')}`)
  .join('\n')}
  phones.phoneNumber: a phone number
  id: the client's internal id
  the name of a card field: its value`;

const EXIT_CODES = `Exit codes:
  0   done
  2   the contact center refused; its message is shown as it stands
  3   not reached, or it is not known whether it took effect
  64  wrong usage, installation or data`;

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return printableLine(value);
  if (Array.isArray(value)) return value.map(cellText).join(', ');
  if (!isRecord(value)) return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, inner]) => `${cellText(name)}=${cellText(inner)}`)
    .join(', ');
}

/** Rows as a table. Without `columns`, or where these do not fit, every one in which any row has something. */
export async function rowsTable(
  rows: readonly Readonly<Record<string, unknown>>[],
  wanted: readonly string[] = usedColumns(rows),
  width?: number,
): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const widthOf = (name: string): number =>
    Math.max(cellText(name).length, ...rows.map((row) => cellText(row[name]).length));
  const whole = wanted.reduce((sum, name) => sum + widthOf(name) + BESIDE, 1);
  const columns = whole <= (width ?? Infinity) ? wanted : usedColumns(rows, wanted);
  const lines = rows.map((row) => columns.map((name) => cellText(row[name])));
  const table = new Table({
    head: columns.map(cellText),
    style: { head: [], border: [], compact: true },
  });
  for (const line of width === undefined ? lines : fitted(columns, lines, width)) table.push(line);
  return `${table.toString()}\n`;
}

/** Signs beside a cell: its border and its padding. */
const BESIDE = 3;
/** Columns whose values somebody copies: they stay whole. */
const COPIED = /(?:^|[a-z])(?:Id|ID|id|uuid|UUID)$/;
const IS_COPIED = /^[\w+-]*$/;

/** A value that is an id wherever it stands. */
const IS_ID = /^(?:\d+|[\da-f]{8}-[\da-f-]{27})$/i;

/** The cells as they fit a terminal of this width: columns that can be are shortened in their middle. */
function fitted(
  columns: readonly string[],
  lines: readonly (readonly string[])[],
  width: number,
): string[][] {
  const natural = columns.map((name, at) => ({
    width: Math.max(cellText(name).length, ...lines.map((line) => line[at]?.length ?? 0)),
    canShrink: !(COPIED.test(name) && lines.every((line) => IS_COPIED.test(line[at] ?? ''))),
  }));
  const widths = columnWidths(natural, width - columns.length * BESIDE - 1);
  return lines.map((line) =>
    line.map((cell, at) => (IS_ID.test(cell) ? cell : shortenedInMiddle(cell, widths[at] ?? 0))),
  );
}

function usedColumns(
  rows: readonly Readonly<Record<string, unknown>>[],
  names: readonly string[] = [...new Set(rows.flatMap((row) => Object.keys(row)))],
): string[] {
  return names.filter((name) => rows.some((row) => cellText(row[name]) !== ''));
}

/** Narrower than this, nobody reads what a column holds. */
const NARROWEST = 6;

/** The widths of columns that have so much room in all: the widest that can be shortened (no ids) give way first. */
export function columnWidths(
  columns: readonly { readonly width: number; readonly canShrink: boolean }[],
  room: number,
): number[] {
  const widths = columns.map(({ width }) => width);
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const free = widths.map((width, at) =>
      columns[at]?.canShrink === true && width > NARROWEST ? width : 0,
    );
    const widest = Math.max(0, ...free);
    if (widest === 0) break;
    const at = free.indexOf(widest);
    const next = Math.max(NARROWEST, ...free.filter((width) => width < widest));
    const step = Math.min(excess, Math.max(1, widest - next));
    widths[at] = widest - step;
    excess -= step;
  }
  return widths;
}

type Arguments = Readonly<Record<string, unknown>>;

async function runAction(
  action: Action,
  flags: readonly Flag[],
  args: Arguments,
  terminal: Terminal,
): Promise<ExitCode> {
  const { asks } = action;
  const dry = args['dryRun'] === true;
  const mustAsk = asks !== undefined && !dry && args['yes'] !== true;
  if (mustAsk) needSomebody(terminal, args['data']);
  const given = textOf(args['data']);
  const data = given === undefined ? undefined : await dataSource(given, '--data', terminal);
  const limit = typeof args['limit'] === 'number' ? args['limit'] : undefined;
  const session = await sessionOf(args, terminal);
  try {
    const given = argumentsOf(action, flags, args);
    const ready = await prepareOperation(session, given, { data, limit });
    const request = shownRequest(ready, session.installation);
    if (dry) {
      await printRequests([request], wantsJson(args, terminal), terminal);
      return EXIT.ok;
    }
    if (mustAsk) await confirm(`${asks}\n\n${requestText(request)}`, terminal);
    const result = await sendOperation(session, ready);
    const { stdout, columns } = terminal;
    const { operation } = action;
    if (wantsJson(args, terminal))
      await printValue(stdout, result.value ?? { operation, done: true, ...ready.input.params });
    else await print(stdout, await answerText(action, ready.input, result.value, columns));
    for (const problem of result.problems) note(terminal.stderr, problem);
    return result.exitCode;
  } finally {
    await session.close();
  }
}

const sessionOf = (args: Arguments, { env, signal }: Terminal) =>
  openSession({ installation: textOf(args['installation']) ?? '', env, signal });

/** A person at a terminal reads a table; whoever reads what is printed otherwise is a program. */
function wantsJson({ json }: Arguments, { columns }: Terminal): boolean {
  return typeof json === 'boolean' ? json : columns === undefined;
}

function argumentsOf(
  { operation, positional }: Action,
  flags: readonly Flag[],
  args: Arguments,
): OperationArguments {
  const hasTask = flags.some(({ field }) => field.kind === 'task');
  const names = flags.map(({ field, name }): [string, string] => [field.name, name]);
  return {
    operation,
    values: Object.fromEntries(
      [...names, ...(positional ? [positional] : [])].map(([field, name]) => [
        field,
        argumentValue(args[name]),
      ]),
    ),
    labels: {
      ...Object.fromEntries(fieldsOf(operation).map(({ name }) => [name, '--data'])),
      ...Object.fromEntries(names.map(([field, name]) => [field, `--${name}`])),
      ...(positional && { [positional[0]]: `<${positional[1]}>` }),
      ...(hasTask && { taskId: '--campaign or --task-id' }),
    },
    taskOf: hasTask ? textOf(args['campaign']) : undefined,
  };
}

function argumentValue(value: unknown): ArgumentValue | undefined {
  if (typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.map(String) : textOf(value);
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** An answer for a person: a table, or a sentence where there is nothing to show. */
async function answerText(
  { operation, columns }: Action,
  { params, body }: ReadyOperation['input'],
  value: unknown,
  width: number | undefined,
): Promise<string> {
  if (operation === 'addApplications') {
    const { clients } = body;
    const all = Array.isArray(clients) ? clients.length : 0;
    const errors = isRecord(value) && Array.isArray(value['errors']) ? value['errors'].length : 0;
    const added = all - errors;
    return `${added} of ${counted(all, 'client')} ${added === 1 ? 'was' : 'were'} added to the campaign.\n`;
  }
  if (Array.isArray(value)) return listText(value, columns, width);
  if (!isRecord(value)) {
    const { summary } = operations[operation];
    const ids = Object.entries(params).map(([name, id]) => `${name} ${cellText(id)}`);
    const about = ids.length === 0 ? '' : ` (${ids.join(', ')})`;
    return `Done: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}${about}.\n`;
  }
  const [inner, ...others] = Object.values(value);
  // An answer that is one list or one object, such as `clientFieldsToValues`, is shown without its wrapping.
  if (others.length === 0 && Array.isArray(inner)) return listText(inner, columns, width);
  const shown = others.length === 0 && isRecord(inner) ? inner : value;
  const rows = Object.entries(shown).map(([field, content]) => ({ field, value: content }));
  return rowsTable(rows, undefined, width);
}

const listText = async (
  list: readonly unknown[],
  columns: readonly string[] | undefined,
  width: number | undefined,
): Promise<string> =>
  list.length === 0 ? 'There are none.\n' : rowsTable(list.filter(isRecord), columns, width);

/** A request for a person: method and address, and the body below. */
function requestText({ method, url, body }: ShownRequest): string {
  const first = `${method} ${url}`;
  return body === undefined ? first : `${first}\n${printableJson(JSON.stringify(body, null, 2))}`;
}

/** Prints requests in place of sending them: for a program, one object, or a list of several. */
async function printRequests(
  requests: readonly ShownRequest[],
  json: boolean,
  { stdout }: Pick<Terminal, 'stdout'>,
): Promise<void> {
  const shown = requests.length === 1 ? requests[0] : requests;
  await printEither(stdout, json, shown, `${requests.map(requestText).join('\n\n')}\n`);
}

/** Where the person says that data is: standard input, JSON on the command line, else a file. */
async function dataSource(given: string, option: string, terminal: Terminal): Promise<DataSource> {
  if (given === STANDARD_INPUT) {
    stopWaiting([given], terminal);
    return { name: 'standard input', text: await text(terminal.stdin) };
  }
  return /^\s*[[{]/.test(given) ? { name: option, text: given } : { file: given };
}

const groups = z.record(z.string(), z.record(z.string(), actionSchema));

/** A group with all of its commands, their options read off the contract's table. */
export function loadGroup(group: string): CommandGroup {
  const text = readFileSync(new URL('./data/operations.yaml', import.meta.url), 'utf8');
  const actions = groups.parse(parse(text))[group] ?? {};
  const subcommands = Object.entries(actions).map(([name, action]) =>
    actionCommand(group, name, action),
  );
  if (group !== 'campaigns') return { subcommands };
  // More than one operation, and too much for an example.
  const examples = subcommands.flatMap((command) => command.examples().slice(0, 1));
  return { subcommands: [createCampaignCommand, ...subcommands], examples };
}

function actionCommand(group: string, name: string, action: Action): Command {
  const { operation, asks } = action;
  const flags = flagsOf(action);
  const fields = fieldsOf(operation);
  const kinds = fields.map(({ kind }) => kind);
  const looksUp = kinds.includes('campaign') || kinds.includes('task');
  const options: Record<string, Options> = {
    ...requiredInstallation,
    ...Object.fromEntries(flags.map((flag) => [flag.name, optionOf(flag.field, flag.name)])),
    ...(flags.some((flag) => flag.field.kind === 'task') && { campaign: taskOption }),
    ...('body' in operations[operation] && { data }),
    ...(isList(operation) && {
      limit: numberOption('limit', 'Print at most so many. Default: all.', 1),
    }),
    'dry-run': looksUp ? dryRunWithLookup : dryRun,
    ...(asks !== undefined && { yes: { ...yes, alias: 'y' } }),
    json: jsonOutput,
  };
  const epilogue = [
    action.note ?? '',
    kinds.includes('criteria') ? FILTER_NOTE : '',
    asks === undefined ? '' : `${asks} So it asks first, unless --yes or --dry-run is given.`,
    EXIT_CODES,
  ];
  const [fieldName, argument] = action.positional ?? [];
  const field = fields.find((one) => one.name === fieldName);
  const describe = field ? sentenceOf(field) : '';
  return defineCommand({
    usage: argument === undefined ? name : `${name} <${argument}>`,
    describe: `${operations[operation].summary}.`,
    epilogue: epilogue.filter((part) => part !== '').join('\n\n'),
    options,
    positionals:
      argument === undefined
        ? {}
        : {
            [argument]: {
              type: 'string',
              demandOption: true,
              describe,
            } satisfies PositionalOptions,
          },
    examples: action.examples.map(([args, what]): Example => [
      `$0 ${group} ${name} -i center.yaml ${args}`.trim(),
      what,
    ]),
    run: (args, terminal) => runAction(action, flags, args, terminal),
  });
}

/** The assignment's own fields; the task is that of the new campaign. */
const assignmentFlags = flagsOf({
  operation: 'assignTask',
  flags: { groupId: 'assign', taskPriority: 'priority', userSelectionMode: 'mode' },
  examples: [],
}).filter(({ field }) => field.kind !== 'task');

const options = {
  ...requiredInstallation,
  file: textOption(
    'Fields of the campaign: a YAML or JSON file, or - for standard input. Required.',
    { demandOption: true },
  ),
  name: textOption("Name of the campaign. Default: the file's."),
  ...Object.fromEntries(
    assignmentFlags.map(({ name, field }) => [
      name,
      {
        ...textOption(
          name === 'assign'
            ? 'Assign the task of the campaign to the agent group of this id. Default: not assigned.'
            : `${sentenceOf(field)} Required with --assign.`,
        ),
        ...(field.choices && { choices: field.choices }),
      },
    ]),
  ),
  start: flagOption('Start the campaign at once. Default: no.'),
  'dry-run': dryRun,
  json: jsonOutput,
};

const inWords = (steps: readonly Step[]): string => steps.map((step) => WORDS[step]).join(', ');

const WORDS: Readonly<Record<Step, string>> = {
  createCampaign: 'creation',
  campaignTask: 'lookup of its task',
  assignTask: 'assignment to the group',
  startCampaign: 'start',
};

/** Creates a campaign and shows its id, which the interface does not return; assigns and starts it in the same go. */
const createCampaignCommand = defineCommand({
  group: 'campaigns',
  usage: 'create',
  describe: 'Create a TM campaign.',
  epilogue: `The interface does not return the id of the new campaign, so the list is read before and after. Where a later step fails, the message says what was done.

${EXIT_CODES}`,
  options,
  run: runCreate,
});

async function runCreate(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const json = wantsJson(args, terminal);
  const session = await sessionOf(args, terminal);
  try {
    const plan = await planOf(args, terminal);
    if (args['dryRun'] === true) {
      const requests = plannedRequests(plan, session.installation);
      await printRequests(requests, json, terminal);
      return EXIT.ok;
    }
    return await printCreation(await createCampaign(session.ask, plan), terminal, json);
  } finally {
    await session.close();
  }
}

async function planOf(args: Arguments, terminal: Terminal): Promise<CampaignPlan> {
  const source = await dataSource(textOf(args['file']) ?? '', '--file', terminal);
  const [assigning, campaign] = await Promise.allSettled([
    Promise.resolve(args).then(assignmentIn),
    readCampaign(source, textOf(args['name'])),
  ]);
  // What is wrong with the options and with the file is told together.
  if (assigning.status === 'rejected' && campaign.status === 'rejected')
    throw new UsageError([assigning, campaign].map(({ reason }) => messageOf(reason)).join('\n'));
  if (assigning.status === 'rejected') throw assigning.reason;
  if (campaign.status === 'rejected') throw campaign.reason;
  return { campaign: campaign.value, assignment: assigning.value, start: args['start'] === true };
}

/** The words of an error that the person can mend; any other is thrown on. */
function messageOf(error: unknown): string {
  if (error instanceof CardlineError && error.exitCode === EXIT.usage) return error.message;
  throw error;
}

function assignmentIn(args: Arguments): Assignment | undefined {
  const given = assignmentFlags.filter(({ name }) => args[name] !== undefined);
  const [first] = given;
  if (first === undefined) return undefined;
  if (args['assign'] === undefined) throw new UsageError(`--${first.name} belongs to --assign.`);
  return assignmentOf({
    values: Object.fromEntries(
      given.map(({ field, name }) => [field.name, argumentValue(args[name])]),
    ),
    labels: Object.fromEntries(assignmentFlags.map(({ field, name }) => [field.name, `--${name}`])),
  });
}

async function printCreation(
  creation: CampaignCreation,
  { stdout, stderr, env }: Terminal,
  json: boolean,
): Promise<ExitCode> {
  const { failure, ...known } = creation;
  const { name, campaignId, taskId } = creation;
  const [done, unknown, notDone] = [
    inWords(creation.done),
    inWords(creation.unknown),
    inWords(creation.notDone),
  ];
  const table = await rowsTable(
    Object.entries({ campaignId, name, taskId, done, 'not known': unknown, 'not done': notDone })
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([field, value]) => ({ field, value })),
  );
  await printEither(stdout, json, known, table);
  if (failure === undefined) return EXIT.ok;
  const { exitCode, text } = explain(failure, Boolean(env['CARDLINE_DEBUG']));
  note(stderr, text);
  const left = [
    `Campaign${campaignId === undefined ? '' : ` ${campaignId}`} "${name}" was created.`,
    unknown === '' ? '' : `Whether this was done is not known: ${unknown}.`,
    notDone === '' ? '' : `This was not done: ${notDone}.`,
  ];
  note(stderr, left.filter((sentence) => sentence !== '').join(' '));
  // Without its id, what the person asked for is not there, whatever the reason.
  return campaignId === undefined ? EXIT.stopped : exitCode;
}
