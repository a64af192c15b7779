import { campaignChoice } from '../campaign-choice.js';
import { defineCommand } from '../command.js';
import { defined } from '../../core/defined.js';
import {
  expectRowsOption,
  flagOption,
  mappingOption,
  modeOption,
  numberOption,
  readingOptions,
  requiredInstallation,
  sourceOptions,
  textOption,
} from '../options.js';
import { runImportCommand, runOptions, warmImport } from '../run-import.js';

const options = {
  ...mappingOption,
  ...requiredInstallation,
  sandbox: flagOption(
    "Send to an embedded sandbox in place of the installation's address. Default: no.",
  ),
  campaign: textOption(
    "Campaign that the clients are added to, by id or by name. Default: the mapping's campaign.",
  ),
  'max-call-count': numberOption(
    'max-call-count',
    "Most calls to one client. Default: the mapping's.",
    1,
  ),
  ...modeOption,
  recovery: flagOption(
    "Restore deleted clients that are created again. Default: the mapping's recovery, else no.",
  ),
  yes: flagOption('Needed where rows are deleted (mode delete). Default: no.'),
  again: flagOption('Import anew what was imported already, or what broke off. Default: no.'),
  ...runOptions,
  ...readingOptions,
  ...expectRowsOption,
} as const;

export const importCommand = defineCommand({
  usage: 'import <files..>',
  describe: 'Bring the rows of spreadsheets into a contact center.',
  epilogue: `With --sandbox no server is needed: a contact center of your own runs for the length of the command and keeps its data beside the ledger (cardline.sandbox.db). A campaign that does not exist there is created and started; as the sandbox numbers its campaigns itself, "--campaign 42" then becomes a campaign of the name "Campaign 42", whose id is told and which the next import finds again.

The first Ctrl-C ends gently: requests in flight are finished and the report is written. The second one ends at once. The same command continues a run that has not come to its end, and does not repeat one that has.`,
  options,
  examples: [
    ['$0 import leads.csv -m leads.yaml -i center.yaml', 'Import, as the mapping says.'],
    ['$0 import leads.csv -m leads.yaml -i center.yaml --campaign 42', 'Into campaign 42.'],
    ['$0 import leads.csv -m leads.yaml -i center.yaml --mode upsert', 'Change who is there.'],
    ['$0 import leads.xlsx -m leads.yaml -i center.yaml --sandbox', 'Try it without a server.'],
    ['$0 import - -m leads.yaml -i center.yaml --json < leads.csv', 'For scripts.'],
  ],
  build: (parser) =>
    parser
      .positional('files', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'CSV or .xlsx files, also .csv.gz; - is standard input.',
      })
      .options(options),
  warm: warmImport,
  run: (args, terminal) =>
    runImportCommand(
      {
        files: args.files,
        mapping: args.mapping,
        installation: args.installation,
        source: sourceOptions(args),
        ...defined({
          again: args.again,
          mode: args.mode,
          expectRows: args.expectRows,
          recovery: args.recovery,
          confirmed: args.yes,
          campaign: campaignChoice(args.campaign, args.maxCallCount),
        }),
      },
      args.sandbox ?? false,
      args,
      terminal,
    ),
});
