import { EXIT } from '../../../core/errors.js';
import { counted } from '../../../core/text.js';
import { defineCommand } from '../../command.js';
import { flagOption } from '../../options/options.js';
import { note, print, printJson } from '../../output/output.js';

const options = {
  json: flagOption('Print JSON. Default: no.'),
} as const;

export const copyCommand = defineCommand({
  usage: 'copy <from> <to>',
  describe: 'Copy the runs of a ledger into another one.',
  epilogue:
    'Each run is copied as a whole and checked by its digest. Runs that are there already are compared. Use one of the two ledgers afterwards: neither learns what the other does. A run that is not at its end looks everything up before it sends, wherever it is continued.',
  options,
  places: { to: 'ledger' },
  examples: [
    ['$0 ledger copy cardline.db postgres://me@db.example/calls', 'From a file into a database.'],
    ['$0 ledger copy postgres://me@db.example/calls copy.db', 'And back.'],
  ],
  build: (parser) =>
    parser
      .positional('from', {
        type: 'string',
        demandOption: true,
        describe: 'Ledger to copy: a file, or postgres://…',
      })
      .positional('to', {
        type: 'string',
        demandOption: true,
        describe: 'Ledger that gets the runs; it is made where it is not there.',
      })
      .options(options),
  async run({ from, to, json }, { stdout, stderr }) {
    const { copyLedger } = await import('../../../app/ledger/copy-ledger.js');
    const result = await copyLedger(from, to, ({ run, facts }) => {
      if (!json) note(stderr, `${run}: ${facts} facts`);
    });
    if (json) {
      await printJson(stdout, `${JSON.stringify(result, null, 2)}\n`);
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
