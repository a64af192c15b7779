import { EXIT, UsageError } from '../../core/errors.js';
import { defined } from '../../core/defined.js';
import { counted } from '../../core/text.js';
import { defineCommand } from '../command.js';
import { textOption } from '../options/options.js';
import { note, print } from '../output/output.js';
import { countryOption, entryOptions, listOptions } from './options.js';

const FORMATS = ['numbers', 'csv', 'ftc'] as const;

const options = {
  ...listOptions,
  format: {
    choices: FORMATS,
    describe:
      'numbers: one a line; csv: a table with a header; ftc: area code and number a line. Default: csv with --column, else numbers.',
  },
  column: textOption('The column with the numbers. Default: the file is no table.'),
  ...countryOption,
  ...entryOptions,
} as const;

export const importCommand = defineCommand({
  usage: 'import <file>',
  describe: 'Put all numbers of a file on a list, or none of them.',
  options,
  examples: [
    ['$0 suppress import stop.txt --list own -i center.yaml', 'One number a line.'],
    [
      '$0 suppress import stop.xlsx --column Phone --country US --list own -i center.yaml',
      'A column of a table.',
    ],
  ],
  build: (parser) =>
    parser
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'File with the numbers; .gz too.',
      })
      .options(options),
  async run({ file, list, installation, column, country, until, reason, ...args }, terminal) {
    const { format = column === undefined ? 'numbers' : 'csv' } = args;
    if ((format === 'csv') !== (column !== undefined))
      throw new UsageError('--column belongs to --format csv, which needs it.');
    if (format === 'ftc' && country !== undefined)
      throw new UsageError('--format ftc has numbers of the United States alone.');
    const { importNumbers } = await import('../../app/suppress/change-store.js');
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
