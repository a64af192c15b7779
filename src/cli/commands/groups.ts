import { type CommandGroup, defineCommand } from '../command.js';
import { EXIT, UsageError } from '../../core/errors.js';
import {
  ledgerNamed,
  ledgerOptions,
  flagOption,
  requiredInstallation,
  textOption,
} from '../options.js';
import { note, print, printData, printValue, printEither } from '../output/output.js';
import { counted, defined } from '../../core/text.js';
import type { ListStatus, Why } from '../../setup/suppress.js';
import { daysText } from '../../core/time.js';
import { dirname, resolve } from 'node:path';
import { packagePath } from '../package.js';

const ledgerInitCommand = defineCommand({
  group: 'ledger',
  usage: 'init',
  describe: 'Make the tables of a ledger.',
  epilogue:
    'Other commands do this by themselves where they may. In PostgreSQL, the tables for runs that machines share are among them. Where the role may not, the SQL for an administrator is printed, and the code is 3: it is executed in the same database.',
  options: {
    ...ledgerOptions,
    sql: flagOption('Print the SQL for an administrator, and change nothing. Default: no.'),
  },
  places: { ledger: 'ledger' },
  async run({ sql: justPrints = false, ...args }, { stdout, stderr }) {
    const { initNamedLedger } = await import('../../setup/ledger.js');
    const result = await initNamedLedger(await ledgerNamed(args), justPrints);
    if (result.kind === 'ready') {
      await print(stdout, `The ledger ${result.file} is ready, in version ${result.version}.\n`);
      return EXIT.ok;
    }
    await printData(stdout, result.sql);
    if (justPrints) return EXIT.ok;
    note(
      stderr,
      `The role may not make or use the tables of ${result.file}. Let an administrator execute the printed SQL in this database, and run the same command again.`,
    );
    return EXIT.stopped;
  },
});

const ledgerCopyCommand = defineCommand({
  group: 'ledger',
  usage: 'copy <from> <to>',
  describe: 'Copy the runs of a ledger into another one.',
  epilogue:
    'Each run is copied as a whole and checked by its digest. Runs that are there already are compared. Use one of the two ledgers afterwards: neither learns what the other does. A run that is not at its end looks everything up before it sends, wherever it is continued.',
  options: {
    json: flagOption('Print JSON. Default: no.'),
  },
  places: { to: 'ledger' },
  positionals: {
    from: {
      type: 'string',
      demandOption: true,
      describe: 'Ledger to copy: a file, or postgres://…',
    },
    to: {
      type: 'string',
      demandOption: true,
      describe: 'Ledger that gets the runs; it is made where it is not there.',
    },
  },
  async run({ from, to, json }, { stdout, stderr }) {
    const { copyLedger } = await import('../../setup/ledger.js');
    const result = await copyLedger(from, to, ({ run, facts }) => {
      if (!json) note(stderr, `${run}: ${facts} facts`);
    });
    if (json) {
      await printValue(stdout, result);
      return EXIT.ok;
    }
    const { copied, there } = result;
    const before =
      there.length > 0
        ? `; ${counted(there.length, 'was there already, and is', 'were there already, and are')} the same`
        : '';
    await print(
      stdout,
      `${counted(copied.length, 'run')} copied to ${result.to}, and compared${before}.\n`,
    );
    const open = copied.filter(({ finished }) => !finished);
    if (open.length > 0)
      note(
        stderr,
        `Not at their end: ${open.map(({ run }) => run).join(', ')}. Continue them with one of the ledgers alone.`,
      );
    return EXIT.ok;
  },
});

export const ledgerGroup: CommandGroup = { subcommands: [ledgerInitCommand, ledgerCopyCommand] };

const listsCommandOf = (
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
    async run({ installation, json }, { stdout, stderr }) {
      const lists = await (await statusOf())(installation);
      if (json) await printValue(stdout, lists);
      else {
        await print(stdout, lists.map((list) => `${lineOf(list)}\n`).join(''));
        for (const { warnings, mistakes } of lists)
          for (const text of [...warnings, ...mistakes]) note(stderr, text);
      }
      return lists.some(({ mistakes }) => mistakes.length > 0) ? EXIT.usage : EXIT.ok;
    },
  });

const buildListsCommand = listsCommandOf(
  'build',
  'Compile the lists now, so that the next run need not; make missing stores.',
  async () => (await import('../../setup/suppress.js')).buildLists,
);

