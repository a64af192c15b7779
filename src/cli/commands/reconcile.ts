import { PLACE_KINDS } from '../../options/places.js';
import { UsageError } from '../../core/errors.js';
import { defined } from '../../core/text.js';
import {
  campaignChoice,
  requestOnRun,
  givenOptions,
  givenSource,
  runFlags,
  sourceFlags,
  inputFiles,
} from '../options/run-flags.js';
import { defineCommand } from '../command.js';
import { executeCommand, shownOptions } from '../execute-command.js';
import { flagOption, mappingOption, requiredInstallation, textOption } from '../options/options.js';

const options = {
  mapping: { ...mappingOption.mapping, demandOption: false },
  installation: { ...requiredInstallation.installation, demandOption: false },
  campaign: textOption(
    "Campaign in which the clients should be, by id or by name. Default: the mapping's campaign.",
  ),
  run: textOption('Check what the report of this run claims, in place of a file.'),
  sandbox: flagOption('Compare with the embedded sandbox. Default: no.'),
  ...runFlags('reconcile'),
  ...shownOptions,
  ...sourceFlags('reconcile'),
} as const;

export const reconcileCommand = defineCommand({
  usage: 'reconcile [files..]',
  describe: 'Compare spreadsheets with the contact center, row by row.',
  epilogue: `Changes nothing. The report says of every row: match, different (with both values), missing, not_in_campaign, rejected, skipped or unknown. Ends with 0 when all rows match or are skipped, else with 2.

Values are brought to one form first: numbers, white space, dates, and the case of letters where the mapping changes it. Cells that are empty are not compared; contacts are not, since the interface does not show them.`,
  options,
  examples: [
    ['$0 reconcile leads.csv -m leads.yaml -i center.yaml --campaign 42', 'Is all of it there?'],
    ['$0 reconcile leads.csv -m leads.yaml -i center.yaml --fix fixes', 'And what would mend it?'],
    ['$0 reconcile --run 20261120-174500-1f3a', 'Is all of it so that a report claims?'],
  ],
  places: { ...PLACE_KINDS, fix: 'folder' },
  build: (parser) =>
    parser.positional('files', { ...inputFiles, demandOption: false }).options(options),
  async run(args, terminal) {
    const { files = [], mapping, installation } = args;
    if (args.run !== undefined) {
      if (files.length > 0) throw new UsageError('Give files or --run, not both.');
      // Of the options, those that every run has: the others are about files.
      const given = givenOptions('resume', args);
      const { sandbox, request } = await requestOnRun(args.run, installation, given);
      return executeCommand(
        { kind: 'check', sandbox, request: { ...request, checks: args.run } },
        args,
        terminal,
      );
    }
    if (files.length === 0 || mapping === undefined || installation === undefined)
      throw new UsageError(
        'Say what to compare: files with --mapping and --installation, or a run with --run.',
      );
    return executeCommand(
      {
        kind: 'reconcile',
        sandbox: args.sandbox ?? false,
        request: {
          files,
          mapping,
          installation,
          source: givenSource('reconcile', args),
          ...givenOptions('reconcile', args),
          ...defined({ campaign: campaignChoice(args.campaign, undefined) }),
        },
      },
      args,
      terminal,
    );
  },
});
