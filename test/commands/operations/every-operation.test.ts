import { readFileSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { operations } from '../../../src/contract/operations.js';
import { wordsIn } from '../../kit/words.js';
import { CAMPAIGN, IDS, printedJson, TOKEN, useRecorder } from './harness.js';
import { isReading } from './recorder.js';

interface Good {
  readonly run: string;
  readonly sends: string;
  readonly body?: unknown;
  readonly asks?: true;
}

const STANDS_FOR: Record<string, unknown> = {
  IDENTIFIERS: { offerId: 7, offerDomain: 'shop' },
  CAMPAIGN,
};
const bench = useRecorder();
const good = parse(
  readFileSync(new URL('good.yaml', import.meta.url), 'utf8'),
  (_, value: unknown) => (typeof value === 'string' ? (STANDS_FOR[value] ?? value) : value),
) as readonly Good[];
const commands = good.map(({ run, sends, body, asks }) => {
  const [method = '', path = ''] = sends.split(' ');
  const args = wordsIn(run).flatMap((word) => (word === 'IDS' ? IDS : [word]));
  const request = { method, path, ...(body !== undefined && { body }) };
  return { name: args.slice(0, 2).join(' '), args, asks, request };
});

beforeEach(() => {
  bench.center.requests.length = 0;
});

it('every operation of the interface has its command', () => {
  const reached = Object.values(operations).filter(({ method, path }) => {
    const pattern = new RegExp(
      `^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '\\d+')}(\\?|$)`,
    );
    return commands.some(({ request }) => request.method === method && pattern.test(request.path));
  });
  expect([reached.length, good.length]).toEqual([24, 24]);
});

it.each(commands)(
  '$name sends the request of the operation, when it is told to',
  async ({ args, request, asks }) => {
    if (asks) {
      const unasked = await bench.runWith(args, {});
      expect(unasked).toMatchObject({ code: 64, stdout: '' });
      expect(unasked.stderr).toContain('give --yes');
      expect(bench.center.requests).toEqual([]);
    }
    const { code, stderr } = await bench.runWith([...args, ...(asks ? ['--yes'] : [])], {});
    // The recorder's list does not show a new campaign, which is told apart from success.
    expect({ code, stderr }, stderr).toEqual(
      request.path.endsWith('campaigns/progress.do')
        ? { code: 3, stderr: expect.stringContaining('its id is not known') as unknown }
        : { code: 0, stderr: '' },
    );
    expect(bench.center.requests).toContainEqual(request);
    expect(bench.center.requests.filter((one) => !isReading(one))).toEqual(
      isReading(request) ? [] : [request],
    );
  },
);

it.each(commands)(
  '$name --dry-run prints that request, and sends nothing that changes something',
  async ({ args, request: { path, ...request } }) => {
    const ended = await bench.runWith([...args, '--dry-run'], {});
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
    expect(printedJson(ended)).toEqual({ ...request, url: bench.center.url + path });
    expect(ended.stdout).not.toContain(TOKEN);
    // A name, or a task, is looked up; where there is neither, nothing is.
    const lookups = bench.center.requests.map((one) => one.path.split('?')[0]);
    const isByName = args.includes('Autumn leads');
    expect(lookups).toEqual([
      ...(isByName ? ['/api/v1/telemarketing/campaigns.do'] : []),
      ...(path.includes('/tasks/') ? ['/api/v1/telemarketing/campaigns/42/taskId.json'] : []),
    ]);
  },
);