const listStatusCommand = listsCommandOf(
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

const removeNumberCommand = defineCommand({
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

const numberOptions = { ...listOptions, ...entryOptions } as const;

const lastDayText = (endsAt: number | null): string =>
  endsAt === null ? 'for ever' : `until ${dayOf(endsAt - 1)}`;

const addNumberCommand = defineCommand({
  group: 'suppress',
  usage: 'add <number>',
  describe: 'Put a number on a list: it is not called any more.',
  epilogue:
    'A number that is on the list already stays as long as it would, or longer: its time begins anew. Remove it first to shorten that.',
  options: numberOptions,
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

const whyListedCommand = defineCommand({
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

const importNumbersCommand = defineCommand({
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
  subcommands: [
    addNumberCommand,
    removeNumberCommand,
    importNumbersCommand,
    whyListedCommand,
    listStatusCommand,
    buildListsCommand,
  ],
  examples: [
    [
      '$0 suppress add +12025550101 --list own -i center.yaml',
      'Nobody calls this number any more.',
    ],
    ['$0 suppress why +12025550101 -i center.yaml', 'Which lists is it on?'],
    ['$0 suppress status -i center.yaml', 'How many numbers the lists have, and how old they are.'],
  ],
};

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
  const lines = listed.map(({ list, file, entry }) => {
    if (!entry) return `  ${list}: in ${file}`;
    const { added, endsAt, reason } = entry;
    const why = reason === null ? '' : `: ${reason}`;
    return `  ${list}: since ${dayOf(added)}, ${lastDayText(endsAt)}${why}`;
  });
  return [`The number is on ${on} of ${lists} lists.`, ...lines, ''].join('\n');
}

/** The end of a day, in milliseconds since 1970. */
function lastDay(text: string): number {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : NaN;
  // The engine takes February 30 for March 2.
  if (!Number.isNaN(day) && dayOf(day) === text) return day + DAY_MS;
  throw new UsageError(`--until takes a day such as 2027-06-30, but got "${text}".`);
}

const printScheduleCommand = defineCommand({
  group: 'schedule',
  usage: 'print <scheduler> <pickups>',
  describe: 'Print what starts "cardline watch": units of systemd, or a line for cron.',
  epilogue:
    'Nothing is installed: how that is done is printed with it. The units are hardened, pass the credentials that the files name, start again after exit code 3, and make up for a time at which the machine was off.',
  options: {
    at: textOption(
      'Time of day at which it takes what is there, such as "21:30 Europe/Moscow". Default: it watches all the time.',
    ),
    user: textOption('User that it runs as. Default: cardline.'),
    out: textOption('Folder to write the files to, in place of printing them. Default: none.', {
      alias: 'o',
    }),
    force: flagOption('With --out: replace files that are there with another text. Default: no.'),
  },
  places: { out: 'folder' },
  positionals: {
    scheduler: {
      choices: ['systemd', 'cron'] as const,
      demandOption: true,
      describe: 'What starts it.',
    },
    pickups: { type: 'string', demandOption: true, describe: 'Pickup file.' },
  },
  async run({ scheduler, pickups, at, user = 'cardline', out, force = false }, { stdout, stderr }) {
    const { scheduleOf } = await import('../../nightly/schedule.js');
    const command = [process.execPath, packagePath('dist/command/main.js')];
    const { files, steps, notes } = await scheduleOf({ scheduler, pickups, at, command, user });
    if (out === undefined)
      for (const { path, text } of files) await print(stdout, `# ${path}\n${text}\n`);
    else {
      const { writeSchedule } = await import('../../nightly/schedule.js');
      for (const path of await writeSchedule(files, out, force)) await print(stdout, `${path}\n`);
    }
    const isThere = out !== undefined && files.every(({ path }) => dirname(path) === resolve(out));
    const install = `To install, as root${isThere ? '' : `: the file${files.length === 1 ? '' : 's'} to ${files.map(({ path }) => path).join(' and ')}; then`}:`;
    note(stderr, [install, ...steps.map((step) => `  ${step}`), ...notes].join('\n'));
    return EXIT.ok;
  },
});

export const scheduleGroup: CommandGroup = { subcommands: [printScheduleCommand] };

const testNoticeCommand = defineCommand({
  group: 'notify',
  usage: 'test <pickups>',
  describe: 'Send one notice of each kind to everybody who is to get it, for a test.',
  epilogue:
    'Each says that it is a test. Ends with 0 when all were taken, else with 3; nothing is tried again.',
  positionals: { pickups: { type: 'string', demandOption: true, describe: 'Pickup file.' } },
  async run({ pickups: file }, { stdout, stderr, env, signal }) {
    const { loadPickups } = await import('../../nightly/pickup/load.js');
    const { sendNotice, testNotices } = await import('../../nightly/notices/outbox.js');
    const { notify: targets, pickups } = await loadPickups(file, env);
    if (targets.length === 0) note(stderr, `${file} has no "notify": nobody is told of anything.`);
    const pickup = pickups[0]?.name ?? '';
    const tested = testNotices(targets, pickup, sendNotice, signal);
    let isGood = true;
    for await (const { target, kind, mistake } of tested) {
      isGood &&= mistake === null;
      const reason = mistake === null ? '' : ` (${mistake})`;
      await print(stdout, `${mistake === null ? 'ok' : 'no'}  ${target}: ${kind}${reason}\n`);
    }
    return isGood && !signal.aborted ? EXIT.ok : EXIT.stopped;
  },
});

export const notifyGroup: CommandGroup = { subcommands: [testNoticeCommand] };
