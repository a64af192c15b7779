import { commandGroup } from '../../group.js';
import { copyCommand } from './copy.js';
import { initCommand } from './init.js';

export const ledgerGroup = commandGroup({
  name: 'ledger',
  describe: 'Make a ledger, or copy its runs into another one.',
  subcommands: [initCommand, copyCommand],
  examples: [
    ['$0 ledger init --ledger postgres://me@db.example/calls', 'Make the tables, or print how.'],
    ['$0 ledger copy cardline.db postgres://me@db.example/calls', 'From a file into a database.'],
  ],
});
