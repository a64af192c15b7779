import { EXIT } from '../../core/errors.js';
import { defineCommand } from '../command.js';
import { print } from '../output/output.js';
import { listOptions, NUMBER } from './options.js';

export const removeCommand = defineCommand({
  usage: 'remove <number>',
  describe: 'Take a number off a list: it may be called again.',
  options: listOptions,
  examples: [['$0 suppress remove +12025550101 --list own -i center.yaml', 'It was a mistake.']],
  build: (parser) => parser.positional('number', NUMBER).options(listOptions),
  async run({ number, list, installation }, { stdout }) {
    const { removeNumber } = await import('../../app/suppress/change-store.js');
    const wasThere = await removeNumber({ installation, list }, number);
    const what = wasThere ? 'is no longer' : 'was not';
    await print(stdout, `The number ${what} on the list "${list}".\n`);
    return EXIT.ok;
  },
});
