import { rowsIn } from '../../core/outcome.js';
import { EXIT, UsageError, ConfigurationError } from '../../core/errors.js';
import type { InitRequest } from '../../setup/init.js';
import { defineCommand } from '../command.js';
import {
  flagOption,
  textOption,
  requiredInstallation,
  mappingOption,
  campaignChoice,
  givenOptions,
  givenSource,
  runFlags,
  sourceFlags,
  numberOption,
  installationDescription,
  ledgerNamed,
  sharedLedgerOptions,
} from '../options.js';
import {
  canBeAsked,
  note,
  print,
  StoppedError,
  type Terminal,
  printValue,
  untilStopped,
  printEither,
} from '../output/output.js';
import { counted, shellWord, printable, whole } from '../../core/text.js';
import type { DoctorRequest, DoctorResult, Finding } from '../../setup/doctor.js';
import { INPUT_FORMAT_WORDS } from '../../source/source.js';
import { checkCommandLine, type CheckWords, suggestCommandLine } from '../next.js';
import { inputText } from '../input-text.js';
import { basename } from 'node:path';
import type { FleetState } from '../../run/shared.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_LEDGER } from '../../options/places.js';
import { duration } from '../../options/run-options.js';

const DEFAULT_FILE = 'installation.yaml';

type Given = Pick<InitRequest, 'url' | 'headers' | 'ids' | 'fields'>;

export const initCommand = defineCommand({
  usage: 'init',
  describe: 'Draft the installation file: the contact center and the card of its clients.',
  epilogue:
    'What is not given is asked for on a terminal. Nothing is changed in the contact center, and no value of the client is written.',
  options: {
    url: textOption('Address of the contact center. Default: you are asked.'),
    header: textOption(
      "Header of every request, with credentials as ${NAME} from the environment, such as 'Authorization: Bearer ${CC_TOKEN}'; may be repeated. Default: you are asked; without a terminal none.",
      { array: true },
    ),
    id: textOption(
      'Synchronization identifier of a client that exists, such as offerId=7, from which the card is read; may be repeated. The name alone: nothing is read. Default: you are asked.',
      { array: true },
    ),
    field: textOption(
      'Card field beside those that are read, such as fullName or budget:Number; may be repeated. Default: you are asked where something else is asked; otherwise none.',
      { array: true },
    ),
    out: textOption(`File to write. Default: ${DEFAULT_FILE}.`, { alias: 'o' }),
    force: flagOption('Replace the file if it exists. Default: no.'),
  },
  places: { out: 'file' },
  async run(args, terminal) {
    const { initInstallation } = await import('../../setup/init.js');
    const { outputPlace } = await import('../../options/places.js');
    const [out, force] = [args.out ?? DEFAULT_FILE, args.force ?? false];
    // Nobody wants to answer questions in vain.
    outputPlace(out, force);
    const { url, header: headers, id: ids, field: fields } = args;
    const given = await complete({ url, headers, ids, fields }, terminal);
    const { env, signal } = terminal;
    const result = await initInstallation({ ...given, out, force, env, signal });
    const { replaced, fields: count, isRead } = result;
    const how = isRead ? 'read from a client' : 'as you named them';
    await print(
      terminal.stdout,
      `${out}: ${replaced ? 'replaced' : 'written'}, with ${counted(count, 'card field')}, ${how}.
Check the lines that are marked in it: the interface does not show which fields are required, nor what a ComboBox allows.

Next: cardline doctor -i ${shellWord(out)}
Or, to try it in a sandbox, with your spreadsheet for FILE: cardline suggest FILE -i ${shellWord(out)} -o mapping.yaml
`,
    );
    return EXIT.ok;
  },
});

type PartlyGiven = { readonly [K in keyof Given]: Given[K] | undefined };

/** @throws UsageError that names what is missing, where nobody can be asked */
async function complete(args: PartlyGiven, terminal: Terminal): Promise<Given> {
  const { url, headers, ids, fields = [] } = args;
  if (url !== undefined && ids !== undefined && (headers !== undefined || !canBeAsked(terminal)))
    return { url, headers: headers ?? [], ids, fields };
  if (canBeAsked(terminal)) return askFor(args, terminal);
  const missing = [...(url === undefined ? ['--url'] : []), ...(ids === undefined ? ['--id'] : [])];
  throw new UsageError(
    `Missing: ${missing.join(', ')}. They are asked for only on a terminal.\nTry: cardline init --help`,
  );
}

