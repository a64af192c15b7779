import { type CommandGroup, defineCommand } from '../command.js';
import { EXIT, type ExitCode, UsageError } from '../../core/errors.js';
import { print, note, printEither, printValue, type Terminal } from '../output/output.js';
import type { ListStatus, Why, WhyListed } from '../../setup/suppress.js';
import { counted, defined } from '../../core/text.js';
import { daysText } from '../../core/time.js';
import { flagOption, requiredInstallation, textOption } from '../options.js';

const statusCommandOf = (
  usage: 'build' | 'status',
  describe: string,
  statusOf: () => Promise<(installation: string) => Promise<ListStatus[]>>,
) =>
  defineCommand({
    group: 'suppress',
    usage,
    describe,
    epilogue: 'Ends with 64 where a list would stop a run.',
    options: { ...requiredInstallation, json: flagOption('Print JSON. Default: no.') },
    run: async ({ installation, json = false }, terminal) =>
      printStatus(await (await statusOf())(installation), terminal, json),
  });

const buildCommand = statusCommandOf(
  'build',
  'Compile the lists now, so that the next run need not; make missing stores.',
  async () => (await import('../../setup/suppress.js')).buildLists,
);

const statusCommand = statusCommandOf(
  'status',
  'Say how many numbers each list has, and how old it is.',
  async () => (await import('../../setup/suppress.js')).listStatus,
);

const NUMBER = {
  type: 'string',
  demandOption: true,
  describe: 'Phone number, as any phone transform reads it.',
} as const;

const listOptions = {
  list: textOption('Name of a list that has a "store" in the installation.', {
    demandOption: true,
  }),
  ...requiredInstallation,
} as const;

const removeCommand = defineCommand({
  group: 'suppress',
  usage: 'remove <number>',
  describe: 'Take a number off a list: it may be called again.',
  options: listOptions,
  positionals: { number: NUMBER },
  async run({ number, list, installation }, { stdout }) {
    const { removeNumber } = await import('../../setup/suppress.js');
    const wasThere = await removeNumber({ installation, list }, number);
    const what = wasThere ? 'is no longer' : 'was not';
    await print(stdout, `The number ${what} on the list "${list}".\n`);
    return EXIT.ok;
  },
});

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const DAY_MS = 86_400_000;

const entryOptions = {
  until: textOption(
    'Last day on the list, such as 2027-06-30, to its end in UTC. Default: by the "ttl" of the list.',
    { coerce: lastDay },
  ),
  reason: textOption('Why, in a few words, for "suppress why". Default: none.'),
} as const;

const options = { ...listOptions, ...entryOptions } as const;

const lastDayText = (endsAt: number | null): string =>
  endsAt === null ? 'for ever' : `until ${dayOf(endsAt - 1)}`;

const addCommand = defineCommand({
  group: 'suppress',
  usage: 'add <number>',
  describe: 'Put a number on a list: it is not called any more.',
  epilogue:
    'A number that is on the list already stays as long as it would, or longer: its time begins anew. Remove it first to shorten that.',
  options,
  positionals: { number: NUMBER },
  async run({ number, list, installation, until, reason }, { stdout }) {
    const { addNumber } = await import('../../setup/suppress.js');
    const added = await addNumber({ installation, list, until, reason }, number);
    const how = added.added ? 'The number is now' : added.renewed ? 'It is anew' : 'It already was';
    await print(stdout, `${how} on the list "${list}", ${lastDayText(added.endsAt)}.\n`);
    return EXIT.ok;
  },
});

const countryOption = {
  country: textOption(
    'Country of numbers without a country code, two letters such as US. Default: that of the list.',
  ),
} as const;

const whyCommand = defineCommand({
  group: 'suppress',
  usage: 'why <number>',
  describe: 'Say on which lists a number is, since when, until when and why.',
  options: {
    ...requiredInstallation,
    ...countryOption,
    json: flagOption('Print JSON. Default: no.'),
  },
  positionals: { number: NUMBER },
  async run({ number, installation, country, json }, { stdout }) {
    const { whyListed } = await import('../../setup/suppress.js');
    const why = await whyListed(installation, number, country?.toUpperCase());
    await printEither(stdout, json, why, whyText(why));
    return EXIT.ok;
  },
});

const FORMATS = ['numbers', 'csv', 'ftc'] as const;

