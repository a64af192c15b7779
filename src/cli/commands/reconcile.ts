import { UsageError } from '../../core/errors.js';
import { defined } from '../../core/defined.js';
import { campaignChoice } from '../campaign-choice.js';
import { defineCommand } from '../command.js';
import { ledgerNamed } from '../ledger-option.js';
import {
  expectRowsOption,
  flagOption,
  mappingOption,
  modeOption,
  readingOptions,
  requiredInstallation,
  sourceOptions,
  textOption,
} from '../options.js';
import { runCheckOfRun, runOptions, runReconcileCommand } from '../run-import.js';

const options = {
  mapping: { ...mappingOption.mapping, demandOption: false },
  installation: { ...requiredInstallation.installation, demandOption: false },
  ...modeOption,
  campaign: textOption(
    "Campaign in which the clients should be, by id or by name. Default: the mapping's campaign.",
  ),
  fields: textOption(
    'Card fields to compare, such as fullName,segment. Default: all of the mapping.',
  ),
  fix: textOption(
    'Folder for files that make every row match when they are imported: create.csv, update.csv, enqueue.csv, each with its mapping.',
  ),
  run: textOption('Check what the report of this run claims, in place of a file.'),
  sandbox: flagOption('Compare with the embedded sandbox. Default: no.'),
  ...runOptions,
  ...readingOptions,
  ...expectRowsOption,
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
  build: (parser) =>
    parser
      .positional('files', {
        type: 'string',
        array: true,
        describe: 'CSV or .xlsx files, also .csv.gz; - is standard input.',
      })
      .options(options),
  async run(args, terminal) {
    const { files = [], mapping, installation } = args;
    if (args.run !== undefined) {
      if (files.length > 0) throw new UsageError('Give files or --run, not both.');
      const { placeOfRun } = await import('../../app/runs/runs.js');
      const ledger = await ledgerNamed(args);
      const place = await placeOfRun(args.run, ledger);
      const wanted = { checks: args.run, installation: installation ?? place.installation };
      return runCheckOfRun(wanted, place.sandbox, { ...args, ledger }, terminal);
    }
    if (files.length === 0 || mapping === undefined || installation === undefined)
      throw new UsageError(
        'Say what to compare: files with --mapping and --installation, or a run with --run.',
      );
    return runReconcileCommand(
      {
        files,
        mapping,
        installation,
        source: sourceOptions(args),
        ...defined({
          mode: args.mode,
          expectRows: args.expectRows,
          campaign: campaignChoice(args.campaign, undefined),
          fields: args.fields?.split(',').map((name) => name.trim()),
          fix: args.fix,
        }),
      },
      args.sandbox ?? false,
      args,
      terminal,
    );
  },
});
