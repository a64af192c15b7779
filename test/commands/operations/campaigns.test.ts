import { beforeAll, describe, expect, it } from 'vitest';
import { wordsIn } from '../../kit/words.js';
import { clientOf, printedJson, useSandbox } from './harness.js';

const bench = useSandbox();
const NAMES = Array.from({ length: 230 }, (_, index) => `Campaign ${index}`);

/** Over three pages of campaigns, made behind the back of the command line; the last two are twins. */
beforeAll(async () => {
  for (const name of [...NAMES, 'Twins', 'Twins', 'Far away']) {
    const fields = { typeProcessing: 'OPERATOR', callingMode: 'PROGRESSIVE_NEW' };
    const ids = { callingSearchSpaceId: 1, callStatusRuleProcessorId: 1 };
    const response = await fetch(`${bench.center.url}/api/v1/telemarketing/campaigns/progress.do`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, ...fields, ...ids }),
    });
    expect(response.status).toBe(200);
  }
});

describe('the list of campaigns', () => {
  it('has all pages', async () => {
    const list = printedJson(await bench.run`campaigns list`) as { id: number }[];
    expect(list).toHaveLength(234);
    expect(new Set(list.map(({ id }) => id)).size).toBe(234);
    expect(list[0]).toMatchObject({ name: 'Autumn leads', vindicationProcessingType: 'NONE' });
  });

  it.each([1, 100, 101, 1000])('is bounded by --limit %d', async (limit) => {
    const ended = await bench.run`campaigns list --limit ${limit}`;
    expect(printedJson(ended)).toHaveLength(Math.min(limit, 234));
  });

  it('is a table for a person', async () => {
    const { code, stdout } = await bench.run`campaigns list --limit 2 --no-json`;
    expect(code).toBe(0);
    expect(stdout).toMatch(/│ id │ name +│ typeProcessing │/);
    expect(stdout).toMatch(/│ 1 +│ Autumn leads │ OPERATOR +│ PROGRESSIVE_NEW │/);
    expect(stdout.trimEnd().split('\n')).toHaveLength(6);
  });
});

describe('a campaign by its name', () => {
  it('is found on the last page', async () => {
    expect(printedJson(await bench.run`campaigns task 'Far away'`)).toEqual({ taskId: 1_000_234 });
    expect(printedJson(await bench.run`campaigns start 'Far away'`)).toMatchObject({
      campaignId: 234,
    });
  });

  it.each([
    ["campaigns start 'Far awya'", 'Did you mean "Far away"?'],
    ['campaigns start Twins', '2 campaigns are named "Twins" (ids 232, 233); give the id.'],
    ["campaigns stop 'Nothing like it at all' --yes", 'and 221 more.'],
    ['campaigns start 0', '<campaign>: an id is a whole number from 1, but got "0".'],
    ["campaigns start ' '", '<campaign>: takes the id or the name of a campaign.'],
  ])('%s is refused', async (line, told) => {
    const { code, stdout, stderr } = await bench.runWith(wordsIn(line), {});
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(told);
  });
});

it('what was done is said to a person in a sentence, and to a program as JSON', async () => {
  expect(await bench.run`campaigns stop 1 --yes --no-json`).toEqual({
    ...{ code: 0, stdout: 'Done: stop a TM campaign (campaignId 1).\n', stderr: '' },
  });
  expect(printedJson(await bench.run`campaigns stop 1 --yes`)).toEqual({
    ...{ operation: 'stopCampaign', done: true, campaignId: 1 },
  });
});

it('an empty list is said to be one', async () => {
  await bench.run`clients add --data ${JSON.stringify(clientOf(1))}`;
  const list = wordsIn('applications list --id offerId=1 --id offerDomain=shop');
  expect((await bench.run`${list} --no-json`).stdout).toBe('There are none.\n');
  expect(printedJson(await bench.runWith(list, {}))).toEqual([]);
});