async function askFor(
  { url, headers, ids, fields }: PartlyGiven,
  terminal: Terminal,
): Promise<Given> {
  const { checkedUrl, draftHeader, identifierPairs, namedField } =
    await import('../../setup/init.js');
  const questions = await openQuestions(terminal);
  const oneId = checkedBy((text) => identifierPairs([text]));
  const header = checkedBy(draftHeader);
  const more = async (question: string, accept: (text: string) => string): Promise<string[]> => {
    const all: string[] = [];
    for (;;) {
      const next = await questions.ask(question, (text) => text && accept(text));
      if (next === '') return all;
      all.push(next);
    }
  };
  const none: readonly string[] = [];
  try {
    return {
      url: url ?? (await questions.ask(QUESTIONS.url, checkedUrl)),
      headers:
        headers ??
        (await questions.ask(QUESTIONS.header, (text) => (text === '' ? none : [header(text)]))),
      ids: ids ?? [
        await questions.ask(QUESTIONS.id, oneId),
        ...(await more(QUESTIONS.anotherId, oneId)),
      ],
      fields: fields ?? (await more(QUESTIONS.field, checkedBy(namedField))),
    };
  } finally {
    questions.close();
  }
}

/** Takes an answer as it is, where `check` does not refuse it. */
const checkedBy =
  (check: (text: string) => unknown) =>
  (text: string): string => {
    check(text);
    return text;
  };

const QUESTIONS = {
  url: 'Address of the contact center, such as https://cc.example.com:',
  header:
    'Header with the credentials, such as Authorization: Bearer ${CC_TOKEN} (empty for none):',
  id: 'Synchronization identifier of a client that exists, such as offerId=7 (the name alone: nothing is read):',
  anotherId: 'Another synchronization identifier of that client (empty for no more):',
  field:
    'Another card field beside those that are read, such as fullName or budget:Number (empty for no more):',
} as const;

async function openQuestions({ stdin, stdout, stderr, signal }: Terminal) {
  const { createInterface } = await import('node:readline/promises');
  // Signals are handled in one place only, so the terminal must not be taken over.
  const lines = createInterface({ input: stdin, terminal: false });
  const close = (): void => lines.close();
  signal.addEventListener('abort', close, { once: true });
  // Lines that were pasted together wait for their questions.
  const answers = lines[Symbol.asyncIterator]();
  const next = async (question: string): Promise<string> => {
    stdout.write(`${question} `);
    const answer = await answers.next();
    if (signal.aborted) throw new StoppedError('Stopped.');
    if (answer.done === true) throw new StoppedError('No more answers came. Nothing was done.');
    return answer.value.trim();
  };
  return {
    /** Resolves with the answer that `accept` takes; what it throws as a UsageError is shown, and asked for again. */
    ask: async <T>(question: string, accept: (answer: string) => T): Promise<T> => {
      for (;;) {
        const answer = await next(question);
        try {
          return accept(answer);
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
          note(stderr, error.message);
        }
      }
    },
    close: (): void => {
      signal.removeEventListener('abort', close);
      close();
    },
  };
}

const widest = (words: readonly string[]): number => Math.max(...words.map(({ length }) => length));

const MARKS = {
  ok: 'ok',
  warning: 'warning',
  failed: 'FAILED',
  skipped: '-',
} as const satisfies Record<Finding['state'], string>;

const MARK_WIDTH = widest(Object.values(MARKS));

