import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printed, startCardline } from '../kit/cardline.js';
import { words } from '../kit/words.js';
import { useFolder } from './folder.js';

const { at, read, run } = useFolder();
const ready = /^Sandbox listening on (http:\/\/127\.0\.0\.1:\d+)\n/;

async function start(database: string) {
  const args = words`sandbox -i center.yaml --port 0 --db ${database}`;
  const running = startCardline(args, { cwd: at() });
  const [, url = ''] = await printed(running, ready);
  return {
    url,
    /** Ends it well. */
    end: async (signal: 'SIGTERM' | 'SIGINT') => {
      running.child.kill(signal);
      expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
    },
  };
}
const campaigns = async (url: string): Promise<unknown> =>
  (await fetch(`${url}/api/v1/telemarketing/campaigns.do?limit=10`)).json();

describe('cardline sandbox', () => {
  it('answers, says so when its port is taken, ends well, and keeps what it holds in its file', async () => {
    const first = await start('kept.db');
    expect(await campaigns(first.url)).toEqual([]);
    const { port } = new URL(first.url);
    const second = await run`sandbox -i center.yaml --db :memory: --port ${port}`;
    expect(second).toMatchObject({ code: 64, stdout: '' });
    expect(second.stderr).toContain(port);
    const fields = { name: 'Autumn', typeProcessing: 'OPERATOR', callingMode: 'PROGRESSIVE_NEW' };
    const ids = { callingSearchSpaceId: 1, callStatusRuleProcessorId: 1 };
    const created = await fetch(`${first.url}/api/v1/telemarketing/campaigns/progress.do`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...fields, ...ids }),
    });
    expect(created.status).toBe(200);
    await first.end('SIGINT');
    const again = await start('kept.db');
    expect(await campaigns(again.url)).toMatchObject([{ name: 'Autumn' }]);
    await again.end('SIGTERM');
  });

  it('says so when there is no such address or installation', async () => {
    const options = words`--port 0 --db :memory:`;
    const elsewhere = await run`sandbox -i center.yaml --host 192.0.2.1 ${options}`;
    expect(elsewhere).toMatchObject({ code: 64, stdout: '' });
    const missing = await run`sandbox -i missing.yaml ${options}`;
    expect(missing.code).toBe(64);
    expect(missing.stderr).toContain('missing.yaml: there is no such file');
  });
});

it('the demo runs again and again, with rows of every kind, each of them accounted for', async () => {
  for (const _ of ['once', 'twice']) {
    const { code, stdout } = await run`demo`;
    expect(code).toBe(0);
    const [report = '', rejects = ''] = ['report {3}', 'rejects {2}'].map(
      (label) => new RegExp(`^${label}(.*)$`, 'm').exec(stdout)?.[1],
    );
    expect([existsSync(report), existsSync(rejects)]).toEqual([true, true]);
    const folder = dirname(report).slice(at().length + 1);
    const { rows, outcomes } = JSON.parse(await read(folder, 'summary.json')) as {
      rows: number;
      outcomes: Record<string, number>;
    };
    expect(rows).toBeGreaterThanOrEqual(1_000);
    expect(Object.values(outcomes).reduce((all, count) => all + count, 0)).toBe(rows);
    for (const kind of ['enqueued', 'enqueue_failed', 'failed', 'rejected', 'skipped'])
      expect(outcomes[kind], kind).toBeGreaterThan(0);
  }
});
