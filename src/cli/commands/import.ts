import { PLACE_KINDS } from '../../options/places.js';
import { readerThreads, warmReaderThread } from '../../prepare/threads.js';
import type { ImportRequest } from '../../run/requests.js';
import type { ExitCode } from '../../core/errors.js';
import { defined } from '../../core/text.js';
import {
  campaignChoice,
  campaignOptions,
  givenOptions,
  givenSource,
  runFlags,
  sourceFlags,
  inputFiles,
} from '../options/run-flags.js';
import { defineCommand } from '../command.js';
import { executeCommand, shownOptions } from '../execute-command.js';
import { flagOption, mappingOption, requiredInstallation } from '../options/options.js';
import { note, type Terminal } from '../output/output.js';

const options = {
  ...mappingOption,
  ...requiredInstallation,
  sandbox: flagOption(
    "Send to an embedded sandbox in place of the installation's address. Default: no.",
  ),
  ...campaignOptions,
  'dry-run': flagOption('Send nothing: do what "check" does with these files. Default: no.'),
  ...runFlags('import'),
  ...shownOptions,
  ...sourceFlags('import'),
} as const;

export const importCommand = defineCommand({
  usage: 'import <files..>',
  describe: 'Import spreadsheets into a contact center.',
  epilogue: `With --sandbox no server is needed: a contact center of your own runs for the length of the command and keeps its data beside the ledger (cardline.sandbox.db, or one of its own for other identifiers). A campaign that does not exist there is created and started; as the sandbox numbers its campaigns itself, "--campaign 42" then becomes a campaign of the name "Campaign 42", whose id is told and which the next import finds again.

The first Ctrl-C ends gently: requests in flight are finished and the report is written. The second one ends at once. The same command continues a run that has not come to its end, and does not repeat one that has.`,
  options,
  examples: [
    ['$0 import leads.csv -m leads.yaml -i center.yaml', 'Import, as the mapping says.'],
    ['$0 import leads.csv -m leads.yaml -i center.yaml --campaign 42', 'Into campaign 42.'],
    ['$0 import leads.csv -m leads.yaml -i center.yaml --mode upsert', 'Change who is there.'],
    ['$0 import leads.xlsx -m leads.yaml -i center.yaml --sandbox', 'Try it without a server.'],
    ['$0 import - -m leads.yaml -i center.yaml --json < leads.csv', 'For scripts.'],
  ],
  places: PLACE_KINDS,
  build: (parser) => parser.positional('files', inputFiles).options(options),
  warm,
  run: (args, terminal) => (args.dryRun ? checkOnly : importAll)(args, terminal),
});

type Arguments = Readonly<Record<string, unknown>> & {
  readonly files: readonly string[];
  readonly mapping: string;
  readonly installation: string;
  readonly sandbox?: boolean | undefined;
  readonly campaign?: string | undefined;
  readonly maxCallCount?: number | undefined;
  readonly quiet?: boolean | undefined;
  readonly json?: boolean | undefined;
};

const importAll = (args: Arguments, terminal: Terminal): Promise<ExitCode> =>
  executeCommand({ kind: 'import', ...importOf(args) }, args, terminal);

const importOf = (args: Arguments): { sandbox: boolean; request: ImportRequest } => ({
  sandbox: args.sandbox ?? false,
  request: {
    files: args.files,
    mapping: args.mapping,
    installation: args.installation,
    source: givenSource('import', args),
    ...givenOptions('import', args),
    ...defined({ campaign: campaignChoice(args.campaign, args.maxCallCount) }),
  },
});

async function checkOnly(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  if (args.quiet !== true)
    note(terminal.stderr, 'Nothing is sent: --dry-run does what "cardline check" does.');
  const { checkCommandFiles } = await import('../check-files.js');
  const { files, mapping, installation } = args;
  const source = givenSource('check', args);
  const request = { files, mapping, installation, source, ...givenOptions('check', args) };
  return checkCommandFiles(request, args, terminal, importOf(args));
}

/**
 * Starts the reading thread, which takes as long to load as the rest, and the rest beside it. Only the first look at the
 * files is waited for: what is loaded meanwhile would hold up its answers. Arguments that are no files count for nothing.
 */
async function warm(argv: readonly string[]): Promise<void> {
  const files = argv.filter((argument) => !argument.startsWith('-'));
  const inputs = files.map((name) => ({ path: name, name }));
  const isLarge = argv.includes('-') || (await readerThreads(inputs, 'send')) > 0;
  if (isLarge) warmReaderThread();
  // Whoever needs it loads it again, and meets the error there.
  else import('../../prepare/preparation.js').catch(() => undefined);
  import('../../run/import.js').catch(() => undefined);
}