export const doctorCommand = defineCommand({
  usage: 'doctor [file]',
  describe: 'Check everything that an import needs, from the files to the contact center.',
  epilogue:
    'Nothing is changed: only the list of campaigns is asked for. Ends with 0 when nothing stands in the way of an import, with 64 when a file has to be mended, with 3 when the contact center or this machine stands in the way.',
  options: {
    ...requiredInstallation,
    mapping: textOption(
      'Mapping file, which is held against the card and the file. Default: none.',
      { alias: 'm' },
    ),
    mode: runFlags('check').mode,
    campaign: textOption(
      "Campaign that is looked for, by id or by name. Default: the mapping's campaign.",
    ),
    ledger: textOption(
      "Ledger that an import would use. Default: the installation's ledger, else cardline.db.",
    ),
    ...sourceFlags('check'),
    json: flagOption('Print what was found as JSON. Default: no.'),
  },
  positionals: { file: { type: 'string', describe: `${INPUT_FORMAT_WORDS}. Default: none.` } },
  async run(args, terminal) {
    const { CHECKS, examine } = await import('../../setup/doctor.js');
    const { stdout, env, signal } = terminal;
    const { installation, mapping, file, ledger, json } = args;
    const { mode } = givenOptions('check', args);
    const nameWidth = widest(CHECKS);
    const printed: Promise<unknown>[] = [];
    const request = {
      ...{ installation, mapping, mode, file, ledger, env, signal, describeInput: inputText },
      source: givenSource('check', args),
      campaign: campaignChoice(args.campaign, undefined),
    };
    const result = await examine(request, ({ check, state, text }) => {
      if (json) return;
      const head = `${MARKS[state].padEnd(MARK_WIDTH)}  ${check.padEnd(nameWidth)}  `;
      // Further lines of a text are indented below the first.
      const indented = text.replaceAll('\n', `\n${' '.repeat(head.length)}`);
      printed.push(print(stdout, `${head}${indented}\n`));
    });
    await Promise.all(printed);
    if (json) await printValue(stdout, { exitCode: result.exitCode, checks: result.results });
    else await print(stdout, `\n${summaryText(result.results)}${nextText(result, request)}\n`);
    return result.exitCode;
  },
});

function nextText({ exitCode }: DoctorResult, request: Asked): string {
  const { file, mapping, ...given } = request;
  if (exitCode !== EXIT.ok || file === undefined) return '';
  const line =
    mapping === undefined
      ? suggestCommandLine({ ...given, file }, 'mapping.yaml')
      : checkCommandLine({ ...given, file, mapping });
  return `\n\nNext: ${line}`;
}

type Asked = Omit<CheckWords, 'file' | 'mapping'> & Pick<DoctorRequest, 'file' | 'mapping'>;

function summaryText(results: readonly Finding[]): string {
  const failed = results.filter(({ state }) => state === 'failed').map(({ check }) => check);
  const open = results.filter(({ state }) => state === 'skipped').length;
  if (failed.length === 0) return 'Everything that was checked is in order.';
  const rest = open === 0 ? '' : ` ${open} could not be made.`;
  return `${counted(failed.length, 'check')} failed: ${failed.join(', ')}.${rest}`;
}

export const templateCommand = defineCommand({
  usage: 'template',
  describe: 'Make an empty workbook with the columns that a mapping needs.',
  options: {
    ...mappingOption,
    ...requiredInstallation,
    mode: runFlags('check').mode,
    out: textOption('Workbook to write. Default: the name of the mapping, with .xlsx.', {
      alias: 'o',
    }),
    force: flagOption('Replace the workbook if it exists. Default: no.'),
  },
  places: { out: 'file' },
  async run(args, terminal) {
    const { makeTemplate } = await import('../../setup/template.js');
    const { mapping, installation, force = false } = args;
    const { mode } = givenOptions('check', args);
    const out = args.out ?? `${basename(mapping).replace(/\.[^.]*$/, '')}.xlsx`;
    const result = await makeTemplate({ mapping, installation, mode, out, force });
    const { replaced, columns, required, isExampleTaken } = result;
    const next = checkCommandLine({ file: out, mapping, installation, mode });
    const lines = [
      `${out}: ${replaced ? 'replaced' : 'written'}, with ${counted(columns, 'column')}.`,
      required.length === 0 ? 'No column is required.' : `Required: ${required.join(', ')}.`,
      ...(isExampleTaken
        ? []
        : ['The example could not be made so that the mapping takes it: correct its sheet.']),
      `\nNext, when it is filled in: ${next}\n`,
    ];
    await print(terminal.stdout, lines.join('\n'));
    return EXIT.ok;
  },
});

