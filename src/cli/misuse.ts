import type { Command } from './command.js';
import { nearest } from './suggest.js';

const GLOBAL_OPTIONS = ['help', 'version'];

interface Misuse {
  /** The arguments as they were given. */
  readonly argv: readonly string[];
  readonly commandNames: readonly string[];
  /** The command that was asked for, when there is one of that name. */
  readonly command: Command | undefined;
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
  const command = commands.find(({ name }) => name === argv.find((word) => !word.startsWith('-')));
  const commandNames = [...commands.map(({ name }) => name), 'completion'];
  const reasons = reasonsOf(message, { argv, commandNames, command });
  const help = `Try: cardline ${command ? `${command.name} ` : ''}--help`;
  return [...reasons, help].join('\n');
}

/** The parser's findings, by how its messages look, each with the words for the person. */
const FINDINGS: readonly (readonly [RegExp, (found: string, misuse: Misuse) => string[]])[] = [
  [
    /^Unknown (?:argument|command)s?: (.*)$/s,
    (found, misuse) => unknown(found.split(', '), misuse),
  ],
  [/^(Not enough non-option arguments)/, (_found, misuse) => missingArgument(misuse)],
  [/^Not enough arguments following: (.*)$/s, (found) => [`${dashed(found)} needs a value.`]],
  [/^Missing required arguments?: (.*)$/s, (found, misuse) => missing(found.split(', '), misuse)],
  [/^Invalid values:\s+(.*)$/s, (found, misuse) => [invalid(found, misuse)]],
];

function reasonsOf(message: string, misuse: Misuse): string[] {
  for (const [pattern, describe] of FINDINGS) {
    const found = pattern.exec(message)?.[1];
    if (found !== undefined) return describe(found, misuse);
  }
  return [message];
}

function unknown(names: readonly string[], misuse: Misuse): string[] {
  const { argv, command, commandNames } = misuse;
  const options = unknownOptions(misuse);
  if (options.length > 0) return options;
  const words = names.filter((name) => argv.includes(name));
  if (command) return words.map((word) => `"${command.name}" does not take "${word}".`);
  const [word = ''] = words;
  return [`There is no command "${word}".${didYouMean(nearest(word, commandNames))}`];
}

function missingArgument(misuse: Misuse): string[] {
  const { command } = misuse;
  const options = unknownOptions(misuse);
  if (options.length > 0) return options;
  return [command ? `"${command.name}" needs ${command.positionals}.` : 'Say what to do.'];
}

/** A required option is often missing because it was mistyped. */
const missing = (names: readonly string[], misuse: Misuse): string[] => [
  ...unknownOptions(misuse),
  `Missing: ${names.map(dashed).join(', ')}.`,
];

function invalid(found: string, { command }: Misuse): string {
  const [, given = '', choices = ''] = /Given: (.*), Choices: (.*)/s.exec(found) ?? [];
  return `"${command?.name ?? ''}" takes one of ${choices}, but got ${given}.`;
}

function unknownOptions({ argv, command }: Misuse): string[] {
  const known = [...(command?.optionNames ?? []), ...GLOBAL_OPTIONS];
  return argv
    .map((word) => /^--([^=]+)/.exec(word)?.[1])
    .filter((name) => name !== undefined)
    .filter((name) => !known.includes(name) && !known.includes(name.replace(/^no-/, '')))
    .map((name) => `There is no option --${name}.${didYouMean(prefixed(nearest(name, known)))}`);
}

const prefixed = (name: string | undefined): string | undefined => name && `--${name}`;

const dashed = (option: string): string => `${option.length === 1 ? '-' : '--'}${option}`;

const didYouMean = (word: string | undefined): string => (word ? ` Did you mean ${word}?` : '');
