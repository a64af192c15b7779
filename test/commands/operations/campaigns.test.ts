import { beforeAll, describe, expect, it } from 'vitest';
import { printedJson, useSandbox } from './harness.js';

const bench = useSandbox();
const NAMES = Array.from({ length: 230 }, (_, index) => `Campaign ${index}`);

/** Over three pages of campaigns, made behind the back of the command line; the last two are twins. */
beforeAll(async () => {
  for (const name of [...NAMES, 'Twins', 'Twins', 'Far away']) {
    const response = await fetch(`${bench.center.url}/api/v1/telemarketing/campaigns/progress.do`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        name,
        typeProcessing: 'OPERATOR',
        callingMode: 'PROGRESSIVE_NEW',
        callingSearchSpaceId: 1,
        callStatusRuleProcessorId: 1,
      }),
    });
    expect(response.status).toBe(200);
  }
});

describe('the list of campaigns', () => {
  it('has all pages', async () => {
    const list = printedJson(await bench.run(['campaigns', 'list'])) as { id: number }[];
    expect(list).toHaveLength(234);
    expect(new Set(list.map(({ id }) => id)).size).toBe(234);
    expect(list[0]).toMatchObject({ name: 'Autumn leads', vindicationProcessingType: 'NONE' });
  });

  it.each([1, 100, 101, 1000])('is bounded by --limit %d', async (limit) => {
    const ended = await bench.run(['campaigns', 'list', '--limit', String(limit)]);
    expect(printedJson(ended)).toHaveLength(Math.min(limit, 234));
  });

  it('is a table for a person', async () => {
    const { code, stdout } = await bench.run(['campaigns', 'list', '--limit', '2', '--no-json']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/│ id │ name +│ typeProcessing │/);
    expect(stdout).toMatch(/│ 1 +│ Autumn leads │ OPERATOR +│ PROGRESSIVE_NEW │/);
    expect(stdout.trimEnd().split('\n')).toHaveLength(6);
  });
});

describe('a campaign by its name', () => {
  it('is found on the last page', async () => {
    const ended = await bench.run(['campaigns', 'task', 'Far away']);
    expect(printedJson(ended)).toEqual({ taskId: 1_000_234 });
    const started = await bench.run(['campaigns', 'start', 'Far away']);
    expect(printedJson(started)).toEqual({
      operation: 'startCampaign',
      done: true,
      campaignId: 234,
    });
  });

  it.each([
    [['campaigns', 'start', 'Far awya'], 'Did you mean "Far away"?'],
    [['campaigns', 'start', 'Twins'], '2 campaigns are named "Twins" (ids 232, 233); give the id.'],
    [['campaigns', 'stop', 'Nothing like it at all', '--yes'], 'and 221 more.'],
    [['campaigns', 'start', '0'], '<campaign>: an id is a whole number from 1, but got "0".'],
    [['campaigns', 'start', ' '], '<campaign>: takes the id or the name of a campaign.'],
  ])('%j is refused', async (args, told) => {
    const { code, stdout, stderr } = await bench.run(args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(told);
  });
});

it('what was done is said to a person in a sentence, and to a program as JSON', async () => {
  const stop = ['campaigns', 'stop', '1', '--yes'];
  expect(await bench.run([...stop, '--no-json'])).toEqual({
    code: 0,
    stdout: 'Done: stop a TM campaign (campaignId 1).\n',
    stderr: '',
  });
  expect(printedJson(await bench.run(stop))).toEqual({
    operation: 'stopCampaign',
    done: true,
    campaignId: 1,
  });
});

it('an empty list is said to be one', async () => {
  const client = {
    clientRoleId: 1,
    type: 'SIMPLE',
    timeZone: 'UTC',
    fields: { offerId: 1, offerDomain: 'shop', fullName: 'Ann' },
    phones: [{ phoneNumber: '79160000001', type: 'MOB' }],
  };
  await bench.run(['clients', 'add', '--data', JSON.stringify(client)]);
  const list = ['applications', 'list', '--id', 'offerId=1', '--id', 'offerDomain=shop'];
  expect((await bench.run([...list, '--no-json'])).stdout).toBe('There are none.\n');
  expect(printedJson(await bench.run(list))).toEqual([]);
});
