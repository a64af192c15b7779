import { EXIT } from '../../core/errors.js';
import { defineCommand } from '../command.js';
import { print } from '../output/output.js';
import { entryOptions, lastDayText, listOptions, NUMBER } from './options.js';

const options = { ...listOptions, ...entryOptions } as const;

export const addCommand = defineCommand({
  usage: 'add <number>',
  describe: 'Put a number on a list: it is not called any more.',
  epilogue:
    'A number that is on the list already stays as long as it would, or longer: its time begins anew. Remove it first to shorten that.',
  options,
  examples: [
    [
      '$0 suppress add +12025550101 --list own -i center.yaml --reason "asked by e-mail"',
      'For as long as the list says.',
    ],
    ['$0 suppress add +12025550101 --list own -i center.yaml --until 2027-06-30', 'Until a day.'],
  ],
  build: (parser) => parser.positional('number', NUMBER).options(options),
  async run({ number, list, installation, until, reason }, { stdout }) {
    const { addNumber } = await import('../../app/suppress/change-store.js');
    const added = await addNumber({ installation, list, until, reason }, number);
    const how = added.added ? 'The number is now' : added.renewed ? 'It is anew' : 'It already was';
    await print(stdout, `${how} on the list "${list}", ${lastDayText(added.endsAt)}.\n`);
    return EXIT.ok;
  },
});
