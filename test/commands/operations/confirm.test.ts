import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/run.js';
import type { Terminal } from '../../../src/cli/output/output.js';
import { TOKEN, useRecorder } from './harness.js';

const bench = useRecorder();

beforeEach(() => {
  bench.center.requests.length = 0;
});

const STOP = ['campaigns', 'stop', 'Autumn leads'];

/** A command line in which a person sits at the terminal. */
async function atTerminal(
  args: readonly string[],
  act: (stdin: PassThrough, stop: AbortController) => void,
  change: Partial<Terminal> = {},
) {
  const stop = new AbortController();
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const env = { CARDLINE_TEST_TOKEN: TOKEN };
  const terminal: Terminal = {
    ...{ stdin, stdout, stderr, env, interactive: true, columns: 80, signal: stop.signal },
    ...change,
  };
  stderr.on('data', (chunk: Buffer) => {
    if (String(chunk).includes('[y/N]')) act(stdin, stop);
  });
  const told = text(stderr);
  const code = await run(bench.args(args), terminal);
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await told };
}

const sent = (): string[] =>
  bench.center.requests.flatMap(({ method, path }) => (method === 'GET' ? [] : [path]));

describe('before something that cannot easily be undone', () => {
  it.each(['y\n', ' YES \n'])('a person who says %j goes on', async (answer) => {
    const { code, stdout, stderr } = await atTerminal(STOP, (stdin) => stdin.write(answer));
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Done: stop a TM campaign (campaignId 42).\n',
    });
    expect(stderr).toContain(`DELETE ${bench.center.url}/api/v1/telemarketing/campaigns/42/`);
    expect(sent()).toHaveLength(1);
  });

  it.each(['n\n', '\n', 'yesterday\n'])('one who says %j does not', async (answer) => {
    const { code, stdout, stderr } = await atTerminal(STOP, (stdin) => stdin.write(answer));
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/Nothing was done\.\n$/);
    expect(sent()).toEqual([]);
  });

  it('one who ends the input, or stops, does not', async () => {
    expect((await atTerminal(STOP, (stdin) => stdin.end())).code).toBe(3);
    const stopped = await atTerminal(STOP, (_stdin, stop) => stop.abort());
    expect(stopped.code).toBe(3);
    expect(stopped.stderr).toMatch(/Stopped\.\n$/);
    expect(sent()).toEqual([]);
  });

  it('one who gave --yes is not asked, nor one who only looks', async () => {
    const asked = await atTerminal([...STOP, '--yes'], () => expect.unreachable());
    expect(asked.code).toBe(0);
    const looked = await atTerminal([...STOP, '--dry-run'], () => expect.unreachable());
    expect(looked.stdout).toMatch(/^DELETE http/);
    expect(sent()).toHaveLength(1);
  });

  it('a faulty command is told without asking', async () => {
    const faulty = await atTerminal(['campaigns', 'stop', '0'], () => expect.unreachable());
    expect(faulty.code).toBe(64);
  });

  it('data from standard input leaves nobody to ask', async () => {
    const remove = ['applications', 'remove', '--campaign', '42', '--data', '-'];
    const { code, stderr } = await atTerminal(remove, () => expect.unreachable());
    expect(code).toBe(64);
    expect(stderr).toContain('give --yes');
    await sleep(0);
    expect(sent()).toEqual([]);
  });

  it('standard input that is no terminal does, too', async () => {
    const { code } = await atTerminal(STOP, () => expect.unreachable(), {
      stdin: new PassThrough(),
    });
    expect(code).toBe(64);
  });
});

describe('what is printed', () => {
  it('is a table on a terminal, and JSON with --json', async () => {
    const list = ['campaigns', 'list'];
    const table = await atTerminal(list, () => undefined);
    expect(table.stdout).toMatch(/│ 42 │ Autumn leads │/);
    const json = await atTerminal([...list, '--json'], () => undefined);
    expect(JSON.parse(json.stdout)).toMatchObject([{ id: 41 }, { id: 42 }]);
  });
});
