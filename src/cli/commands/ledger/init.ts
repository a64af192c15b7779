import { EXIT } from '../../../core/errors.js';
import { defineCommand } from '../../command.js';
import { ledgerNamed, ledgerOptions } from '../../options/ledger-option.js';
import { flagOption } from '../../options/options.js';
import { note, print, printData } from '../../output/output.js';

const options = {
  ...ledgerOptions,
  sql: flagOption('Print the SQL for an administrator, and change nothing. Default: no.'),
} as const;

export const initCommand = defineCommand({
  usage: 'init',
  describe: 'Make the tables of a ledger.',
  epilogue:
    'Other commands do this by themselves where they may. In PostgreSQL, the tables for runs that machines share are among them. Where the role may not, the SQL for an administrator is printed, and the code is 3: it is executed in the same database.',
  options,
  examples: [
    ['$0 ledger init --ledger postgres://me@db.example/calls', 'Make the tables, or print how.'],
    [
      '$0 ledger init --ledger postgres://me@db.example/calls --sql > ledger.sql',
      'For an administrator.',
    ],
  ],
  places: { ledger: 'ledger' },
  build: (parser) => parser.options(options),
  async run({ sql: justPrints = false, ...args }, { stdout, stderr }) {
    const { initNamedLedger } = await import('../../../app/ledger/init.js');
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
