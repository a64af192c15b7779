import { defined } from '../../core/defined.js';
import { MODES } from '../../core/mode.js';
import { INPUT_FORMAT_WORDS } from '../../app/inputs/format-words.js';
import { defineCommand } from '../command.js';
import { flagOption, requiredInstallation, textOption } from '../options/options.js';
import { stopWaiting, unlessStopped } from '../output/stopped.js';
import { printSuggestion } from '../output/suggestion.js';
import { givenSource, sourceFlags } from '../options/run-flags.js';

const options = {
  ...requiredInstallation,
  out: {
    ...textOption('File for the mapping. Default: it is printed.'),
    alias: 'o',
  },
  ...sourceFlags('suggest'),
  country: textOption(
    'Country of phone numbers without a country code, two letters such as RU. Default: found out.',
  ),
  mode: { ...textOption('What the mapping is for. Default: create.'), choices: MODES },
  ledger: textOption(
    'File in which the runs are kept: what earlier mappings did with the same columns counts. ' +
      "Default: the installation's ledger, else cardline.db.",
  ),
  json: flagOption('Print what was found as JSON. Default: no.'),
} as const;

export const suggestCommand = defineCommand({
  usage: 'suggest <file>',
  describe: 'Draft a mapping for a spreadsheet.',
  epilogue: 'Nothing is sent. Ends with 0, also where something is left to fill in.',
  options,
  examples: [
    ['$0 suggest leads.csv -i center.yaml', 'Print a mapping, with a reason for each column.'],
    ['$0 suggest leads.xlsx -i center.yaml -o leads.yaml --sheet 2', 'Write it to a file.'],
    ['$0 suggest leads.csv -i center.yaml --json', 'For a program.'],
  ],
  places: { out: 'file', ledger: 'read ledger' },
  build: (parser) =>
    parser
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe: `${INPUT_FORMAT_WORDS}; - is standard input.`,
      })
      .options(options),
  async run(args, terminal) {
    const { suggestMapping } = await import('../../app/suggest/suggest-mapping.js');
    const { writeDraft } = await import('../../app/suggest/write-draft.js');
    stopWaiting([args.file], terminal);
    const { file, installation, out, country, mode, ledger, json = false } = args;
    const request = {
      ...{ file, installation, source: givenSource('suggest', args) },
      ...defined({ country, mode, ledger }),
    };
    const suggestion = await unlessStopped(suggestMapping(request), terminal.signal);
    if (out !== undefined) await writeDraft(out, suggestion.mapping);
    return printSuggestion(suggestion, { ...request, out, json }, terminal);
  },
});
