import { defined } from '../../core/defined.js';
import { defineCommand } from '../command.js';
import { ledgerNamed } from '../ledger-option.js';
import { flagOption, textOption } from '../options.js';
import { runOptions, runUndoCommand } from '../run-import.js';

const options = {
  installation: {
    ...textOption('Installation file of the contact center. Default: the one of the run.'),
    alias: 'i',
  },
  'cancel-callbacks': flagOption(
    'Delete callbacks of the call applications with them. Default: no.',
  ),
  again: flagOption('Look through the run anew, also when it was taken back already. Default: no.'),
  ...runOptions,
} as const;

export const undoCommand = defineCommand({
  usage: 'undo <run>',
  describe: 'Take back what a run did.',
  epilogue: `Removes the call applications that the run added, deletes the clients that it created, and gives the fields that it changed their values from before. What somebody has changed since is left as it is. What cannot be taken back, such as contacts that were added, ends as "failed", and the report says why.

An undo is a run of its own: the same command, or "resume", continues it.`,
  options,
  examples: [['$0 undo 20261120-174500-1f3a', 'Take back what this run did.']],
  build: (parser) =>
    parser
      .positional('run', {
        type: 'string',
        demandOption: true,
        describe: 'Id of the run, as "cardline runs" lists it.',
      })
      .options(options),
  async run(args, terminal) {
    const { placeOfRun } = await import('../../app/runs/runs.js');
    const ledger = await ledgerNamed(args);
    const place = await placeOfRun(args.run, ledger);
    const wanted = {
      undoes: args.run,
      installation: args.installation ?? place.installation,
      ...defined({ cancelCallbacks: args.cancelCallbacks, again: args.again }),
    };
    return runUndoCommand(wanted, place.sandbox, { ...args, ledger }, terminal);
  },
});
