import { beforeAll, describe, expect, it } from 'vitest';
import { expectOk, expectRefusal, useCenter } from './center.js';
import { type Listed, operatorCampaign, paths } from './made.js';

const center = useCenter();
const page = async (limit: number, offset?: number) => {
  const path =
    offset === undefined
      ? `/api/v1/telemarketing/campaigns.do?limit=${limit}`
      : paths.list(limit, offset);
  const { status, body, text } = await center.send('GET', path);
  expect(status, text).toBe(200);
  return (body as Listed[]).map(({ id }) => id);
};

describe('4.19 lists campaigns in pages', () => {
  const many = 103;
  beforeAll(async () => {
    expect(await page(10)).toEqual([]);
    for (let n = 0; n < many; n++) {
      expectOk(await center.send('POST', paths.campaigns, operatorCampaign({ name: 'same name' })));
    }
  });

  it('of at most limit campaigns', async () => {
    expect(await page(1)).toHaveLength(1);
    expect(await page(7)).toHaveLength(7);
    expect(await page(100)).toHaveLength(100);
  });

  it('which join without gaps and repeats', async () => {
    const all = [...(await page(100, 0)), ...(await page(100, 100))];
    expect(all).toHaveLength(many);
    expect(new Set(all).size).toBe(many);
    expect([...(await page(3, 0)), ...(await page(3, 3))]).toEqual(all.slice(0, 6));
  });

  it('which are empty past the end', async () => {
    expect(await page(10, many)).toEqual([]);
    expect(await page(10, 100_000)).toEqual([]);
  });

  it('from the start where offset is left out', async () => {
    expect(await page(5)).toEqual(await page(5, 0));
  });

  it.each(['101', '1000', '-1', 'abc', '', '1.5'])('refuses the limit %j', async (limit) => {
    expectRefusal(await center.send('GET', paths.list(limit)));
  });

  it('refuses a list without limit', async () => {
    expectRefusal(await center.send('GET', '/api/v1/telemarketing/campaigns.do'));
    expectRefusal(await center.send('GET', '/api/v1/telemarketing/campaigns.do?offset=0'));
  });

  it.each(['-1', 'abc'])('refuses the offset %j', async (offset) => {
    expectRefusal(await center.send('GET', paths.list(10, offset)));
  });
});