const importCommand = defineCommand({
  group: 'suppress',
  usage: 'import <file>',
  describe: 'Put all numbers of a file on a list, or none of them.',
  options: {
    ...listOptions,
    format: {
      choices: FORMATS,
      describe:
        'numbers: one a line; csv: a table with a header; ftc: area code and number a line. Default: csv with --column, else numbers.',
    },
    column: textOption('The column with the numbers. Default: the file is no table.'),
    ...countryOption,
    ...entryOptions,
  },
  positionals: {
    file: {
      type: 'string',
      demandOption: true,
      describe: 'File with the numbers; .gz too.',
    },
  },
  async run({ file, list, installation, column, country, until, reason, ...args }, terminal) {
    const { format = column === undefined ? 'numbers' : 'csv' } = args;
    if ((format === 'csv') !== (column !== undefined))
      throw new UsageError('--column belongs to --format csv, which needs it.');
    if (format === 'ftc' && country !== undefined)
      throw new UsageError('--format ftc has numbers of the United States alone.');
    const { importNumbers } = await import('../../setup/suppress.js');
    const given = defined({ column, country: country?.toUpperCase(), until, reason });
    const found = await importNumbers({ installation, list, file, format, ...given });
    const { added, renewed, kept, unread, firstUnread } = found;
    if (unread > 0)
      note(
        terminal.stderr,
        `${counted(unread, 'line holds', 'lines hold')} no phone number, the first of them is line ${firstUnread}.`,
      );
    const before = `${counted(renewed, 'was on it and begins', 'were on it and begin')} anew, ${counted(kept, 'stays', 'stay')} longer than asked for`;
    await print(
      terminal.stdout,
      `${counted(added, 'number is', 'numbers are')} new on the list "${list}"; ${before}.\n`,
    );
    return EXIT.ok;
  },
});

/** What can be done with lists of numbers that must not be called. */
export const suppressGroup: CommandGroup = {
  subcommands: [addCommand, removeCommand, importCommand, whyCommand, statusCommand, buildCommand],
  examples: [
    [
      '$0 suppress add +12025550101 --list own -i center.yaml',
      'Nobody calls this number any more.',
    ],
    ['$0 suppress why +12025550101 -i center.yaml', 'Which lists is it on?'],
    ['$0 suppress status -i center.yaml', 'How many numbers the lists have, and how old they are.'],
  ],
};

async function printStatus(
  lists: readonly ListStatus[],
  { stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>,
  json: boolean,
): Promise<ExitCode> {
  if (json) await printValue(stdout, lists);
  else {
    await print(stdout, lists.map((list) => `${lineOf(list)}\n`).join(''));
    for (const { warnings, mistakes } of lists)
      for (const text of [...warnings, ...mistakes]) note(stderr, text);
  }
  return lists.some(({ mistakes }) => mistakes.length > 0) ? EXIT.usage : EXIT.ok;
}

function lineOf({ name, kind, numbers, age, isNew, mistakes }: ListStatus): string {
  const count = numbers === null ? 'cannot be read' : counted(numbers, 'number');
  const facts = [
    count,
    age === null ? kind : `${daysText(age)} old`,
    isNew ? 'compiled now' : '',
    mistakes.length > 0 && numbers !== null ? 'cannot be used' : '',
  ];
  return `${name}: ${facts.filter((fact) => fact !== '').join(', ')}`;
}

function whyText({ listed, lists }: Why): string {
  const on = listed.length === 0 ? 'none' : String(listed.length);
  return [`The number is on ${on} of ${lists} lists.`, ...listed.map(whyLineOf), ''].join('\n');
}

function whyLineOf({ list, file, entry }: WhyListed): string {
  if (!entry) return `  ${list}: in ${file}`;
  const { added, endsAt, reason } = entry;
  const why = reason === null ? '' : `: ${reason}`;
  return `  ${list}: since ${dayOf(added)}, ${lastDayText(endsAt)}${why}`;
}

/** The end of a day, in milliseconds since 1970. */
function lastDay(text: string): number {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : NaN;
  // The engine takes February 30 for March 2.
  if (!Number.isNaN(day) && dayOf(day) === text) return day + DAY_MS;
  throw new UsageError(`--until takes a day such as 2027-06-30, but got "${text}".`);
}
