import type { TemplateResult } from '../../setup/template.js';
import { basename } from 'node:path';
import { EXIT } from '../../core/errors.js';
import { defineCommand } from '../command.js';
import { flagOption, mappingOption, requiredInstallation, textOption } from '../options/options.js';
import { checkCommandLine } from '../next.js';
import { print } from '../output/output.js';
import { givenOptions, runFlags } from '../options/run-flags.js';

const options = {
  ...mappingOption,
  ...requiredInstallation,
  mode: runFlags('check').mode,
  out: {
    ...textOption('Workbook to write. Default: the name of the mapping, with .xlsx.'),
    alias: 'o',
  },
  force: flagOption('Replace the workbook if it exists. Default: no.'),
} as const;

export const templateCommand = defineCommand({
  usage: 'template',
  describe: 'Make an empty workbook with the columns that a mapping needs.',
  options,
  examples: [
    ['$0 template -m leads.yaml -i center.yaml', 'Write leads.xlsx.'],
    ['$0 template -m leads.yaml -i center.yaml -o list.xlsx --force', 'Replace list.xlsx.'],
  ],
  places: { out: 'file' },
  build: (parser) => parser.options(options),
  async run(args, terminal) {
    const { makeTemplate } = await import('../../setup/template.js');
    const { mapping, installation, force = false } = args;
    const { mode } = givenOptions('check', args);
    const out = args.out ?? `${basename(mapping).replace(/\.[^.]*$/, '')}.xlsx`;
    const result = await makeTemplate({ mapping, installation, mode, out, force });
    const next = checkCommandLine({ file: out, mapping, installation, mode });
    await print(
      terminal.stdout,
      `${resultText(out, result)}\n\nNext, when it is filled in: ${next}\n`,
    );
    return EXIT.ok;
  },
});

function resultText(out: string, result: TemplateResult): string {
  const { replaced, columns, required, isExampleTaken } = result;
  const lines = [
    `${out}: ${replaced ? 'replaced' : 'written'}, with ${columns} ${columns === 1 ? 'column' : 'columns'}.`,
    required.length === 0 ? 'No column is required.' : `Required: ${required.join(', ')}.`,
  ];
  if (!isExampleTaken)
    lines.push('The example could not be made so that the mapping takes it: correct its sheet.');
  return lines.join('\n');
}
