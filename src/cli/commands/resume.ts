import { defineCommand } from '../command.js';
import { ledgerNamed, ledgerOptions } from '../ledger-option.js';
import {
  runCheckOfRun,
  runImportCommand,
  runOptions,
  runReconcileCommand,
  runUndoCommand,
} from '../run-import.js';

const options = { ...runOptions, ...ledgerOptions } as const;

export const resumeCommand = defineCommand({
  usage: 'resume [run]',
  describe: 'Go on with a run that has not come to its end.',
  epilogue:
    'What is on record is not sent again; what was under way when the run ended is looked up first. The input, the mapping, the installation and the campaign must be those that the run began with.',
  options,
  examples: [
    ['$0 resume', 'Go on with the latest run that is not finished.'],
    ['$0 resume 20261120-174500-1f3a', 'Go on with this one.'],
  ],
  build: (parser) =>
    parser
      .positional('run', {
        type: 'string',
        describe: 'Id of the run, as "cardline runs" lists it. Default: the latest unfinished.',
      })
      .options(options),
  async run(args, terminal) {
    const { resumption } = await import('../../app/runs/runs.js');
    const resumed = await resumption(await ledgerNamed(args), args.run);
    const { sandbox } = resumed;
    switch (resumed.kind) {
      case 'undo':
        return runUndoCommand(resumed.request, sandbox, args, terminal);
      case 'reconcile':
        return runReconcileCommand(resumed.request, sandbox, args, terminal);
      case 'check':
        return runCheckOfRun(resumed.request, sandbox, args, terminal);
      case 'import':
        return runImportCommand(resumed.request, sandbox, args, terminal);
    }
  },
});
