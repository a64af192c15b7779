import {
  readCampaign,
  type Assignment,
  assignmentOf,
  type CampaignPlan,
  createCampaign,
  plannedRequests,
  type CampaignCreation,
  type Step,
} from '../../operations/create-campaign.js';
import { openSession } from '../../operations/session.js';
import { CardlineError, EXIT, type ExitCode, UsageError } from '../../core/errors.js';
import { defineCommand } from '../command.js';
import { flagOption, requiredInstallation, textOption } from '../options/options.js';
import { type Terminal, note, print, printValue } from '../output/output.js';
import {
  dataSource,
  printRequests,
  type Arguments,
  argumentValue,
  textOf,
  wantsJson,
} from './run-action.js';
import { dryRun, EXIT_CODES, flagsOf, sentenceOf, jsonOutput } from './options.js';
import { explain } from '../output/explain.js';
import { rowsTable } from './table.js';

/** The assignment's own fields; the task is that of the new campaign. */
const assignmentFlags = flagsOf({
  operation: 'assignTask',
  flags: { groupId: 'assign', taskPriority: 'priority', userSelectionMode: 'mode' },
  examples: [],
}).filter(({ field }) => field.kind !== 'task');

const options = {
  ...requiredInstallation,
  file: textOption(
    'Fields of the campaign: a YAML or JSON file, or - for standard input. Required.',
    { demandOption: true },
  ),
  name: textOption("Name of the campaign. Default: the file's."),
  ...Object.fromEntries(
    assignmentFlags.map(({ name, field }) => [
      name,
      {
        ...textOption(assignmentHelp(name, sentenceOf(field))),
        ...(field.choices && { choices: field.choices }),
      },
    ]),
  ),
  start: flagOption('Start the campaign at once. Default: no.'),
  'dry-run': dryRun,
  json: jsonOutput,
};

function assignmentHelp(name: string, help: string): string {
  return name === 'assign'
    ? 'Assign the task of the campaign to the agent group of this id. Default: not assigned.'
    : `${help} Required with --assign.`;
}

const inWords = (steps: readonly Step[]): string => steps.map((step) => WORDS[step]).join(', ');

const WORDS: Readonly<Record<Step, string>> = {
  createCampaign: 'creation',
  campaignTask: 'lookup of its task',
  assignTask: 'assignment to the group',
  startCampaign: 'start',
};

/** Creates a campaign and shows its id, which the interface does not return; assigns and starts it in the same go. */
export const createCampaignCommand = defineCommand({
  usage: 'create',
  describe: 'Create a TM campaign.',
  epilogue: `The interface does not return the id of the new campaign, so the list is read before and after. Where a later step fails, the message says what was done.

${EXIT_CODES}`,
  options,
  examples: [
    ['$0 campaigns create -i center.yaml --file campaign.yaml', 'Create one and print its id.'],
    [
      '$0 campaigns create -i center.yaml --file campaign.yaml --assign 7 --priority 10 --mode BY_ROUND --preview-timeout 20 --start',
      'Assign its task to group 7 and start it.',
    ],
  ],
  run: runCreate,
});

async function runCreate(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const json = wantsJson(args, terminal);
  const session = await openSession({
    installation: textOf(args['installation']) ?? '',
    env: terminal.env,
    signal: terminal.signal,
  });
  try {
    const plan = await planOf(args, terminal);
    if (args['dryRun'] === true) {
      const requests = plannedRequests(plan, session.installation);
      await printRequests(requests, json, terminal);
      return EXIT.ok;
    }
    return await printCreation(await createCampaign(session.ask, plan), terminal, json);
  } finally {
    await session.close();
  }
}

async function planOf(args: Arguments, terminal: Terminal): Promise<CampaignPlan> {
  const source = await dataSource(textOf(args['file']) ?? '', '--file', terminal);
  const [assigning, campaign] = await Promise.allSettled([
    Promise.resolve(args).then(assignmentIn),
    readCampaign(source, textOf(args['name'])),
  ]);
  // What is wrong with the options and with the file is told together.
  if (assigning.status === 'rejected' && campaign.status === 'rejected')
    throw new UsageError([assigning, campaign].map(({ reason }) => messageOf(reason)).join('\n'));
  if (assigning.status === 'rejected') throw assigning.reason;
  if (campaign.status === 'rejected') throw campaign.reason;
  return { campaign: campaign.value, assignment: assigning.value, start: args['start'] === true };
}

/** The words of an error that the person can mend; any other is thrown on. */
function messageOf(error: unknown): string {
  if (error instanceof CardlineError && error.exitCode === EXIT.usage) return error.message;
  throw error;
}

function assignmentIn(args: Arguments): Assignment | undefined {
  const given = assignmentFlags.filter(({ name }) => args[name] !== undefined);
  const [first] = given;
  if (first === undefined) return undefined;
  if (args['assign'] === undefined) throw new UsageError(`--${first.name} belongs to --assign.`);
  return assignmentOf({
    values: Object.fromEntries(
      given.map(({ field, name }) => [field.name, argumentValue(args[name])]),
    ),
    labels: Object.fromEntries(assignmentFlags.map(({ field, name }) => [field.name, `--${name}`])),
  });
}

/** Prints what became of a campaign that was to be created. Resolves with the exit code. */
async function printCreation(
  creation: CampaignCreation,
  { stdout, stderr, env }: Terminal,
  json: boolean,
): Promise<ExitCode> {
  const { failure, ...known } = creation;
  if (json) await printValue(stdout, known);
  else await print(stdout, await creationTable(creation));
  if (failure === undefined) return EXIT.ok;
  const { exitCode, text } = explain(failure, Boolean(env['CARDLINE_DEBUG']));
  note(stderr, text);
  note(stderr, whatIsLeft(creation));
  // Without its id, what the person asked for is not there, whatever the reason.
  return creation.campaignId === undefined ? EXIT.stopped : exitCode;
}

function creationTable(creation: CampaignCreation): Promise<string> {
  const { name, campaignId, taskId, done, unknown, notDone } = creation;
  const rows = Object.entries({
    campaignId,
    name,
    taskId,
    done: inWords(done),
    'not known': inWords(unknown),
    'not done': inWords(notDone),
  });
  return rowsTable(
    rows
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([field, value]) => ({ field, value })),
  );
}

function whatIsLeft({ name, campaignId, unknown, notDone }: CampaignCreation): string {
  const id = campaignId === undefined ? '' : ` ${campaignId}`;
  return [
    `Campaign${id} "${name}" was created.`,
    unknown.length > 0 ? `Whether this was done is not known: ${inWords(unknown)}.` : '',
    notDone.length > 0 ? `This was not done: ${inWords(notDone)}.` : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
