import type { Argv, ArgumentsCamelCase, Options } from 'yargs';
import type { ExitCode } from '../core/errors.js';
import type { PlaceKind } from '../options/places.js';
import { FLAG_GROUPS } from '../options/run-options.js';
import type { Terminal } from './output/output.js';

/** Commands about one kind of thing. */
interface CommandGroup {
  readonly name: string;
  readonly describe: string;
  readonly subcommands: readonly Command[];
  readonly examples: readonly [line: string, what: string][];
}

/** A group of which only name and description are at hand, until the command line names it. */
export function lazyGroup(
  { name, describe }: Pick<CommandGroup, 'name' | 'describe'>,
  load: () => Promise<Command>,
): Command {
  return {
    ...traitsOf(name),
    add: (parser) => parser.command(`${name} <command>`, describe),
    load,
  };
}

/** A group with all of its commands. */
export function commandGroup({ name, describe, subcommands, examples }: CommandGroup): Command {
  return {
    ...traitsOf(name),
    subcommands,
    add: (parser, choose) =>
      parser.command(
        name,
        describe,
        (inner) => addParts(inner, subcommands, choose).example([...examples]),
        () => undefined,
      ),
  };
}

const traitsOf = (name: string) => ({
  name,
  positionals: '<command>',
  optionNames: [],
  switchNames: [],
  listNames: [],
});

function addParts(
  parser: Argv,
  subcommands: readonly Command[],
  choose: (task: Task) => void,
): Argv {
  return subcommands
    .reduce((built, command) => command.add(built, choose), parser)
    .demandCommand(1);
}

/** What is left to do once the arguments are understood. */
export type Task = (terminal: Terminal) => Promise<ExitCode>;

interface Definition<T, O> {
  /** Name and positional arguments, in yargs' notation. */
  readonly usage: string;
  readonly describe: string;
  /** Said below the options. */
  readonly epilogue?: string;
  readonly options: O;
  readonly examples: readonly [line: string, what: string][];
  /** Options that name a place to write to, by what is going to be there; looked at before the command begins. */
  readonly places?: Readonly<Partial<Record<keyof T, PlaceKind>>>;
  /** Adds the options and positional arguments. */
  readonly build: (parser: Argv) => Argv<T>;
  /** Begins to load what `run` surely needs, while the arguments are still being read. */
  readonly warm?: Command['warm'];
  /** Loads what it needs when it is called, so that the other commands start quickly. */
  readonly run: (args: ArgumentsCamelCase<T>, terminal: Terminal) => Promise<ExitCode>;
}

/** A command, its argument types known to itself alone. */
export interface Command {
  readonly name: string;
  /** Names of the positional arguments as the help shows them. */
  readonly positionals: string;
  readonly optionNames: readonly string[];
  /** Options that are given or not, without a value. */
  readonly switchNames: readonly string[];
  /** Options of which every repetition counts. */
  readonly listNames: readonly string[];
  /** Commands that it is made of. */
  readonly subcommands?: readonly Command[];
  /** The whole command, where only its name and description are at hand: for what takes time to load. */
  readonly load?: () => Promise<Command>;
  /** Begins to load what the command needs. `argv`: the arguments, its name among them. */
  readonly warm?: ((argv: readonly string[]) => Promise<void>) | undefined;
  /** Adds the command to the parser; `choose` is called with its task when it was asked for. */
  add(parser: Argv, choose: (task: Task) => void): Argv;
}

/** Declares a command. Parsing only chooses the task; it is run by the caller. */
export function defineCommand<T, O extends Record<string, Options>>(
  definition: Definition<T, O>,
): Command {
  const { usage, describe, epilogue, options, examples, places, build, warm, run } = definition;
  const [name = usage, ...positionals] = usage.split(' ');
  const optionNames = Object.keys(options);
  const builder = (parser: Argv): Argv<T> => {
    const built = grouped(build(parser), optionNames).example(examples);
    return epilogue === undefined ? built : built.epilogue(epilogue);
  };
  return {
    name,
    positionals: positionals.join(' '),
    optionNames,
    switchNames: namesOf(options, ({ type }) => type === 'boolean'),
    listNames: namesOf(options, ({ array }) => array === true),
    warm,
    add: (parser, choose) =>
      parser.command(usage, describe, builder, (args) => {
        choose(async (terminal) => {
          const given = withLedgerOf(terminal, options, args);
          if (places) {
            const { refuseUnusablePlaces } = await import('../options/places.js');
            refuseUnusablePlaces(given, places);
          }
          return run(given, terminal);
        });
      }),
  };
}

/** Fewer than these are found without headings. */
const MANY_OPTIONS = 15;

/** The parser, its help under headings where a command has many options. */
function grouped<T>(parser: Argv<T>, names: readonly string[]): Argv<T> {
  if (names.length < MANY_OPTIONS) return parser;
  const known = [...names, 'help', 'version', 'no-color'];
  return Object.entries(FLAG_GROUPS)
    .map(([title, flags]) => ({ title, own: flags.filter((flag) => known.includes(flag)) }))
    .filter(({ own }) => own.length > 0)
    .reduce((built, { title, own }) => built.group(own, `${title}:`), parser);
}

/** With the ledger that the environment names, for commands that have one, where they name none. */
function withLedgerOf<T extends object>({ env }: Terminal, options: object, args: T): T {
  const ledger = env['CARDLINE_LEDGER'];
  const isNamed = 'ledger' in args && args.ledger !== undefined;
  return ledger && 'ledger' in options && !isNamed ? { ...args, ledger } : args;
}

const namesOf = (
  options: Readonly<Record<string, Options>>,
  fits: (option: Options) => boolean,
): string[] => Object.keys(options).filter((name) => fits(options[name] ?? {}));

/** The commands, those that the arguments may mean loaded whole. */
export function loadNamed(
  commands: readonly Command[],
  argv: readonly string[],
): Promise<Command[]> {
  return Promise.all(
    commands.map(async (command) =>
      command.load && argv.includes(command.name) ? command.load() : command,
    ),
  );
}

/** The command that the arguments mean: of one that is made of others, the one among them. */
export function commandNamed(
  argv: readonly string[],
  commands: readonly Command[],
): { readonly command?: Command; readonly path: readonly string[] } {
  const words = argv.filter((word) => !word.startsWith('-'));
  const command = commands.find(({ name }) => name === words[0]);
  if (!command) return { path: [] };
  const among = command.subcommands ?? [];
  const part = among.find(({ name }) => words.slice(1).includes(name));
  return part
    ? { command: part, path: [command.name, part.name] }
    : { command, path: [command.name] };
}
