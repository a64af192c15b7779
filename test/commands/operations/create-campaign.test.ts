import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { words, wordsIn } from '../../kit/words.js';
import { CAMPAIGN, printedJson, useRecorder, useSandbox } from './harness.js';
import type { Recorded } from './recorder.js';
import { tablesIn } from '../../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'create-campaign.yaml') as {
  readonly file: string;
  readonly printed: string[];
  readonly misuse: [string, string][];
};

const CREATE = words`campaigns create --file campaign.yaml`;
const ASSIGN = words`--assign 7 --priority 10 --mode BY_ROUND --preview-timeout 20`;
const ALL_STEPS = ['createCampaign', 'campaignTask', 'assignTask', 'startCampaign'];

describe('campaigns create, with a sandbox', () => {
  const bench = useSandbox();

  it('tells the new id, also among others of the same name', async () => {
    for (const campaignId of [2, 3]) {
      const ended = await bench.runWith(CREATE, {});
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(printedJson(ended)).toMatchObject({ campaignId });
    }
    const list = printedJson(await bench.run`campaigns list`) as Record<string, unknown>[];
    const { weekDays, ...fields } = CAMPAIGN;
    expect(list[2]).toMatchObject({ id: 3, ...fields, weekDays: weekDays.split(',') });
  });

  it('assigns and starts it in the same go, under another name', async () => {
    expect(printedJson(await bench.run`${CREATE} --name Spring ${ASSIGN} --start`)).toEqual({
      ...{ name: 'Spring', campaignId: 4, taskId: 1_000_004 },
      ...{ done: ALL_STEPS, unknown: [], notDone: [] },
    });
    const shown = await bench.run`${CREATE} --no-json --start`;
    expect(shown.stdout).toMatch(/│ campaignId │ 5 +│/);
    expect(shown.stdout).toMatch(/│ done +│ creation, start +│/);
  });

  it('takes what "campaigns list" prints of a campaign, but for what it does not take', async () => {
    const list = printedJson(await bench.run`campaigns list --limit 1`) as object[];
    await bench.write('listed.json', JSON.stringify(list[0], null, 2));
    const refused = await bench.run`campaigns create --file listed.json`;
    expect(refused.code).toBe(64);
    expect(refused.stderr).toMatch(/^listed\.json:\d+:3: id: "id" is not known here\./m);
    const not = new Set(['id', 'ccProjectId', 'smsMessage']);
    const fields = Object.entries(list[0] ?? {}).filter(([name]) => !not.has(name));
    const created = await bench.runWith(words`campaigns create --file -`, {
      input: JSON.stringify(Object.fromEntries(fields)),
      env: { CARDLINE_TEST_TOKEN: 'x' },
    });
    expect(created.code, created.stderr).toBe(0);
  });
});

describe('a campaign file', () => {
  const bench = useRecorder();
  const faultsOf = async (text: string): Promise<string[]> => {
    const file = await bench.write('faulty.yaml', text);
    const { code, stdout, stderr } = await bench.run`campaigns create --file ${file}`;
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(bench.center.requests).toEqual([]);
    return stderr
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(`${file}:`, ''));
  };

  it('is checked whole, each fault with its line and column', async () => {
    expect(await faultsOf(CASES.file)).toEqual(CASES.printed);
  });

  it.each([
    ['OPERATOR', 'callingMode'],
    ['SMS', 'smsProviderId'],
    ['IVR', 'ivrScenarioId'],
  ])('for %s needs %s', async (type, field) => {
    const ids = 'callingSearchSpaceId: 1, callStatusRuleProcessorId: 1';
    expect(await faultsOf(`{ name: a, typeProcessing: ${type}, ${ids} }`)).toEqual([
      `1:1: ${field}: it is required when typeProcessing is ${type}.`,
    ]);
  });

  it('must be there, and hold keys and values', async () => {
    const missing = await bench.run`campaigns create --file none.yaml`;
    expect(missing.code).toBe(64);
    expect(missing.stderr).toContain('none.yaml: there is no such file.');
    expect(await faultsOf('[1]')).toEqual(['1:1: it must be keys and values.']);
  });
});

