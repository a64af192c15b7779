import { commandGroup } from '../group.js';
import { addCommand } from './add.js';
import { buildCommand } from './build.js';
import { importCommand } from './import.js';
import { removeCommand } from './remove.js';
import { statusCommand } from './status.js';
import { whyCommand } from './why.js';

/** What can be done with lists of numbers that must not be called. */
export const suppressGroup = commandGroup({
  name: 'suppress',
  describe: 'Numbers that must not be called: change a list, ask for one.',
  subcommands: [addCommand, removeCommand, importCommand, whyCommand, statusCommand, buildCommand],
  examples: [
    [
      '$0 suppress add +12025550101 --list own -i center.yaml',
      'Nobody calls this number any more.',
    ],
    ['$0 suppress why +12025550101 -i center.yaml', 'Which lists is it on?'],
    ['$0 suppress status -i center.yaml', 'How many numbers the lists have, and how old they are.'],
  ],
});