const SCHEMAS: Readonly<Record<(typeof KINDS)[number], () => Promise<object>>> = {
  mapping: async () => (await import('../../mapping/mapping.js')).mappingJsonSchema(),
  installation: async () =>
    (await import('../../installation/installation.js')).installationJsonSchema(),
  pickup: async () => (await import('../../nightly/pickup/schema.js')).pickupJsonSchema(),
};

const KINDS = ['mapping', 'installation', 'pickup'] as const;

export const schemaCommand = defineCommand({
  usage: 'schema <kind>',
  describe: 'Print the JSON Schema of a mapping, installation or pickup file, for your editor.',
  positionals: {
    kind: {
      choices: KINDS,
      demandOption: true,
      describe: 'Which kind of file.',
    },
  },
  async run({ kind }, { stdout }) {
    await printValue(stdout, await SCHEMAS[kind]());
    return EXIT.ok;
  },
});

export const openapiCommand = defineCommand({
  usage: 'openapi',
  describe: "Print the contact center's interface as an OpenAPI 3.1 document.",
  async run(_args, { stdout }) {
    const { openApiDocument } = await import('../../contract/openapi.js');
    await printValue(stdout, openApiDocument());
    return EXIT.ok;
  },
});

const DEFAULT_PORT = 8080;
const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_DATABASE = 'sandbox.db';

export const sandboxCommand = defineCommand({
  usage: 'sandbox',
  describe: 'Run a contact center of your own, for trying and testing.',
  epilogue: 'It asks for no credentials. Stop it with Ctrl-C; what it holds is kept in its file.',
  options: {
    ...requiredInstallation,
    port: numberOption('port', 'TCP port; 0 takes a free one. Default: 8080.', 0, 65_535),
    host: textOption('Address to listen on. Default: 127.0.0.1, this machine alone.'),
    'allow-host': textOption(
      'Further host name under which it may be asked, such as sandbox:8080 between containers; without a port, with any. May be repeated. Default: its own addresses alone.',
      { array: true },
    ),
    db: textOption(
      'SQLite file of its clients and campaigns; :memory: forgets them at the end. Default: sandbox.db.',
    ),
  },
  places: { db: 'sandbox' },
  async run(args, { stdout, signal }) {
    const { loadInstallation } = await import('../../installation/installation.js');
    const { startSandbox } = await import('../../sandbox/sandbox.js');
    const sandbox = await startSandbox({
      installation: await loadInstallation(args.installation),
      port: args.port ?? DEFAULT_PORT,
      host: args.host ?? DEFAULT_HOST,
      allowHosts: args.allowHost,
      database: args.db ?? DEFAULT_DATABASE,
    });
    try {
      await print(stdout, `Sandbox listening on ${sandbox.url}\n`);
      await untilStopped(signal);
    } finally {
      await sandbox.close();
    }
    return EXIT.ok;
  },
});

export const demoCommand = defineCommand({
  usage: 'demo',
  describe: 'Import a sample into an embedded sandbox, to see how it works.',
  epilogue: `The sandbox, the ledger and the report lie in a new folder below runs/. The sample has bad rows on purpose; the demo ends with 0 nevertheless.`,
  async run(_args, terminal) {
    const { runDemo } = await import('../embedded-sandbox.js');
    return runDemo(terminal);
  },
});