describe('campaigns create, when something goes wrong', () => {
  const bench = useRecorder();
  let campaigns: { id: number; name: string }[];
  /** What the list has more of once the campaign is created. */
  let appear: typeof campaigns;
  /** Misbehaves in place of answering a request of this kind. */
  let trouble: [(path: string) => boolean, (response: ServerResponse) => void] | undefined;
  let created: boolean;
  const isCreation = (path: string): boolean => path.endsWith('campaigns/progress.do');
  const isList = (path: string): boolean => path.includes('campaigns.do');
  const isAssignment = (path: string): boolean => path.includes('/groups/');

  beforeEach(() => {
    [campaigns, appear] = [[{ id: 1, name: 'Winter' }], [{ id: 5, name: 'Winter' }]];
    [trouble, created] = [undefined, false];
    bench.center.requests.length = 0;
    bench.center.behave = ({ path }: Recorded, response) => {
      if (isCreation(path)) {
        created = true;
        campaigns.push(...appear);
      }
      if (trouble?.[0](path)) trouble[1](response);
      else if (isList(path)) response.writeHead(200).end(JSON.stringify(campaigns));
      else return false;
      return true;
    };
  });
  const drop = (response: ServerResponse): void => void response.destroy();
  const refuse = (response: ServerResponse): void => {
    response.writeHead(400).end('{"errorMessage":"Not today"}');
  };
  const create = (...more: readonly string[]) => bench.run`${CREATE} ${more} --start`;

  it('a refused start is told with what was done', async () => {
    trouble = [(path) => path.endsWith('/5/progress.do'), refuse];
    const ended = await create(...ASSIGN);
    expect(ended).toMatchObject({
      code: 2,
      stderr: 'Not today\nCampaign 5 "Winter" was created. This was not done: start.\n',
    });
    expect(printedJson(ended)).toEqual({
      ...{ name: 'Winter', campaignId: 5, taskId: 4200 },
      ...{ done: ALL_STEPS.slice(0, 3), unknown: [], notDone: ['startCampaign'] },
    });
  });

  it('a lost answer to the assignment is unknown, is not sent again, and ends the rest', async () => {
    trouble = [isAssignment, drop];
    const ended = await create(...ASSIGN);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain(
      'Campaign 5 "Winter" was created. Whether this was done is not known: assignment to the group. This was not done: start.\n',
    );
    expect(printedJson(ended)).toMatchObject({
      ...{ unknown: ['assignTask'], notDone: ['startCampaign'] },
    });
    expect(bench.center.requests.filter(({ path }) => isAssignment(path))).toHaveLength(1);
  });

  it('of several new ones of the name none is guessed; one of another name is not taken for it', async () => {
    appear = [5, 6].map((id) => ({ id, name: 'Winter' }));
    const ended = await create();
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('2 new campaigns of this name appeared meanwhile (ids 5, 6)');
    expect(printedJson(ended)).toEqual({
      ...{ name: 'Winter', done: ['createCampaign'], unknown: [], notDone: ['startCampaign'] },
    });
    appear = [
      { id: 7, name: 'Other' },
      { id: 8, name: 'Winter' },
    ];
    expect(printedJson(await create())).toMatchObject({ campaignId: 8 });
  });

  it('a list that cannot be read afterwards leaves the id unknown', async () => {
    trouble = [(path) => isList(path) && created, drop];
    const ended = await create();
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('Campaign "Winter" was created. This was not done: start.\n');
    expect(printedJson(ended)).not.toHaveProperty('campaignId');
  });

  it('a list that cannot be read before keeps it from being created', async () => {
    trouble = [isList, refuse];
    expect(await create()).toEqual({ code: 2, stdout: '', stderr: 'Not today\n' });
    expect(created).toBe(false);
  });

  it('a lost answer to the creation is unknown, and is not sent again', async () => {
    trouble = [isCreation, drop];
    const { code, stdout, stderr } = await create();
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('Whether it took effect is not known');
    expect(bench.center.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });

  it('a dry run prints every request, with the ids that are not known yet left open', async () => {
    const base = `${bench.center.url}/api/v1`;
    const campaign = `${base}/telemarketing/campaigns/{campaignId}`;
    expect(printedJson(await create(...ASSIGN, '--dry-run'))).toEqual([
      { method: 'POST', url: `${base}/telemarketing/campaigns/progress.do`, body: CAMPAIGN },
      { method: 'GET', url: `${campaign}/taskId.json` },
      {
        method: 'POST',
        url: `${base}/groups/7/tasks/{taskId}/exec.do`,
        body: { taskPriority: 10, userSelectionMode: 'BY_ROUND', previewTimeout: 20 },
      },
      { method: 'POST', url: `${campaign}/progress.do` },
    ]);
    expect(bench.center.requests).toEqual([]);
    const shown = await create('--dry-run', '--no-json');
    expect(shown.stdout).toMatch(/^POST http.*progress\.do\n\{\n {2}"name": "Winter",/);
  });

  it.each(CASES.misuse)('%s is told before anything is sent', async (options, told) => {
    expect(await create(...wordsIn(options))).toMatchObject({ code: 64, stderr: `${told}\n` });
    expect(bench.center.requests).toEqual([]);
  });
});
