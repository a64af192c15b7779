import { PLACE_KINDS } from '../../app/output-place.js';
import { defineCommand } from '../command.js';
import { executeCommand, shownOptions } from '../execute-command.js';
import { ledgerInstallation, ledgerNamed } from '../options/ledger-option.js';
import { givenOptions, runFlags } from '../options/run-flags.js';

const options = { ...runFlags('resume'), ...shownOptions, ...ledgerInstallation } as const;

export const resumeCommand = defineCommand({
  usage: 'resume [run]',
  describe: 'Go on with a run that has not come to its end.',
  epilogue:
    'What is on record is not sent again; what was under way when the run ended is looked up first. The input, the mapping, the installation and the campaign must be those that the run began with. The --max-failures and --canary of its last command hold on, unless others are named.',
  options,
  examples: [
    ['$0 resume', 'Go on with the latest run that is not finished.'],
    ['$0 resume 20261120-174500-1f3a', 'Go on with this one.'],
  ],
  places: PLACE_KINDS,
  build: (parser) =>
    parser
      .positional('run', {
        type: 'string',
        describe: 'Id of the run, as "cardline runs" lists it. Default: the latest unfinished.',
      })
      .options(options),
  async run(args, terminal) {
    const { resumption } = await import('../../app/runs/resumption.js');
    const given = givenOptions('resume', args);
    const ledger = await ledgerNamed({ ledger: given.ledger, installation: args.installation });
    const resumed = await resumption(ledger, args.run, given);
    return executeCommand(resumed, args, terminal);
  },
});
