import type { DoctorRequest, DoctorResult } from '../../setup/doctor.js';
import { CHECKS, type Finding } from '../../setup/finding.js';
import { EXIT } from '../../core/errors.js';
import {
  campaignChoice,
  givenOptions,
  givenSource,
  runFlags,
  sourceFlags,
} from '../options/run-flags.js';
import { INPUT_FORMAT_WORDS } from '../../source/source.js';
import { defineCommand } from '../command.js';
import { checkCommandLine, type CheckWords, suggestCommandLine } from '../next.js';
import { inputText } from '../input-text.js';
import { flagOption, requiredInstallation, textOption } from '../options/options.js';
import { print, printJson } from '../output/output.js';

const options = {
  ...requiredInstallation,
  mapping: {
    ...textOption('Mapping file, which is held against the card and the file. Default: none.'),
    alias: 'm',
  },
  mode: runFlags('check').mode,
  campaign: textOption(
    "Campaign that is looked for, by id or by name. Default: the mapping's campaign.",
  ),
  ledger: textOption(
    "Ledger that an import would use. Default: the installation's ledger, else cardline.db.",
  ),
  ...sourceFlags('check'),
  json: flagOption('Print what was found as JSON. Default: no.'),
} as const;

const widest = (words: readonly string[]): number => Math.max(...words.map(({ length }) => length));

const NAME_WIDTH = widest(CHECKS);

const MARKS = {
  ok: 'ok',
  warning: 'warning',
  failed: 'FAILED',
  skipped: '-',
} as const satisfies Record<Finding['state'], string>;

const MARK_WIDTH = widest(Object.values(MARKS));

const jsonText = ({ exitCode, results }: DoctorResult): string =>
  `${JSON.stringify({ exitCode, checks: results }, null, 2)}\n`;

export const doctorCommand = defineCommand({
  usage: 'doctor [file]',
  describe: 'Check everything that an import needs, from the files to the contact center.',
  epilogue:
    'Nothing is changed: only the list of campaigns is asked for. Ends with 0 when nothing stands in the way of an import, with 64 when a file has to be mended, with 3 when the contact center or this machine stands in the way.',
  options,
  examples: [
    ['$0 doctor -i center.yaml', 'Can the contact center be reached?'],
    ['$0 doctor leads.csv -m leads.yaml -i center.yaml --campaign 42', 'Is all ready for this?'],
  ],
  build: (parser) =>
    parser
      .positional('file', { type: 'string', describe: `${INPUT_FORMAT_WORDS}. Default: none.` })
      .options(options),
  async run(args, terminal) {
    const { examine } = await import('../../setup/doctor.js');
    const { stdout, env, signal } = terminal;
    const { installation, mapping, file, ledger, json } = args;
    const { mode } = givenOptions('check', args);
    const printed: Promise<unknown>[] = [];
    const request = {
      ...{ installation, mapping, mode, file, ledger, env, signal, describeInput: inputText },
      source: givenSource('check', args),
      campaign: campaignChoice(args.campaign, undefined),
    };
    const result = await examine(request, (finding) => {
      if (!json) printed.push(print(stdout, `${findingText(finding)}\n`));
    });
    await Promise.all(printed);
    if (json) await printJson(stdout, jsonText(result));
    else await print(stdout, `\n${summaryText(result.results)}${nextText(result, request)}\n`);
    return result.exitCode;
  },
});

/** The command that comes next, where there is enough at hand to name it. */
function nextText({ exitCode }: DoctorResult, request: Asked): string {
  const { file, mapping, ...given } = request;
  if (exitCode !== EXIT.ok || file === undefined) return '';
  const line =
    mapping === undefined
      ? suggestCommandLine({ ...given, file }, 'mapping.yaml')
      : checkCommandLine({ ...given, file, mapping });
  return `\n\nNext: ${line}`;
}

/** What doctor was asked for, as far as the next command needs it. */
type Asked = Omit<CheckWords, 'file' | 'mapping'> & Pick<DoctorRequest, 'file' | 'mapping'>;

/** One check in one line; further lines of a text are indented below it. */
function findingText({ check, state, text }: Finding): string {
  const head = `${MARKS[state].padEnd(MARK_WIDTH)}  ${check.padEnd(NAME_WIDTH)}  `;
  return `${head}${text.replaceAll('\n', `\n${' '.repeat(head.length)}`)}`;
}

/** What it comes to. */
function summaryText(results: readonly Finding[]): string {
  const failed = results.filter(({ state }) => state === 'failed').map(({ check }) => check);
  const open = results.filter(({ state }) => state === 'skipped').length;
  if (failed.length === 0) return 'Everything that was checked is in order.';
  const checks = failed.length === 1 ? '1 check' : `${failed.length} checks`;
  const rest = open === 0 ? '' : ` ${open} could not be made.`;
  return `${checks} failed: ${failed.join(', ')}.${rest}`;
}
