import {
  prepareOperation,
  type ReadyOperation,
  sendOperation,
  shownRequest,
  type ShownRequest,
} from '../../operations/operation.js';
import { fieldsOf } from '../../operations/arguments.js';
import type { OperationArguments, ArgumentValue } from '../../operations/arguments.js';
import { openSession } from '../../operations/session.js';
import { EXIT, type ExitCode } from '../../core/errors.js';
import {
  note,
  print,
  printJson,
  printValue,
  type Terminal,
  STANDARD_INPUT,
  stopWaiting,
} from '../output/output.js';
import { confirm, needSomebody } from './confirm.js';
import type { Flag, Action } from './options.js';
import { counted, isRecord, printableJson } from '../../core/text.js';
import { operations, type OperationName } from '../../contract/operations.js';
import { cellText, rowsTable } from './table.js';
import { text } from 'node:stream/consumers';
import type { DataSource } from '../../operations/arguments.js';

export type Arguments = Readonly<Record<string, unknown>>;

/** Does one operation of the contact center, as the arguments say. */
export async function runAction(
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
  const session = await openSession({
    installation: textOf(args['installation']) ?? '',
    env: terminal.env,
    signal: terminal.signal,
  });
  try {
    const given = argumentsOf(action, flags, args);
    const ready = await prepareOperation(session, given, { data, limit: limitOf(args['limit']) });
    const request = shownRequest(ready, session.installation);
    if (dry) {
      await printRequests([request], wantsJson(args, terminal), terminal);
      return EXIT.ok;
    }
    if (mustAsk) await confirm(`${asks}\n\n${requestText(request)}`, terminal);
    const result = await sendOperation(session, ready);
    await printResult(action, ready, result.value, wantsJson(args, terminal), terminal);
    for (const problem of result.problems) note(terminal.stderr, problem);
    return result.exitCode;
  } finally {
    await session.close();
  }
}

/** A person at a terminal reads a table; whoever reads what is printed otherwise is a program. */
export function wantsJson({ json }: Arguments, { columns }: Terminal): boolean {
  return typeof json === 'boolean' ? json : columns === undefined;
}

async function printResult(
  { operation, columns }: Action,
  { input: { params, body } }: ReadyOperation,
  value: unknown,
  json: boolean,
  { stdout, columns: width }: Terminal,
): Promise<void> {
  const clients = Array.isArray(body['clients']) ? body['clients'].length : undefined;
  const printed = { operation, params, value, clients, columns, width };
  if (json) await printJson(stdout, resultJson(printed));
  else await print(stdout, await resultText(printed));
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

export function argumentValue(value: unknown): ArgumentValue | undefined {
  if (typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.map(String) : textOf(value);
}

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const limitOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;

/** What an operation came to, as it is printed. */
interface Printed {
  readonly operation: OperationName;
  /** Path parameters of the request. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The answer; `undefined` for an acknowledgement. */
  readonly value: unknown;
  /** How many clients the request was about, where it was about several things. */
  readonly clients?: number | undefined;
  readonly columns?: readonly string[] | undefined;
  /** Width of the terminal. */
  readonly width?: number | undefined;
}

/** For a program: the answer as the interface gives it; of an acknowledgement, what was done. */
function resultJson({ operation, params, value }: Printed): string {
  return `${JSON.stringify(value ?? { operation, done: true, ...params }, null, 2)}\n`;
}

/** For a person: a table, or a sentence where there is nothing to show. */
async function resultText(printed: Printed): Promise<string> {
  const { operation, value, columns, width } = printed;
  if (operation === 'addApplications') return `${addedText(printed)}\n`;
  if (Array.isArray(value)) return listText(value, columns, width);
  if (!isRecord(value)) return `${doneText(printed)}\n`;
  const [inner, ...others] = Object.values(value);
  // An answer that is one list or one object, such as `clientFieldsToValues`, is shown without its wrapping.
  if (others.length === 0 && Array.isArray(inner)) return listText(inner, columns, width);
  const shown = others.length === 0 && isRecord(inner) ? inner : value;
  const rows = Object.entries(shown).map(([field, content]) => ({ field, value: content }));
  return rowsTable(rows, undefined, width);
}

const listText = async (
  list: readonly unknown[],
  columns?: readonly string[],
  width?: number,
): Promise<string> =>
  list.length === 0 ? 'There are none.\n' : rowsTable(list.filter(isRecord), columns, width);

function doneText({ operation, params }: Printed): string {
  const { summary } = operations[operation];
  const ids = Object.entries(params).map(([name, id]) => `${name} ${cellText(id)}`);
  const about = ids.length === 0 ? '' : ` (${ids.join(', ')})`;
  return `Done: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}${about}.`;
}

function addedText({ value, clients = 0 }: Printed): string {
  const errors = isRecord(value) && Array.isArray(value['errors']) ? value['errors'].length : 0;
  return `${clients - errors} of ${counted(clients, 'client')} ${clients - errors === 1 ? 'was' : 'were'} added to the campaign.`;
}

/** A request for a person: method and address, and the body below. */
function requestText({ method, url, body }: ShownRequest): string {
  const first = `${method} ${url}`;
  return body === undefined ? first : `${first}\n${printableJson(JSON.stringify(body, null, 2))}`;
}

/** Prints requests in place of sending them: for a program, one object, or a list of several. */
export async function printRequests(
  requests: readonly ShownRequest[],
  json: boolean,
  { stdout }: Pick<Terminal, 'stdout'>,
): Promise<void> {
  const shown = requests.length === 1 ? requests[0] : requests;
  if (json) await printValue(stdout, shown);
  else await print(stdout, `${requests.map(requestText).join('\n\n')}\n`);
}

/** Where the person says that data is: standard input, JSON on the command line, else a file. */
export async function dataSource(
  given: string,
  option: string,
  terminal: Terminal,
): Promise<DataSource> {
  if (given === STANDARD_INPUT) {
    stopWaiting([given], terminal);
    return { name: 'standard input', text: await text(terminal.stdin) };
  }
  return /^\s*[[{]/.test(given) ? { name: option, text: given } : { file: given };
}
