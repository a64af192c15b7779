import { defined } from '../../core/text.js';
import { checkCommandFiles } from '../check-files.js';
import { defineCommand } from '../command.js';
import {
  flagOption,
  installationDescription,
  mappingOption,
  quietOption,
  textOption,
} from '../options/options.js';
import {
  givenOptions,
  givenSource,
  runFlags,
  sourceFlags,
  inputFiles,
} from '../options/run-flags.js';

const options = {
  ...mappingOption,
  installation: {
    ...textOption(`${installationDescription} Default: card fields are not checked.`),
    alias: 'i',
  },
  ...runFlags('check'),
  ...sourceFlags('check'),
  ...quietOption,
  json: flagOption('Print what was found as JSON. Default: no.'),
} as const;

export const checkCommand = defineCommand({
  usage: 'check <files..>',
  describe: 'Do everything that an import does, but send nothing.',
  epilogue: 'Ends with 0 when no row is rejected, else with 2.',
  options,
  examples: [
    ['$0 check leads.csv -m leads.yaml', 'Which rows are bad, and why?'],
    [
      '$0 check leads.csv -m leads.yaml -i center.yaml',
      'Check against the card configuration too.',
    ],
    ['$0 check leads.xlsx -m leads.yaml --sheet 2 --show 1', 'The second sheet, one client.'],
  ],
  places: { out: 'folder', ledger: 'read ledger' },
  build: (parser) => parser.positional('files', inputFiles).options(options),
  run: (args, terminal) =>
    checkCommandFiles(
      {
        files: args.files,
        mapping: args.mapping,
        source: givenSource('check', args),
        ...givenOptions('check', args),
        ...defined({ installation: args.installation }),
      },
      args,
      terminal,
    ),
});
