import type { CheckRequest } from '../../app/requests.js';
import { defined } from '../../core/defined.js';
import { defineCommand } from '../command.js';
import { inputText } from '../input-text.js';
import {
  flagOption,
  installationDescription,
  mappingOption,
  quietOption,
  textOption,
} from '../options.js';
import { printCheckResult } from '../output/check-result.js';
import { stopWaiting, unlessStopped } from '../output/stopped.js';
import { startProgress } from '../progress/progress.js';
import { givenOptions, givenSource, runFlags, sourceFlags } from '../run-flags.js';

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
  describe: 'Do all that an import does, but send nothing.',
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
  build: (parser) =>
    parser
      .positional('files', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'CSV, workbooks, JSON Lines or Parquet; - is standard input.',
      })
      .options(options),
  async run(args, terminal) {
    const { checkFiles } = await import('../../app/check/check.js');
    stopWaiting(args.files, terminal);
    const progress = await startProgress(terminal, args.quiet ?? false);
    const request: CheckRequest = {
      files: args.files,
      mapping: args.mapping,
      source: givenSource('check', args),
      signal: terminal.signal,
      onProgress: progress.update,
      onWarning: progress.note,
      ...(args.json ? { onInput: (file, info) => progress.note(inputText(file, info)) } : {}),
      ...givenOptions('check', args),
      ...defined({ installation: args.installation }),
    };
    try {
      const result = await unlessStopped(checkFiles(request), terminal.signal);
      progress.stop();
      return await printCheckResult(result, request, terminal, args.json ?? false);
    } finally {
      progress.stop();
    }
  },
});