export const uiCommand = defineCommand({
  usage: 'ui [file]',
  describe: 'Import a spreadsheet on a page in the browser, without writing YAML.',
  epilogue:
    'The page is served on this machine, for its user alone: the address that is printed holds a token. Stop it with Ctrl-C.',
  options: {
    installation: textOption(installationDescription, { alias: 'i' }),
    mapping: textOption('Mapping file to begin with. Default: one is suggested for each file.', {
      alias: 'm',
    }),
    port: numberOption('port', 'TCP port; 0 takes a free one. Default: 0.', 0, 65_535),
    open: flagOption('Open the page in the browser; --no-open does not. Default: yes.'),
    'read-only': flagOption('Show everything and change nothing. Default: no.'),
    ledger: textOption(
      "File that keeps what is known of runs. Default: the installation's, else cardline.db.",
    ),
    sandbox: flagOption(
      'Use a contact center of your own, and offer the samples. Without --installation, the one of the demo. Default: no.',
    ),
    mask: flagOption('Hide personal data on the page. Default: no.'),
    pickups: textOption(
      'Pickup file whose sources the history shows. Default: pickup.yaml, where it is there.',
    ),
    host: textOption(
      'Refused: the page is for this machine alone. The message says how to use it from another one.',
    ),
  },
  places: { ledger: 'ledger' },
  positionals: { file: { type: 'string', describe: 'Spreadsheet to begin with.' } },
  async run(args, terminal) {
    const { host, port = 8090 } = args;
    if (host !== undefined)
      throw new UsageError(
        '--host is not taken: the page listens on 127.0.0.1, this machine, alone. To use it from another machine, forward the ' +
          `same port from there and start it here without a browser: ssh -L ${port}:127.0.0.1:${port} USER@THIS-MACHINE cardline ui --port ${port} --no-open`,
      );
    const { runPage } = await import('../ui/run-page.js');
    return runPage(args, terminal);
  },
});

export const watchCommand = defineCommand({
  usage: 'watch <pickups>',
  describe: 'Import files automatically as they arrive in folders.',
  epilogue: `The pickup file names the folders, and the mapping and installation of each. A file is taken once it is whole, imported, and put away with its report. The first Ctrl-C ends gently: the next watcher goes on with what was begun.

With --once, ends with 0 when all went well, with 2 when a file needs a person, with 3 when an import has stopped.`,
  options: {
    once: flagOption('Take what is there, and end. Default: watch until stopped.'),
    check: flagOption(
      'Find every mistake of the file, its places, campaigns and roles, and take nothing. Default: no.',
    ),
    status: flagOption(
      'Show how each pickup stands: its last file, what waits, what is late. Default: no.',
    ),
    json: flagOption('With --status: print it as JSON. Default: no.'),
  },
  positionals: { pickups: { type: 'string', demandOption: true, describe: 'Pickup file.' } },
  async run({ pickups: file, once, check, status, json }, { stdout, stderr, env, signal }) {
    if (status) {
      const { watchStatus, statusText } = await import('../../nightly/watch/status.js');
      const found = await watchStatus(file, env);
      await printEither(stdout, json, found, `${printable(statusText(found))}\n`);
      return found.exitCode;
    }
    if (check) {
      const { checkPickups } = await import('../../nightly/watch/check-pickups.js');
      const { found, mistakes } = await checkPickups(file, env, signal);
      const isGood = found.every(({ mistake }) => mistake === null);
      for (const { pickup, place, mistake, note: more } of found) {
        const words = mistake ?? (more === null ? place : `${place} (${more})`);
        await print(stdout, `${mistake === null ? 'ok' : 'no'}  ${pickup}: ${words}\n`);
      }
      if (mistakes.length > 0) throw new ConfigurationError(mistakes);
      return isGood ? EXIT.ok : EXIT.stopped;
    }
    const { watchPickups } = await import('../../nightly/watch/watch-pickups.js');
    const onNote = (pickup: string | null, message: string): void => {
      note(stderr, `${new Date().toISOString()} ${pickup === null ? '' : `${pickup}: `}${message}`);
    };
    return watchPickups({ file, once: once ?? false, env, signal, onNote });
  },
});

/** How often a terminal shows it anew, in milliseconds. */
const LOOK_MS = 1000;
const CLEAR = '\u001b[H\u001b[J';

