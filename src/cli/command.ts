import { readFileSync } from 'node:fs';
import type {
  Argv,
  ArgumentsCamelCase,
  InferredOptionTypes,
  Options,
  PositionalOptions,
} from 'yargs';
import type { ExitCode } from '../core/errors.js';
import type { PlaceKind } from '../options/places.js';
import { FLAG_GROUPS } from '../options/run-options.js';
import type { Terminal } from './output/output.js';

/** A command line, and what it is good for. */
export type Example = [line: string, what: string];

/** Those of a command, by the words that name it. */
function examplesOf(...words: readonly string[]): Example[] {
  const lines = readFileSync(new URL('./data/examples.tsv', import.meta.url), 'utf8').split('\n');
  return lines
    .map((line): Example => {
      const [example = '', what = ''] = line.split('\t');
      return [example, what];
    })
    .filter(([example]) => `${example} `.includes(['$0', ...words, ''].join(' ')));
}

/** Commands about one kind of thing. */
export interface CommandGroup {
  readonly subcommands: readonly Command[];
  /** @default the first of each command */
  readonly examples?: readonly Example[];
}

/** A group of which only name and description are at hand, until the command line names it. */
export function lazyGroup(
  name: string,
  describe: string,
  load: () => Promise<CommandGroup>,
): Command {
  const group = {
    name,
    positionals: '<command>',
    examples: () => [],
    optionNames: [],
    options: {},
  };
  return {
    ...group,
    add: (parser) => parser.command(`${name} <command>`, describe),
    load: async () => {
      const { subcommands, examples = subcommands.flatMap((one) => one.examples().slice(0, 1)) } =
        await load();
      return {
        ...group,
        subcommands,
        add: (parser, choose) =>
          parser.command(
            name,
            describe,
            (inner) =>
              subcommands
                .reduce((built, command) => command.add(built, choose), inner)
                .demandCommand(1)
                .example(examples),
            () => undefined,
          ),
      };
    },
  };
}

/** What is left to do once the arguments are understood. */
export type Task = (terminal: Terminal) => Promise<ExitCode>;

type Positionals = Readonly<Record<string, PositionalOptions>>;
type Flags = Readonly<Record<string, Options>>;

interface Definition<P extends Positionals, O extends Flags> {
  /** Name of the group that it is a part of. @default none */
  readonly group?: string;
  /** Name and positional arguments, in yargs' notation. */
  readonly usage: string;
  readonly describe: string;
  /** Said below the options. */
  readonly epilogue?: string;
  /** The positional arguments, by their names in `usage`. @default none */
  readonly positionals?: P;
  /** @default none */
  readonly options?: O;
  /** @default those of `data/examples.tsv` */
  readonly examples?: readonly Example[];
  /** Options that name a place to write to, by what is going to be there; looked at before the command begins. */
  readonly places?: Readonly<Partial<Record<keyof Given<P, O>, PlaceKind>>>;
  /** Begins to load what `run` surely needs, while the arguments are still being read. */
  readonly warm?: Command['warm'];
  /** Loads what it needs when it is called, so that the other commands start quickly. */
  readonly run: (args: Given<P, O>, terminal: Terminal) => Promise<ExitCode>;
}

type Given<P extends Positionals, O extends Flags> = ArgumentsCamelCase<InferredOptionTypes<P & O>>;

/** A command, its argument types known to itself alone. */
export interface Command {
  readonly name: string;
  /** Names of the positional arguments as the help shows them. */
  readonly positionals: string;
  readonly optionNames: readonly string[];
  readonly options: Flags;
  readonly examples: () => readonly Example[];
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
export function defineCommand<const P extends Positionals, const O extends Flags>(
  definition: Definition<P, O>,
): Command {
  const { group, usage, describe, epilogue, places, warm, run } = definition;
  const options: Flags = definition.options ?? {};
  const [name = usage, ...words] = usage.split(' ');
  const optionNames = Object.keys(options);
  const examples = (): readonly Example[] =>
    definition.examples ?? examplesOf(...(group ? [group, name] : [name]));
  const builder = (parser: Argv) => {
    const withPositionals = Object.entries<PositionalOptions>(definition.positionals ?? {}).reduce(
      (built, [positional, traits]) => built.positional(positional, traits),
      parser,
    );
    const built = grouped(withPositionals.options(options), optionNames).example(examples());
    // The names went through a loop; no check can bring them back.
    return (epilogue === undefined ? built : built.epilogue(epilogue)) as Argv<
      InferredOptionTypes<P & O>
    >;
  };
  return {
    ...{ name, optionNames, options, examples, warm, positionals: words.join(' ') },
    add: (parser, choose) =>
      parser.command(usage, describe, builder, (args) => {
        choose(async (terminal) => {
          // The ledger that the environment names, for commands that have one, where they name none.
          const ledger = terminal.env['CARDLINE_LEDGER'];
          const isNamed = 'ledger' in args && args.ledger !== undefined;
          const given = ledger && 'ledger' in options && !isNamed ? { ...args, ledger } : args;
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
