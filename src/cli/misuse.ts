import { nearest } from '../config/nearest.js';
import { commandNamed, type Command } from './command.js';

const GLOBAL_OPTIONS = ['help', 'version'];

interface Misuse {
  /** The arguments as they were given. */
  readonly argv: readonly string[];
  readonly commandNames: readonly string[];
  /** The command that was asked for, when there is one of that name. */
  readonly command: Command | undefined;
  /** Its name, after that of the command that it is a part of. */
  readonly path: readonly string[];
}

/**
 * Says in plain words how the command line was misused.
 *
 * @param message what the parser found
 * @param argv the arguments as they were given
 */
export function describeMisuse(
  message: string,
  argv: readonly string[],
  commands: readonly Command[],
): string {
  const { command, path } = commandNamed(argv, commands);
  const commandNames = [...commands.map(({ name }) => name), 'completion'];
  const reasons = reasonsOf(message, { argv, commandNames, command, path });
  const help = `Try: ${['cardline', ...path, '--help'].join(' ')}`;
  return [...reasons, help].join('\n');
}

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

function reasonsOf(message: string, misuse: Misuse): string[] {
  for (const [pattern, describe] of CHECKS) {
    const found = pattern.exec(message)?.[1];
    if (found !== undefined) return describe(found, misuse);
  }
  return [message];
}

function unknown(names: readonly string[], misuse: Misuse): string[] {
  const { argv, command, commandNames, path } = misuse;
  const words = names.filter((name) => argv.includes(name));
  const [word = ''] = words;
  // Of which command the options are is not known before it is.
  if (command?.subcommands && word !== '')
    return [unknownPart(word, command.name, partNames(command))];
  const options = unknownOptions(misuse);
  if (options.length > 0) return options;
  if (command) return words.map((one) => `"${path.join(' ')}" does not take "${one}".`);
  return [`There is no command "${word}".${didYouMean(nearest(word, commandNames))}`];
}

function unknownPart(word: string, name: string, parts: readonly string[]): string {
  const near = didYouMean(nearest(word, parts));
  return `"${name}" has no command "${word}".${near || ` It has: ${parts.join(', ')}.`}`;
}

const partNames = ({ subcommands = [] }: Command): string[] => subcommands.map(({ name }) => name);

function missingArgument(misuse: Misuse): string[] {
  const { command, path } = misuse;
  if (command?.subcommands)
    return [`"${command.name}" needs one of: ${partNames(command).join(', ')}.`];
  const options = unknownOptions(misuse);
  if (options.length > 0) return options;
  return [command ? `"${path.join(' ')}" needs ${command.positionals}.` : 'Say what to do.'];
}

/** A required option is often missing because it was mistyped. */
const missing = (names: readonly string[], misuse: Misuse): string[] => [
  ...unknownOptions(misuse),
  `Missing: ${names.map(dashed).join(', ')}.`,
  ...(names.includes('mapping') ? ['No mapping yet? Draft one: cardline suggest FILE'] : []),
];

function invalid(found: string, { command, path }: Misuse): string[] {
  return found.split('\n').map((line) => {
    const [, name = '', given = '', choices = ''] =
      /Argument: (.*), Given: (.*), Choices: (.*)/s.exec(line) ?? [];
    const taker = command?.optionNames.includes(name) ? `--${name}` : `"${path.join(' ')}"`;
    const near = nearestChoice(given, choices);
    return `${taker} takes one of ${choices}, but got ${given}.${didYouMean(near)}`;
  });
}

/** Among `"MOB", "HOME"`. */
function nearestChoice(given: string, choices: string): string | undefined {
  const words = [...choices.matchAll(/"([^"]*)"/g)].flatMap(([, word]) => word ?? []);
  return nearest(given.replaceAll('"', ''), words);
}

/** Commands on a run, which has on record what these options say when it begins. */
const ON_RUN: ReadonlySet<string> = new Set(['resume', 'undo', 'report']);
const RECORDED: ReadonlySet<string> = new Set(['sandbox', 'mapping']);

function unknownOptions({ argv, command }: Misuse): string[] {
  const known = [...(command?.optionNames ?? []), ...GLOBAL_OPTIONS];
  const unknownOption = (name: string): string =>
    command && ON_RUN.has(command.name) && RECORDED.has(name)
      ? `"${command.name}" takes no --${name}: the run has it on record. Leave it out.`
      : `There is no option --${name}.${didYouMean(prefixed(nearest(name, known)))}`;
  return argv
    .map((word) => /^--([^=]+)/.exec(word)?.[1])
    .filter((name) => name !== undefined)
    .filter((name) => !known.includes(name) && !known.includes(name.replace(/^no-/, '')))
    .map(unknownOption);
}

const prefixed = (name: string | undefined): string | undefined => name && `--${name}`;

const dashed = (option: string): string => `${option.length === 1 ? '-' : '--'}${option}`;

const didYouMean = (word: string | undefined): string => (word ? ` Did you mean ${word}?` : '');