export const fleetCommand = defineCommand({
  usage: 'fleet',
  describe: 'Show the machines that share runs: workers, runs and pieces.',
  epilogue: 'On a terminal, it is shown anew each second until Ctrl-C; else it is printed once.',
  options: {
    ...sharedLedgerOptions,
    json: flagOption('Print JSON once, not tables. Default: no.'),
    release: textOption(
      'Take this run back from the machines that share it, so that other commands work on it: resume, undo. Refused while somebody works on it. Default: none.',
    ),
  },
  async run({ json, release, ...args }, { stdout, columns, signal }) {
    const ledger = (await ledgerNamed(args)) ?? DEFAULT_LEDGER;
    if (release !== undefined) {
      const { releaseRun } = await import('../../run/shared.js');
      await releaseRun(ledger, release);
      await print(stdout, `Run ${release} is not shared any more.\n`);
      return EXIT.ok;
    }
    const { openFleetView } = await import('../../run/shared.js');
    const view = await openFleetView(ledger);
    const isLive = columns !== undefined && !json;
    try {
      do {
        const state = await view.look();
        await printEither(stdout, json, state, `${isLive ? CLEAR : ''}${fleetText(state)}`);
        if (isLive) await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
      } while (isLive && !signal.aborted);
      return EXIT.ok;
    } finally {
      await view.close();
    }
  },
});

type Line = readonly string[];

function fleetText({ workers, runs, pieces }: FleetState): string {
  return [
    table(
      ['worker', 'version', 'pieces', 'works for', 'seen'],
      workers.map(({ pid, host, version, maxPieces, ...worker }) => [
        `${pid} on ${host}`,
        version,
        `up to ${maxPieces}`,
        worker.only ?? worker.installations?.join(', ') ?? 'all',
        `${seconds(worker.secondsAgo)} ago`,
      ]),
    ),
    table(
      ['run', 'pieces', 'ended', 'rows', 'done', 'state'],
      runs.map((run) => [
        run.run,
        run.isWhole ? whole(run.pieces) : `${whole(run.pieces)} so far`,
        whole(run.ended),
        whole(run.rows),
        whole(rowsIn(run.outcomes)),
        run.stopped === null ? 'goes on' : STOPPED[run.stopped],
      ]),
    ),
    table(
      ['piece', 'rows', 'done', 'worker', 'lease'],
      pieces.map(({ run, number, rows, ended, worker, secondsLeft }) => [
        `${number} of ${run}`,
        whole(rows),
        whole(ended),
        worker,
        seconds(secondsLeft),
      ]),
    ),
  ].join('\n');
}

const seconds = (count: number): string => `${Math.max(0, Math.round(count))} s`;

const STOPPED = {
  canary: 'stopped: the canary did not pass',
  failures: 'stopped: too many rows failed',
} as const satisfies Record<NonNullable<FleetState['runs'][number]['stopped']>, string>;

function table(head: Line, lines: readonly Line[]): string {
  if (lines.length === 0) return `No ${head[0] ?? ''}s.\n`;
  const all = [head, ...lines];
  const widths = head.map((_, at) => Math.max(...all.map((line) => line[at]?.length ?? 0)));
  const text = (line: Line): string =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return `${all.map(text).join('\n')}\n`;
}

export const workerCommand = defineCommand({
  usage: 'worker',
  describe: 'Work on runs that machines share ("import --shared").',
  epilogue:
    'Takes pieces of any run in the ledger, until it is stopped. The first Ctrl-C or SIGTERM ends gently: requests in flight are finished, and pieces are given back. The second one ends at once: others take the pieces when their leases have lapsed, after 30 s.\n\nSecrets come from the environment of the worker. Without them, or in another version, it says so and takes nothing.',
  options: {
    ...sharedLedgerOptions,
    'max-pieces': numberOption(
      'max-pieces',
      'Pieces that are worked on at a time. Default: 2.',
      1,
      64,
    ),
    installations: textOption(
      'Names of the installations whose runs are taken, such as north,south. Default: all.',
    ),
    'give-up-after': textOption(
      'End with 3 when the database is away for so long, such as 90s or 1h. Default: 15m.',
      { coerce: duration('give-up-after') },
    ),
  },
  async run({ maxPieces, installations, giveUpAfter, ...args }, { stderr, env, signal }) {
    const { executeWorker } = await import('../../run/shared.js');
    return executeWorker({
      ledger: (await ledgerNamed(args)) ?? DEFAULT_LEDGER,
      ...{ maxPieces, giveUpAfterMs: giveUpAfter, env, signal },
      installations: installations?.split(',').map((name) => name.trim()),
      onNote: (message) => note(stderr, `${new Date().toISOString()} ${message}`),
    });
  },
});
