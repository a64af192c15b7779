import { EXIT, UsageError } from '../../core/errors.js';
import type { InitResult } from '../../setup/init.js';
import { defineCommand } from '../command.js';
import { flagOption, textOption } from '../options/options.js';
import { canBeAsked, note, print, StoppedError, type Terminal } from '../output/output.js';
import { shellWord } from '../../core/text.js';

const DEFAULT_FILE = 'installation.yaml';

const options = {
  url: textOption('Address of the contact center. Default: you are asked.'),
  header: {
    ...textOption(
      "Header of every request, with credentials as ${NAME} from the environment, such as 'Authorization: Bearer ${CC_TOKEN}'; may be repeated. Default: you are asked; without a terminal none.",
    ),
    array: true,
  },
  id: {
    ...textOption(
      'Synchronization identifier of a client that exists, such as offerId=7, from which the card is read; may be repeated. The name alone: nothing is read. Default: you are asked.',
    ),
    array: true,
  },
  field: {
    ...textOption(
      'Card field beside those that are read, such as fullName or budget:Number; may be repeated. Default: you are asked where something else is asked; otherwise none.',
    ),
    array: true,
  },
  out: { ...textOption(`File to write. Default: ${DEFAULT_FILE}.`), alias: 'o' },
  force: flagOption('Replace the file if it exists. Default: no.'),
} as const;

interface Given {
  readonly url: string;
  readonly headers: readonly string[];
  readonly ids: readonly string[];
  readonly fields: readonly string[];
}

export const initCommand = defineCommand({
  usage: 'init',
  describe: 'Draft the installation file: the contact center and the card of its clients.',
  epilogue:
    'What is not given is asked for on a terminal. Nothing is changed in the contact center, and no value of the client is written.',
  options,
  examples: [
    ['$0 init', 'Be asked for everything.'],
    [
      "$0 init --url https://cc.example.com --header 'Authorization: Bearer ${CC_TOKEN}' --id offerId=7",
      'Read the card from client 7.',
    ],
  ],
  places: { out: 'file' },
  build: (parser) => parser.options(options),
  async run(args, terminal) {
    const { initInstallation } = await import('../../setup/init.js');
    const { outputPlace } = await import('../../options/places.js');
    const [out, force] = [args.out ?? DEFAULT_FILE, args.force ?? false];
    // Nobody wants to answer questions in vain.
    outputPlace(out, force);
    const { url, headers, ids, fields } = await complete(args, terminal);
    const { env, signal } = terminal;
    const result = await initInstallation({
      ...{ url, headers, ids, fields, out, force, env, signal },
    });
    await print(terminal.stdout, resultText(out, result));
    return EXIT.ok;
  },
});

interface InitArguments {
  readonly url?: string | undefined;
  readonly header?: string[] | undefined;
  readonly id?: string[] | undefined;
  readonly field?: string[] | undefined;
}

/** @throws UsageError that names what is missing, where nobody can be asked */
async function complete(args: InitArguments, terminal: Terminal): Promise<Given> {
  const { url, header, id, field = [] } = args;
  if (url !== undefined && id !== undefined && (header !== undefined || !canBeAsked(terminal)))
    return { url, headers: header ?? [], ids: id, fields: field };
  if (canBeAsked(terminal)) return askFor(args, terminal);
  const missing = [...(url === undefined ? ['--url'] : []), ...(id === undefined ? ['--id'] : [])];
  throw new UsageError(
    `Missing: ${missing.join(', ')}. They are asked for only on a terminal.\nTry: cardline init --help`,
  );
}

async function askFor(
  { url, header, id, field }: InitArguments,
  terminal: Terminal,
): Promise<Given> {
  const { checkedUrl, identifierPairs } = await import('../../setup/init.js');
  const { draftHeader } = await import('../../installation/draft.js');
  const { namedField } = await import('../../installation/draft.js');
  const questions = await openQuestions(terminal);
  const one = (text: string): string => {
    identifierPairs([text]);
    return text;
  };
  const fieldName = (text: string): string => {
    namedField(text);
    return text;
  };
  const more = async (question: string, accept: (text: string) => string): Promise<string[]> => {
    const all: string[] = [];
    for (;;) {
      const next = await questions.ask(question, (text) => text && accept(text));
      if (next === '') return all;
      all.push(next);
    }
  };
  try {
    return {
      url: url ?? (await questions.ask(QUESTIONS.url, checkedUrl)),
      headers: header ?? (await questions.ask(QUESTIONS.header, acceptHeader(draftHeader))),
      ids: id ?? [
        await questions.ask(QUESTIONS.id, one),
        ...(await more(QUESTIONS.anotherId, one)),
      ],
      fields: field ?? (await more(QUESTIONS.field, fieldName)),
    };
  } finally {
    questions.close();
  }
}

/** An empty answer stands for no header. */
const acceptHeader =
  (check: (text: string) => unknown) =>
  (text: string): string[] => {
    if (text === '') return [];
    check(text);
    return [text];
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
  const card = fields === 1 ? '1 card field' : `${fields} card fields`;
  return `${out}: ${replaced ? 'replaced' : 'written'}, with ${card}, ${how}.
Check the lines that are marked in it: the interface does not show which fields are required, nor what a ComboBox allows.

Next: cardline doctor -i ${shellWord(out)}
Or, to try it in a sandbox, with your spreadsheet for FILE: cardline suggest FILE -i ${shellWord(out)} -o mapping.yaml
`;
}

/** Asks the person at the terminal, one question after the other. */
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
