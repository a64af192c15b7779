import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operations } from '../../../src/contract/operations.js';
import { CAMPAIGN_FILE, goodCommands } from './commands.js';
import { printedJson, TOKEN, useRecorder } from './harness.js';
import { isReading } from './recorder.js';

const bench = useRecorder();
const good = goodCommands('campaign.yaml');
const named = good.map((command) => ({ ...command, name: command.args.slice(0, 2).join(' ') }));

beforeAll(() => bench.write('campaign.yaml', CAMPAIGN_FILE));
beforeEach(() => {
  bench.center.requests.length = 0;
});

it('every operation of the interface has its command', () => {
  const patterns = Object.values(operations).map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '\\d+')}$`),
  }));
  const reached = patterns.filter(({ method, pattern }) =>
    good.some((one) => one.method === method && pattern.test(one.path.split('?')[0] ?? '')),
  );
  expect(reached).toHaveLength(24);
  expect(good).toHaveLength(24);
});

describe.each(named)('$name', ({ args, method, path, body, asks }) => {
  const request = { method, path, ...(body !== undefined && { body }) };

  it('sends the request of the operation', async () => {
    const { code, stderr } = await bench.run([...args, ...(asks ? ['--yes'] : [])]);
    // The recorder's list does not show a new campaign, which is told apart from success.
    expect({ code, stderr }, stderr).toEqual(
      path.endsWith('campaigns/progress.do')
        ? { code: 3, stderr: expect.stringContaining('its id is not known') as unknown }
        : { code: 0, stderr: '' },
    );
    expect(bench.center.requests).toContainEqual(request);
    expect(bench.center.requests.filter((one) => !isReading(one))).toEqual(
      isReading(request) ? [] : [request],
    );
  });

  it('--dry-run prints that request, and sends nothing that changes something', async () => {
    const ended = await bench.run([...args, '--dry-run']);
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
    expect(printedJson(ended)).toEqual({
      method,
      url: bench.center.url + path,
      ...(body !== undefined && { body }),
    });
    expect(ended.stdout).not.toContain(TOKEN);
    const lookups = bench.center.requests.map((one) => one.path.split('?')[0]);
    const permitted = [
      '/api/v1/telemarketing/campaigns.do',
      '/api/v1/telemarketing/campaigns/42/taskId.json',
    ];
    expect(permitted).toEqual(expect.arrayContaining(lookups));
  });
});

describe.each(named.filter(({ asks }) => asks))('$name', ({ args }) => {
  it('needs --yes where nobody can be asked', async () => {
    const { code, stdout, stderr } = await bench.run(args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain('give --yes');
    expect(bench.center.requests).toEqual([]);
  });
});

it('looks up nothing for a dry run where there is nothing to look up', async () => {
  await bench.run(['campaigns', 'start', '42', '--dry-run']);
  await bench.run(['campaigns', 'list', '--dry-run']);
  expect(bench.center.requests).toEqual([]);
});
