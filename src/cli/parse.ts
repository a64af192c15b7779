import yargs from 'yargs';
import type { Argv } from 'yargs';
import { UsageError } from '../core/errors.js';
import { commandNamed, type Command, type Task } from './command.js';
import { packageVersion } from './package.js';
import { keepDashes, restoreDashes } from './output/output.js';
import { nearest } from '../core/text.js';

const HELP_WIDTH = 80;
const WIDEST_HELP = 100;

/**
 * Reads the arguments: a task to run, or a text to print, such as help. Nothing is run and nothing is printed.
 * @throws UsageError when they make no sense
 */
export async function parse(
  argv: readonly string[],
  commands: readonly Command[],
  columns: number = HELP_WIDTH,
): Promise<{ readonly task: Task | undefined; readonly text: string }> {
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
  const { command } = commandNamed(argv, commands);
  for (const word of argv) {
    // The parser takes any word but "true" for false: `--dry-run=yes` must not send.
    const [, name = '', value = ''] = /^--(?:no-)?([^=]+)=(.*)$/s.exec(word) ?? [];
    if (command?.options[name]?.type === 'boolean' && !/^(true|false)$/.test(value))
      throw new UsageError(`--${name} is given without a value, but got "${value}".`);
  }
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
    .middleware((args: Record<string, unknown>) => {
      // Positionals and lists may be several; of any other option that is repeated the last one counts.
      for (const [name, value] of Object.entries(args))
        if (Array.isArray(value) && name !== '_' && name !== 'files' && !lists.has(name))
          args[name] = value.at(-1);
    }, true)
    .strict()
    .demandCommand(1)
    .version(packageVersion())
    .describe('version', 'Print the version.')
    .describe('help', 'Print this help.')
    .describe('no-color', 'Print without colors, as with NO_COLOR=1.')
    .alias('help', 'h')
    .completion('completion', 'Print a script that completes commands and options in your shell.')
    .example(EXAMPLES)
    .epilogue(EPILOGUE);
  return commands.reduce((built, command) => command.add(built, choose), parser);
}

/** Under both names that the parser gives an option, as in `allow-host` and `allowHost`. */
const namesOfLists = ({ options, subcommands = [] }: Command): readonly string[] => [
  ...Object.entries(options).flatMap(([name, { array }]) =>
    array ? [name, name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())] : [],
  ),
  ...subcommands.flatMap(namesOfLists),
];

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

const GLOBAL_OPTIONS = ['help', 'version', 'no-color'];

interface Misuse {
  /** The arguments as they were given. */
  readonly argv: readonly string[];
  readonly commandNames: readonly string[];
  /** The command that was asked for, when there is one of that name. */
  readonly command: Command | undefined;
  /** Its name, after that of the command that it is a part of. */
  readonly path: readonly string[];
}

function describeMisuse(
  message: string,
  argv: readonly string[],
  commands: readonly Command[],
): string {
  const { command, path } = commandNamed(argv, commands);
  const commandNames = [...commands.map(({ name }) => name), 'completion'];
  const misuse = { argv, commandNames, command, path };
  const help = `Try: ${['cardline', ...path, '--help'].join(' ')}`;
  for (const [pattern, describe] of CHECKS) {
    const found = pattern.exec(message)?.[1];
    if (found !== undefined) return [...describe(found, misuse), help].join('\n');
  }
  return `${message}\n${help}`;
}

const didYouMean = (word: string | undefined): string => (word ? ` Did you mean ${word}?` : '');

const dashed = (option: string): string => `${option.length === 1 ? '-' : '--'}${option}`;

const RECORDED: ReadonlySet<string> = new Set(['sandbox', 'mapping']);

/** Commands on a run, which has on record what these options say when it begins. */
const ON_RUN: ReadonlySet<string> = new Set(['resume', 'undo', 'report']);

/** A required option is often missing because it was mistyped. */
const missing = (names: readonly string[], misuse: Misuse): string[] => [
  ...unknownOptions(misuse),
  `Missing: ${names.map(dashed).join(', ')}.`,
  ...(names.includes('mapping') ? ['No mapping yet? Draft one: cardline suggest FILE'] : []),
];

const partNames = ({ subcommands = [] }: Command): string[] => subcommands.map(({ name }) => name);

/** The parser's messages, by how they look, each with the words for the person. */
const CHECKS: readonly (readonly [RegExp, (found: string, misuse: Misuse) => string[]])[] = [
  [
    /^Unknown (?:argument|command)s?: (.*)$/s,
    (found, misuse) => unknown(found.split(', '), misuse),
  ],
  [/^(Not enough non-option arguments)/, (_found, misuse) => missingArgument(misuse)],
  [/^Not enough arguments following: (.*)$/s, (found) => [`${dashed(found)} needs a value.`]],
  [/^Missing required arguments?: (.*)$/s, (found, misuse) => missing(found.split(', '), misuse)],
  [/^Invalid values:\s+(.*)$/s, invalid],
];

function unknown(names: readonly string[], misuse: Misuse): string[] {
  const { argv, command, commandNames, path } = misuse;
  const words = names.filter((name) => argv.includes(name));
  const [word = ''] = words;
  // Of which command the options are is not known before it is.
  if (command?.subcommands && word !== '') {
    const parts = partNames(command);
    const near = didYouMean(nearest(word, parts)) || ` It has: ${parts.join(', ')}.`;
    return [`"${command.name}" has no command "${word}".${near}`];
  }
  const options = unknownOptions(misuse);
  if (options.length > 0) return options;
  if (command) return words.map((one) => `"${path.join(' ')}" does not take "${one}".`);
  return [`There is no command "${word}".${didYouMean(nearest(word, commandNames))}`];
}

function missingArgument(misuse: Misuse): string[] {
  const { command, path } = misuse;
  if (command?.subcommands)
    return [`"${command.name}" needs one of: ${partNames(command).join(', ')}.`];
  const options = unknownOptions(misuse);
  if (options.length > 0) return options;
  return [command ? `"${path.join(' ')}" needs ${command.positionals}.` : 'Say what to do.'];
}

function invalid(found: string, { command, path }: Misuse): string[] {
  return found.split('\n').map((line) => {
    const [, name = '', given = '', choices = ''] =
      /Argument: (.*), Given: (.*), Choices: (.*)/s.exec(line) ?? [];
    const taker = command?.optionNames.includes(name) ? `--${name}` : `"${path.join(' ')}"`;
    // Such as `"MOB", "HOME"`.
    const words = [...choices.matchAll(/"([^"]*)"/g)].flatMap(([, word]) => word ?? []);
    const near = nearest(given.replaceAll('"', ''), words);
    return `${taker} takes one of ${choices}, but got ${given}.${didYouMean(near)}`;
  });
}

function unknownOptions({ argv, command }: Misuse): string[] {
  const known = [...(command?.optionNames ?? []), ...GLOBAL_OPTIONS];
  const unknownOption = (name: string): string => {
    if (command && ON_RUN.has(command.name) && RECORDED.has(name))
      return `"${command.name}" takes no --${name}: the run has it on record. Leave it out.`;
    const near = nearest(name, known);
    return `There is no option --${name}.${didYouMean(near && `--${near}`)}`;
  };
  return argv
    .map((word) => /^--([^=]+)/.exec(word)?.[1])
    .filter((name) => name !== undefined)
    .filter((name) => !known.includes(name) && !known.includes(name.replace(/^no-/, '')))
    .map(unknownOption);
}
