import { chmod } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { run as runCommand } from '../../src/cli/run.js';
import { BUILT } from '../kit/on-terminal.js';
import { words } from '../kit/words.js';
import { leadsFrom, useFolder } from './folder.js';
import { runAt } from './terminal.js';

const { at, read, write, run, runWith, json, onTerminal } = useFolder({
  'one.csv': leadsFrom(1, 1),
  'leads.csv': leadsFrom(2, 3),
});
const into = (ledger: string): string[] =>
  words`-m mapping.yaml -i center.yaml --sandbox --ledger ${ledger}.db`;
const NEXT = /^(?:Next: | {2})cardline (.*)$/m;
const proposed = (stdout: string): string[] => (NEXT.exec(stdout)?.[1] ?? '').split(' ');
const listed = (ledger: string) =>
  json<
    { run: string; mode: string; rows: number; out: string }[]
  >`runs --json --ledger ${ledger}.db`;

it('an undo asks a person for the number of rows, and takes nothing else for a yes', async () => {
  const { run: built } = (await import(BUILT)) as { run: typeof runCommand };
  const undo = words`undo --ledger ${at('asked.db')} --quiet --out`;
  expect(await run`import leads.csv ${into('asked')}`).toMatchObject({ code: 0 });
  for (const types of [['y'], ['3'], []]) {
    const refused = await runAt([...undo, at(`no${types[0]}`)], { types }, built);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('2 clients are deleted. Type 2 to go on:');
    expect(refused.stderr).toMatch(/Nothing was done\.\n$/);
  }
  const undone = await runAt([...undo, at('undone')], { types: ['2'] }, built);
  expect(undone.code, undone.stderr).toBe(0);
  expect(undone.stdout).toMatch(/undone +2/);

  expect(await run`import leads.csv ${into('asked')} --recovery`).toMatchObject({ code: 0 });
  const unasked = await runAt([...undo, at('unasked'), '--yes'], { types: [] }, built);
  expect(unasked.code, unasked.stderr).toBe(0);
  expect(unasked.stderr).not.toContain('Type');
});

it('it takes nothing back without --yes where nobody can be asked, and says of which run', async () => {
  await run`import leads.csv ${into('piped')}`;
  const refused = await run`undo --ledger piped.db`;
  expect(refused.code).toBe(64);
  expect(refused.stderr).toMatch(
    /run \d{8}-\d{6}-\w{4} of \d{4}-\d\d-\d\d \d\d:\d\d UTC: 2 clients are deleted\. Nobody can be asked .*--yes/,
  );
  expect(await listed('piped')).toHaveLength(1);
});

it('clients that the contact center keeps as deleted are restored by the commands that name them', async () => {
  const importing = words`import leads.csv ${into('kept')}`;
  expect(await run`${importing}`).toMatchObject({ code: 0 });
  const undone = await run`undo --yes --ledger kept.db`;
  expect(undone.code, undone.stderr).toBe(0);
  const sent = proposed(undone.stdout);
  expect(sent).toContain('--recovery');

  const failed = await run`${importing}`;
  expect(failed.code).toBe(2);
  const reason = 'failed: Client with identifiers: […] is deleted; recovery restores it';
  expect(failed.stdout).toContain(reason);
  expect(failed.stdout).toMatch(/2 {2}failed: /);
  expect(new Set(proposed(failed.stdout))).toEqual(new Set([...importing, '--recovery']));
  // On a terminal without the identifiers in which the rows differ.
  const { stdout } = await onTerminal`${importing} --again --out again`;
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('2 failed: Client with identifiers: […] is');
  expect(proposed(stdout)).toContain('--recovery');

  const restored = await run`${sent}`;
  expect(restored.code, restored.stderr).toBe(0);
  expect(restored.stdout).toMatch(/created +2/);
});

/** Two imports, of which the second is the latest. */
describe('where no run is named, the latest is meant', () => {
  const ledger = words`--ledger latest.db`;
  const env = (path: string) => ({ env: { PATH: at(path) } });

  it('by what shows and reports runs', async () => {
    for (const file of ['one.csv', 'leads.csv'])
      expect((await run`import ${file} ${into('latest')} -q`).code).toBe(0);
    const [latest] = await listed('latest');
    expect(latest?.rows).toBe(2);
    const shown = await run`runs show ${ledger}`;
    expect(shown.stdout).toMatch(new RegExp(`^run +${latest!.run}$`, 'm'));
    expect(shown.stdout).toContain('test played by a sandbox, clients identified by offerId');
    expect(shown.stdout).not.toContain('another address');
    const report = await run`report ${ledger}`;
    expect(report).toMatchObject({ code: 0, stderr: `Run ${latest!.run}, the latest.\n` });
    expect(report.stdout).toBe(await read('runs', latest!.run, 'report.csv'));
  });

  it.skipIf(['win32', 'darwin'].includes(process.platform))(
    'by what opens the page of the report, or says where it is where there is no browser',
    async () => {
      const opener = `#!/bin/sh\nprintf %s "$1" > '${at('opened')}'\n`;
      await chmod(await write('bin/xdg-open', opener), 0o755);
      const opened = await runWith(env('bin'))`report --open ${ledger}`;
      expect(opened.code, opened.stderr).toBe(0);
      const page = await read('opened');
      expect(opened.stdout).toBe(`${page}\n`);
      expect(dirname(page)).toBe((await listed('latest'))[0]?.out);
      const none = await runWith(env('nothing'))`report --open ${ledger}`;
      expect(none.code).toBe(64);
      expect(none.stderr).toContain(`Open ${none.stdout.trim()} yourself`);
    },
  );

  it('by what takes back, and not the one before when it is asked again', async () => {
    const [latest, first] = await listed('latest');
    const undone = await run`undo --yes -q --json ${ledger}`;
    expect(undone.code, undone.stderr).toBe(0);
    const told = `latest run that an undo is for: ${latest!.run} of `;
    expect(undone.stderr).toContain(told);
    expect(JSON.parse(undone.stdout)).toMatchObject({ rows: 2, outcomes: { undone: 2 } });
    const again = await run`undo --yes ${ledger}`;
    expect(again.stderr).toContain(told);
    expect(again.stderr).toMatch(
      /^The run was taken back already, by run \S+ on \d{4}-\d\d-\d\d \d\d:\d\d UTC; nothing was done\. Its counts:$/m,
    );
    expect((await listed('latest')).map(({ mode }) => mode)).toEqual(['undo', 'create', 'create']);
    expect((await run`undo ${first!.run} --yes -q ${ledger}`).code).toBe(0);
  });

  it('which is said where there is none', async () => {
    const empty = await run`report`;
    expect(empty.code).toBe(64);
    expect(empty.stderr).toContain('--ledger');
  });
});
