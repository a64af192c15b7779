import type { Why, WhyListed } from '../../app/suppress/why-listed.js';
import { EXIT } from '../../core/errors.js';
import { defineCommand } from '../command.js';
import { flagOption, requiredInstallation } from '../options/options.js';
import { print, printJson } from '../output/output.js';
import { countryOption, dayOf, lastDayText, NUMBER } from './options.js';

const options = {
  ...requiredInstallation,
  ...countryOption,
  json: flagOption('Print JSON. Default: no.'),
} as const;

export const whyCommand = defineCommand({
  usage: 'why <number>',
  describe: 'Say on which lists a number is, since when, until when and why.',
  options,
  examples: [['$0 suppress why +12025550101 -i center.yaml', 'Which lists is it on?']],
  build: (parser) => parser.positional('number', NUMBER).options(options),
  async run({ number, installation, country, json }, { stdout }) {
    const { whyListed } = await import('../../app/suppress/why-listed.js');
    const why = await whyListed(installation, number, country?.toUpperCase());
    if (json) await printJson(stdout, `${JSON.stringify(why, null, 2)}\n`);
    else await print(stdout, whyText(why));
    return EXIT.ok;
  },
});

function whyText({ listed, lists }: Why): string {
  const on = listed.length === 0 ? 'none' : String(listed.length);
  return [`The number is on ${on} of ${lists} lists.`, ...listed.map(lineOf), ''].join('\n');
}

function lineOf({ list, file, entry }: WhyListed): string {
  if (!entry) return `  ${list}: in ${file}`;
  const { added, endsAt, reason } = entry;
  const why = reason === null ? '' : `: ${reason}`;
  return `  ${list}: since ${dayOf(added)}, ${lastDayText(endsAt)}${why}`;
}
