import { commandGroup } from '../../group.js';
import { testCommand } from './test.js';

export const notifyGroup = commandGroup({
  name: 'notify',
  describe: 'Notices of "cardline watch".',
  subcommands: [testCommand],
  examples: [['$0 notify test pickup.yaml', 'Does everybody get them?']],
});
