import type { Command } from '../../command.js';
import { copyCommand } from './copy.js';
import { initCommand } from './init.js';

const subcommands: readonly Command[] = [initCommand, copyCommand];

/** What is done with a ledger as a whole. */
export const ledgerCommand: Command = {
  name: 'ledger',
  positionals: '<command>',
  optionNames: [],
  switchNames: [],
  listNames: [],
  subcommands,
  add: (parser, choose) =>
    parser.command(
      'ledger',
      'Make a ledger, or copy its runs into another one.',
      (inner) =>
        subcommands.reduce((built, command) => command.add(built, choose), inner).demandCommand(1),
      () => undefined,
    ),
};
