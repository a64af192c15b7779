import { beforeEach, describe, expect, it } from 'vitest';
import { words } from '../../kit/words.js';
import { type Person, runAt } from '../terminal.js';
import { TOKEN, useRecorder } from './harness.js';

const bench = useRecorder();
beforeEach(() => {
  bench.center.requests.length = 0;
});

const STOP = words`campaigns stop 'Autumn leads'`;

/** A command line with a person at its terminal, and whether that person was asked. */
async function atTerminal(args: readonly string[], types: readonly string[], person: Person = {}) {
  const env = { CARDLINE_TEST_TOKEN: TOKEN };
  const ended = await runAt(bench.args(args), { types, env, ...person });
  return { ...ended, isAsked: ended.stderr.includes('[y/N]') };
}

const sent = (): string[] =>
  bench.center.requests.flatMap(({ method, path }) => (method === 'GET' ? [] : [path]));

describe('before something that cannot easily be undone', () => {
  it.each(['y', ' YES '])('a person who says %j goes on', async (answer) => {
    const { code, stdout, stderr, isAsked } = await atTerminal(STOP, [answer]);
    expect({ code, stdout, isAsked }).toEqual({
      ...{ code: 0, stdout: 'Done: stop a TM campaign (campaignId 42).\n', isAsked: true },
    });
    expect(stderr).toContain(`DELETE ${bench.center.url}/api/v1/telemarketing/campaigns/42/`);
    expect(sent()).toHaveLength(1);
  });

  it.each([[['n']], [['']], [['yesterday']], [[]]])('one who types %j does not', async (types) => {
    const { code, stdout, stderr } = await atTerminal(STOP, types);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/Nothing was done\.\n$/);
    expect(sent()).toEqual([]);
  });

  it('one who stops does not', async () => {
    const stop = new AbortController();
    const onTold = (text: string): void => {
      if (text.includes('[y/N]')) stop.abort();
    };
    const stopped = await atTerminal(STOP, [], { onTold, signal: stop.signal });
    expect([stopped.code, stopped.stderr]).toEqual([3, expect.stringMatching(/Stopped\.\n$/)]);
    expect(sent()).toEqual([]);
  });

  it.each([
    ['gave --yes', [...STOP, '--yes'], 0],
    ['only looks', [...STOP, '--dry-run'], 0],
    ['makes a mistake', words`campaigns stop 0`, 64],
    ['gives data at standard input', words`applications remove --campaign 42 --data -`, 64],
  ])('one who %s is not asked', async (_, args, code) => {
    const ended = await atTerminal(args, ['y']);
    expect(ended).toMatchObject({ code, isAsked: false });
    expect(sent()).toHaveLength(args.includes('--yes') ? 1 : 0);
    if (args.includes('-')) expect(ended.stderr).toContain('give --yes');
  });
});

it('what is printed is a table on a terminal, and JSON with --json', async () => {
  const list = words`campaigns list`;
  expect((await atTerminal(list, [])).stdout).toMatch(/│ 42 │ Autumn leads │/);
  const { stdout } = await atTerminal([...list, '--json'], []);
  expect(JSON.parse(stdout)).toMatchObject([{ id: 41 }, { id: 42 }]);
});
