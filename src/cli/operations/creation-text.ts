import type { CampaignCreation, Step } from '../../operations/create-campaign.js';
import { EXIT, type ExitCode } from '../../core/errors.js';
import { explain } from '../output/explain.js';
import { note, print, printJson } from '../output/output.js';
import type { Terminal } from '../output/terminal.js';
import { rowsTable } from './table.js';

const WORDS: Readonly<Record<Step, string>> = {
  createCampaign: 'creation',
  campaignTask: 'lookup of its task',
  assignTask: 'assignment to the group',
  startCampaign: 'start',
};

/** Prints what became of a campaign that was to be created. Resolves with the exit code. */
export async function printCreation(
  creation: CampaignCreation,
  { stdout, stderr, env }: Terminal,
  json: boolean,
): Promise<ExitCode> {
  const { failure, ...known } = creation;
  if (json) await printJson(stdout, `${JSON.stringify(known, null, 2)}\n`);
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

const inWords = (steps: readonly Step[]): string => steps.map((step) => WORDS[step]).join(', ');
