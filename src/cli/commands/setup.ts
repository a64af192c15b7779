import { EXIT, UsageError } from '../../core/errors.js';
import type { InitRequest, InitResult } from '../../setup/init.js';
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
} from '../options.js';
import {
  canBeAsked,
  note,
  print,
  StoppedError,
  type Terminal,
  printValue,
} from '../output/output.js';
import { counted, shellWord } from '../../core/text.js';
import type { DoctorRequest, DoctorResult, Finding } from '../../setup/doctor.js';
import { INPUT_FORMAT_WORDS } from '../../source/source.js';
import { checkCommandLine, type CheckWords, suggestCommandLine } from '../next.js';
import { inputText } from '../input-text.js';
import type { TemplateResult } from '../../setup/template.js';
import { basename } from 'node:path';

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
    await print(terminal.stdout, resultText(out, result));
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
  const { checkedUrl, identifierPairs } = await import('../../setup/init.js');
  const { draftHeader, namedField } = await import('../../installation/draft.js');
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

function resultText(out: string, { replaced, fields, isRead }: InitResult): string {
  const how = isRead ? 'read from a client' : 'as you named them';
  return `${out}: ${replaced ? 'replaced' : 'written'}, with ${counted(fields, 'card field')}, ${how}.
Check the lines that are marked in it: the interface does not show which fields are required, nor what a ComboBox allows.

Next: cardline doctor -i ${shellWord(out)}
Or, to try it in a sandbox, with your spreadsheet for FILE: cardline suggest FILE -i ${shellWord(out)} -o mapping.yaml
`;
}

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
    const result = await examine(request, (finding) => {
      if (!json) printed.push(print(stdout, `${findingText(finding, nameWidth)}\n`));
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

/** One check in one line; further lines of a text are indented below it. */
function findingText({ check, state, text }: Finding, nameWidth: number): string {
  const head = `${MARKS[state].padEnd(MARK_WIDTH)}  ${check.padEnd(nameWidth)}  `;
  return `${head}${text.replaceAll('\n', `\n${' '.repeat(head.length)}`)}`;
}

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
    const next = checkCommandLine({ file: out, mapping, installation, mode });
    await print(
      terminal.stdout,
      `${templateResultText(out, result)}\n\nNext, when it is filled in: ${next}\n`,
    );
    return EXIT.ok;
  },
});

function templateResultText(out: string, result: TemplateResult): string {
  const { replaced, columns, required, isExampleTaken } = result;
  const lines = [
    `${out}: ${replaced ? 'replaced' : 'written'}, with ${counted(columns, 'column')}.`,
    required.length === 0 ? 'No column is required.' : `Required: ${required.join(', ')}.`,
  ];
  if (!isExampleTaken)
    lines.push('The example could not be made so that the mapping takes it: correct its sheet.');
  return lines.join('\n');
}

const SCHEMAS: Readonly<Record<(typeof KINDS)[number], () => Promise<object>>> = {
  mapping: async () => (await import('../../mapping/mapping.js')).mappingJsonSchema(),
  installation: async () => (await import('../../installation/schema.js')).installationJsonSchema(),
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
