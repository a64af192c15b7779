import type { ServerResponse } from 'node:http';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CAMPAIGN, CAMPAIGN_FILE } from './commands.js';
import { printedJson, useRecorder, useSandbox } from './harness.js';
import type { Recorded } from './recorder.js';

const CREATE = ['campaigns', 'create', '--file', 'campaign.yaml'];
const ASSIGN = [
  ...['--assign', '7', '--priority', '10', '--mode', 'BY_ROUND', '--preview-timeout', '20'],
];
const ALL_STEPS = ['createCampaign', 'campaignTask', 'assignTask', 'startCampaign'];

describe('campaigns create, with a sandbox', () => {
  const bench = useSandbox();
  beforeAll(() => bench.write('campaign.yaml', CAMPAIGN_FILE));

  it('tells the new id, also among others of the same name', async () => {
    const ids = [];
    for (const _time of [1, 2]) {
      const { code, stdout, stderr } = await bench.run(CREATE);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      ids.push((JSON.parse(stdout) as { campaignId: number }).campaignId);
    }
    expect(ids).toEqual([2, 3]);
    const list = printedJson(await bench.run(['campaigns', 'list'])) as Record<string, unknown>[];
    const { weekDays, ...fields } = CAMPAIGN;
    expect(list[2]).toMatchObject({ id: 3, ...fields, weekDays: weekDays.split(',') });
  });

  it('assigns and starts it in the same go, under another name', async () => {
    const ended = await bench.run([...CREATE, '--name', 'Spring', ...ASSIGN, '--start']);
    expect(printedJson(ended)).toEqual({
      name: 'Spring',
      campaignId: 4,
      taskId: 1_000_004,
      done: ALL_STEPS,
      unknown: [],
      notDone: [],
    });
    const shown = await bench.run([...CREATE, '--no-json', '--start']);
    expect(shown.stdout).toMatch(/│ campaignId │ 5 +│/);
    expect(shown.stdout).toMatch(/│ done +│ creation, start +│/);
  });

  it('takes what "campaigns list" prints of a campaign, but for what it does not take', async () => {
    const [listed] = printedJson(await bench.run(['campaigns', 'list', '--limit', '1'])) as Record<
      string,
      unknown
    >[];
    await bench.write('listed.json', JSON.stringify(listed, null, 2));
    const refused = await bench.run(['campaigns', 'create', '--file', 'listed.json']);
    expect(refused.code).toBe(64);
    expect(refused.stderr).toMatch(/^listed\.json:\d+:3: id: "id" is not known here\./m);
    const { id: _id, ccProjectId: _project, smsMessage: _message, ...fields } = listed!;
    const input = JSON.stringify(fields);
    const created = await bench.run(['campaigns', 'create', '--file', '-'], {
      input,
      env: { CARDLINE_TEST_TOKEN: 'x' },
    });
    expect(created.code, created.stderr).toBe(0);
  });
});

describe('a campaign file', () => {
  const bench = useRecorder();
  const faultsOf = async (text: string): Promise<string[]> => {
    await bench.write('faulty.yaml', text);
    const file = bench.at('faulty.yaml');
    const { code, stdout, stderr } = await bench.run(['campaigns', 'create', '--file', file]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(bench.center.requests).toEqual([]);
    return stderr
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(`${file}:`, ''));
  };

  it('is checked whole, each fault with its line and column', async () => {
    expect(
      await faultsOf(`name: ' '
typeProcesing: IVR
typeProcessing: SMS
callingSearchSpaceId: one
startDate: 2026-13-01
endDate: 2026-02-30
startTime: 9:00
automaticStart: maybe
limitTimeCalls: true
weekDays: Mon, Tuesday
vindicationProcessingType: none
`),
    ).toEqual([
      '1:1: callStatusRuleProcessorId: this is required. Add a number.',
      '1:1: smsProviderId: it is required when typeProcessing is SMS.',
      '1:1: startCallsTime: it is required when limitTimeCalls is true.',
      '1:1: endCallsTime: it is required when limitTimeCalls is true.',
      '1:7: name: it must not be blank.',
      '2:1: typeProcesing: "typeProcesing" is not known here. Did you mean "typeProcessing"?',
      '4:23: callingSearchSpaceId: it must be a number.',
      '5:12: startDate: it is not a date of the calendar.',
      '6:10: endDate: it is not a date of the calendar.',
      '7:12: startTime: it must be a time like HH:MM.',
      '8:17: automaticStart: it must be true or false.',
      '10:11: weekDays: it must be day names of Mon, Tue, Wed, Thu, Fri, Sat, Sun with commas between.',
      '11:28: vindicationProcessingType: it must be one of NONE, PRE_VINDICATION, VINDICATION. Did you mean "NONE"?',
    ]);
  });

  it.each([
    ['OPERATOR', 'callingMode'],
    ['SMS', 'smsProviderId'],
    ['IVR', 'ivrScenarioId'],
  ])('for %s needs %s', async (typeProcessing, field) => {
    expect(
      await faultsOf(
        `{ name: a, typeProcessing: ${typeProcessing}, callingSearchSpaceId: 1, callStatusRuleProcessorId: 1 }`,
      ),
    ).toEqual([`1:1: ${field}: it is required when typeProcessing is ${typeProcessing}.`]);
  });

  it('must be there, and hold keys and values', async () => {
    const missing = await bench.run(['campaigns', 'create', '--file', 'none.yaml']);
    expect(missing.code).toBe(64);
    expect(missing.stderr).toContain('none.yaml: there is no such file.');
    expect(await faultsOf('[1]')).toEqual(['1:1: it must be keys and values.']);
  });
});

