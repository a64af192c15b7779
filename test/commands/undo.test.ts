import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { run as runCommand } from '../../src/cli/run.js';
import { BUILT } from '../kit/on-terminal.js';
import { leadsFolder } from './leads-folder.js';

const { at, run } = leadsFolder({ 'leads.csv': 'Id;Phone\n1;79160000001\n2;79160000002\n' });

/** An undo at a terminal at which this is typed. */
async function undoAt(typed: string, ...more: string[]) {
  const built = (await import(BUILT)) as { run: typeof runCommand };
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [out, err] = [text(stdout), text(stderr)];
  stdin.end(typed);
  const { signal } = new AbortController();
  const argv = ['undo', '--ledger', at('cardline.db'), '--quiet', ...more];
  const terminal = { stdin, stdout, stderr, env: {}, interactive: true, columns: 80, signal };
  const code = await built.run(argv, terminal);
  stdout.end();
  stderr.end();
  return { code, out: await out, err: await err };
}

it('asks a person for the number of rows, and takes nothing else for a yes', async () => {
  const into = ['-i', 'center.yaml', '--sandbox', '--ledger', 'cardline.db'];
  const importing = ['import', 'leads.csv', '-m', 'mapping.yaml', ...into];
  expect(await run(...importing)).toMatchObject({ code: 0 });
  for (const typed of ['y\n', '3\n', '']) {
    const refused = await undoAt(typed, '--out', at(`no${typed.trim()}`));
    expect(refused.code).toBe(3);
    expect(refused.err).toContain('2 clients are deleted. Type 2 to go on:');
    expect(refused.err).toMatch(/Nothing was done\.\n$/);
  }
  const undone = await undoAt('2\n', '--out', at('undone'));
  expect(undone.code, undone.err).toBe(0);
  expect(undone.out).toMatch(/undone +2/);

  expect(await run(...importing, '--recovery')).toMatchObject({ code: 0 });
  const unasked = await undoAt('', '--yes', '--out', at('unasked'));
  expect(unasked.code, unasked.err).toBe(0);
  expect(unasked.err).not.toContain('Type');
});

it('takes nothing back without --yes where nobody can be asked, and says of which run', async () => {
  const importing = ['import', 'leads.csv', '-m', 'mapping.yaml', '-i', 'center.yaml'];
  await run(...importing, '--sandbox', '--ledger', 'piped.db', '--again');
  const refused = await run('undo', '--ledger', 'piped.db');
  expect(refused.code).toBe(64);
  expect(refused.stderr).toMatch(
    /run \d{8}-\d{6}-\w{4} of \d{4}-\d\d-\d\d \d\d:\d\d UTC: 2 clients are deleted\. Nobody can be asked .*--yes/,
  );
  const listed = await run('runs', '--json', '--ledger', 'piped.db');
  expect(JSON.parse(listed.stdout)).toHaveLength(1);
});
