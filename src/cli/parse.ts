import yargs, { type Argv } from 'yargs';
import { UsageError } from '../core/errors.js';
import { commandNamed, type Command, type Task } from './command.js';
import { describeMisuse } from './misuse.js';
import { packageVersion } from './package.js';
import { keepDashes, restoreDashes } from './standard-input.js';

const HELP_WIDTH = 80;
const WIDEST_HELP = 100;

/** What the arguments ask for: a task to run, or a text to print, such as help. */
export interface Parsed {
  readonly task?: Task | undefined;
  readonly text: string;
}

/**
 * Reads the arguments. Nothing is run and nothing is printed.
 * @throws UsageError when they make no sense
 */
export async function parse(
  argv: readonly string[],
  commands: readonly Command[],
  columns: number = HELP_WIDTH,
): Promise<Parsed> {
  let task: Task | undefined;
  let text = '';
  const parser = createParser(commands, columns, (chosen) => {
    task = chosen;
    // The parser would go on to write the command's help for later, which takes longer than all before.
    throw new Chosen();
  });
  parser.fail((message: string | null, error: Error | undefined) => {
    if (error && error.name !== 'YError') throw error;
    throw new UsageError(describeMisuse(message ?? error?.message ?? '', argv, commands));
  });
  refuseUnclear(argv, commands);
  try {
    await parser.parseAsync(keepDashes(argv), {}, (_error, _args, output) => {
      // Completion calls back a second time, with the words; the first call has nothing to say.
      text += output;
    });
  } catch (error) {
    if (!(error instanceof Chosen)) throw error;
  }
  return { task, text };
}

/** Ends the parser's work: it is known what to do. */
class Chosen extends Error {}

function createParser(
  commands: readonly Command[],
  columns: number,
  choose: (task: Task) => void,
): Argv {
  const lists = new Set(commands.flatMap(namesOfLists));
  const parser = yargs([])
    .scriptName('cardline')
    .locale('en')
    .usage(
      '$0 <command>\n\nBrings a spreadsheet into a contact center; every row is accounted for.',
    )
    .parserConfiguration({
      'dot-notation': false,
      'parse-positional-numbers': false,
      // "--id a=1 b" must not take b for another identifier.
      'greedy-arrays': false,
    })
    .exitProcess(false)
    .wrap(Math.min(columns, WIDEST_HELP))
    .middleware((args) => restoreDashes(args), false)
    .middleware((args) => keepLast(args, lists), true)
    .strict()
    .demandCommand(1)
    .version(packageVersion())
    .describe('version', 'Print the version.')
    .describe('help', 'Print this help.')
    .alias('help', 'h')
    .completion('completion', 'Print a script that completes commands and options in your shell.')
    .example(EXAMPLES)
    .epilogue(EPILOGUE);
  return commands.reduce((built, command) => command.add(built, choose), parser);
}

/** Under both names that the parser gives an option, as in `allow-host` and `allowHost`. */
const namesOfLists = ({ listNames, subcommands = [] }: Command): readonly string[] => [
  ...listNames,
  ...listNames.map((name) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())),
  ...subcommands.flatMap(namesOfLists),
];

/** Positionals and lists may be several; of any other option that is repeated the last one counts. */
function keepLast(args: Record<string, unknown>, lists: ReadonlySet<string>): void {
  for (const [name, value] of Object.entries(args))
    if (Array.isArray(value) && name !== '_' && name !== 'files' && !lists.has(name))
      args[name] = value.at(-1);
}

/** The parser takes any word but "true" for false: `--dry-run=yes` must not send. */
function refuseUnclear(argv: readonly string[], commands: readonly Command[]): void {
  const { command } = commandNamed(argv, commands);
  for (const word of argv) {
    const [, name = '', value = ''] = /^--(?:no-)?([^=]+)=(.*)$/s.exec(word) ?? [];
    if (command?.switchNames.includes(name) && !/^(true|false)$/.test(value))
      throw new UsageError(`--${name} is given without a value, but got "${value}".`);
  }
}

const EXAMPLES: [string, string][] = [
  ['$0 demo', 'See it work on a sample, without a server.'],
  ['$0 check leads.csv -m leads.yaml', 'See what would be sent, and which rows are bad.'],
  ['$0 import leads.csv -m leads.yaml -i center.yaml', 'Send the rows to the contact center.'],
  ['$0 campaigns list -i center.yaml', 'Ask for one operation alone.'],
];

const EPILOGUE = `Exit codes:
  0   every row ended well
  2   finished, with rows that did not end well
  3   stopped, and can be continued
  64  wrong usage, mapping, installation or input file
  70  an internal error of cardline`;