describe('campaigns create, when something goes wrong', () => {
  const bench = useRecorder();
  let campaigns: { id: number; name: string }[];
  let onCreate: () => void;
  /** Misbehaves in place of answering a request of this kind. */
  let trouble: [(request: Recorded) => boolean, (response: ServerResponse) => void] | undefined;
  let created: boolean;

  beforeAll(() => bench.write('campaign.yaml', CAMPAIGN_FILE));
  beforeEach(() => {
    campaigns = [{ id: 1, name: 'Winter' }];
    onCreate = () => campaigns.push({ id: 5, name: 'Winter' });
    trouble = undefined;
    created = false;
    bench.center.requests.length = 0;
    bench.center.behave = (request, response) => {
      if (request.path.endsWith('campaigns/progress.do')) {
        created = true;
        onCreate();
      }
      if (trouble?.[0](request)) {
        trouble[1](response);
        return true;
      }
      if (!request.path.includes('campaigns.do')) return false;
      response.writeHead(200).end(JSON.stringify(campaigns));
      return true;
    };
  });
  const drop = (response: ServerResponse): void => void response.destroy();
  const refuse = (response: ServerResponse): void => {
    response.writeHead(400).end('{"errorMessage":"Not today"}');
  };

  it('a refused start is told with what was done', async () => {
    trouble = [({ path }) => path.endsWith('/5/progress.do'), refuse];
    const ended = await bench.run([...CREATE, ...ASSIGN, '--start']);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toBe(
      'Not today\nCampaign 5 "Winter" was created. This was not done: start.\n',
    );
    expect(printedJson(ended)).toEqual({
      name: 'Winter',
      campaignId: 5,
      taskId: 4200,
      done: ALL_STEPS.slice(0, 3),
      unknown: [],
      notDone: ['startCampaign'],
    });
  });

  it('a lost answer to the assignment is unknown, is not sent again, and ends the rest', async () => {
    trouble = [({ path }) => path.includes('/groups/'), drop];
    const ended = await bench.run([...CREATE, ...ASSIGN, '--start']);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain(
      'Campaign 5 "Winter" was created. Whether this was done is not known: assignment to the group. This was not done: start.\n',
    );
    expect(printedJson(ended)).toMatchObject({
      unknown: ['assignTask'],
      notDone: ['startCampaign'],
    });
    const assigned = bench.center.requests.filter(({ path }) => path.includes('/groups/'));
    expect(assigned).toHaveLength(1);
  });

  it('of several new ones of the name none is guessed', async () => {
    onCreate = () => campaigns.push({ id: 5, name: 'Winter' }, { id: 6, name: 'Winter' });
    const ended = await bench.run([...CREATE, '--start']);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('2 new campaigns of this name appeared meanwhile (ids 5, 6)');
    expect(printedJson(ended)).toEqual({
      name: 'Winter',
      done: ['createCampaign'],
      unknown: [],
      notDone: ['startCampaign'],
    });
  });

  it('another new campaign of another name is not taken for it', async () => {
    onCreate = () => campaigns.push({ id: 5, name: 'Other' }, { id: 6, name: 'Winter' });
    expect(printedJson(await bench.run(CREATE))).toMatchObject({ campaignId: 6 });
  });

  it('a list that cannot be read afterwards leaves the id unknown', async () => {
    trouble = [({ path }) => path.includes('campaigns.do') && created, drop];
    const ended = await bench.run([...CREATE, '--start']);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('Campaign "Winter" was created. This was not done: start.\n');
    expect(printedJson(ended)).not.toHaveProperty('campaignId');
  });

  it('a list that cannot be read before keeps it from being created', async () => {
    trouble = [({ path }) => path.includes('campaigns.do'), refuse];
    expect(await bench.run(CREATE)).toEqual({ code: 2, stdout: '', stderr: 'Not today\n' });
    expect(created).toBe(false);
  });

  it('a lost answer to the creation is unknown, and is not sent again', async () => {
    trouble = [({ path }) => path.endsWith('campaigns/progress.do'), drop];
    const { code, stdout, stderr } = await bench.run([...CREATE, '--start']);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('Whether it took effect is not known');
    expect(bench.center.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });

  it('a dry run prints every request, with the ids that are not known yet left open', async () => {
    const ended = await bench.run([...CREATE, ...ASSIGN, '--start', '--dry-run']);
    const base = `${bench.center.url}/api/v1`;
    const campaign = `${base}/telemarketing/campaigns/{campaignId}`;
    expect(printedJson(ended)).toEqual([
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
    const shown = await bench.run([...CREATE, '--dry-run', '--no-json']);
    expect(shown.stdout).toMatch(/^POST http.*progress\.do\n\{\n {2}"name": "Winter",/);
  });

  it.each([
    [['--priority', '1'], '--priority belongs to --assign.'],
    [
      ['--assign', '7', '--mode', 'BY_ROUND'],
      '--priority: it is required.\n--preview-timeout: it is required.',
    ],
    [['--assign', 'seven', ...ASSIGN.slice(2)], '--assign: takes a whole number, but got "seven".'],
  ])('%j is told before anything is sent', async (args, told) => {
    const { code, stderr } = await bench.run([...CREATE, ...args]);
    expect(code).toBe(64);
    expect(stderr).toBe(`${told}\n`);
    expect(bench.center.requests).toEqual([]);
  });
});
