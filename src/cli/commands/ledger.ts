import { type CommandGroup, defineCommand } from '../command.js';
import { EXIT } from '../../core/errors.js';
import { ledgerNamed, ledgerOptions, flagOption } from '../options.js';
import { note, print, printData, printValue } from '../output/output.js';
import { counted } from '../../core/text.js';

const initCommand = defineCommand({
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

const copyCommand = defineCommand({
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

export const ledgerGroup: CommandGroup = { subcommands: [initCommand, copyCommand] };
