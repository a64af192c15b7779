import type { ImportRequest, ImportResult } from '../../app/requests.js';
import { campaignChoice } from '../campaign-choice.js';
import { defineCommand } from '../command.js';
import { defined } from '../../core/defined.js';
import { importIntoSandbox } from '../import-into-sandbox.js';
import { printImportResult } from '../import-result.js';
import { inputText } from '../input-text.js';
import {
  flagOption,
  mappingOption,
  numberOption,
  outOption,
  readingOptions,
  requiredInstallation,
  sourceOptions,
  textOption,
} from '../options.js';
import { startProgress } from '../progress.js';
import { stopWaiting } from '../stopped.js';

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
  ledger: textOption('File in which every fact of the run is kept. Default: cardline.db.'),
  ...outOption,
  'batch-size': numberOption('batch-size', 'Clients in one request. Default: 200.', 1),
  concurrency: numberOption('concurrency', 'Requests in flight at once. Default: 4.', 1, 256),
  ...readingOptions,
  quiet: { ...flagOption('No progress and no notes on stderr. Default: no.'), alias: 'q' },
  json: flagOption('Print the summary as JSON on stdout, not as a table. Default: no.'),
} as const;

export const importCommand = defineCommand({
  usage: 'import <files..>',
  describe: 'Bring the rows of spreadsheets into a contact center.',
  epilogue: `With --sandbox no server is needed: a contact center of your own runs for the length of the command and keeps its data beside the ledger (cardline.sandbox.db). A campaign that does not exist there is created and started; as the sandbox numbers its campaigns itself, "--campaign 42" then becomes a campaign of the name "Campaign 42", whose id is told and which the next import finds again.

The first Ctrl-C ends gently: requests in flight are finished and the report is written. The second one ends at once.`,
  options,
  examples: [
    ['$0 import leads.csv -m leads.yaml -i center.yaml', 'Import, as the mapping says.'],
    ['$0 import leads.csv -m leads.yaml -i center.yaml --campaign 42', 'Into campaign 42.'],
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
  async run(args, terminal) {
    stopWaiting(args.files, terminal);
    const progress = await startProgress(terminal, args.quiet ?? false);
    const request: ImportRequest = {
      files: args.files,
      mapping: args.mapping,
      installation: args.installation,
      source: sourceOptions(args),
      env: terminal.env,
      signal: terminal.signal,
      onProgress: progress.update,
      onInput: (file, info) => progress.note(inputText(file, info)),
      onWarning: progress.note,
      ...defined({
        out: args.out,
        ledger: args.ledger,
        batchSize: args.batchSize,
        concurrency: args.concurrency,
        campaign: campaignChoice(args.campaign, args.maxCallCount),
      }),
    };
    try {
      const result = await (args.sandbox ? importIntoSandbox(request) : importDirectly(request));
      progress.stop();
      return await printImportResult(result, terminal, args.json ?? false);
    } finally {
      progress.stop();
    }
  },
});

async function importDirectly(request: ImportRequest): Promise<ImportResult> {
  const { importFiles } = await import('../../app/import.js');
  return importFiles(request);
}
