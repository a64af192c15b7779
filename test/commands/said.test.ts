import { expect, it } from 'vitest';
import { leadsFolder } from './leads-folder.js';

const { run } = leadsFolder({
  'leads.csv': 'Id,Phone\n1,79160000001\n2,79160000002\n',
  'others.csv': 'Id,Phone\n3,79160000003\n',
});

const mapped = (file: string): string[] => [file, '-m', 'mapping.yaml', '-i', 'center.yaml'];
const inSandbox = (command: string, file: string, ...more: string[]) =>
  run(command, ...mapped(file), '--sandbox', ...more);

it('advises to compare, not to correct, where all clients are there already', async () => {
  expect((await inSandbox('import', 'leads.csv')).code).toBe(0);
  const again = await inSandbox('import', 'leads.csv', '--again');
  expect(again.code, again.stderr).toBe(2);
  expect(again.stdout).toMatch(/already exists/);
  const next = 'cardline reconcile leads.csv -m mapping.yaml -i center.yaml --sandbox';
  expect(again.stdout).toContain(
    `Next: all rows that failed are there already: see what differs:\n  ${next}`,
  );
  expect(again.stdout).not.toContain('orrect the rows');
  expect((await inSandbox('reconcile', 'leads.csv')).code).toBe(0);
});

it('says where a run in a sandbox was', async () => {
  const shown = await run('runs', 'show');
  expect(shown.stdout).toContain('test played by a sandbox, clients identified by offerId');
  expect(shown.stdout).not.toContain('another address');
});

it('leaves no word out of its own reasons where the output is kept', async () => {
  const compared = await inSandbox('reconcile', 'others.csv', '-o', 'compared');
  expect(compared.code, compared.stderr).toBe(2);
  expect(compared.stdout).toContain('missing: There is no card with these identifiers.');
});

it('says of a comparison that stopped that rows are to be compared', async () => {
  const ledger = ['--ledger', 'stopped.db'];
  const out = ['-o', 'stopped', '--give-up-after', '1s'];
  const stopped = await run('reconcile', ...mapped('leads.csv'), ...ledger, ...out);
  expect(stopped.code, stopped.stderr).toBe(3);
  expect(stopped.stdout).toMatch(/^ +waiting +2 +continue the run to have them compared$/m);
  const shown = await run('runs', 'show', ...ledger);
  expect(shown.stdout).toMatch(/^waiting +2 rows are yet to be compared$/m);
  const report = await run('report', ...ledger, '--format', 'text');
  expect(report.stdout).toContain('rows that are yet to be compared are not counted');
  expect(stopped.stdout + stopped.stderr + shown.stdout + report.stdout).not.toMatch(/\bsen[dt]\b/);
});

it('says of an undo that is given twice when it was done', async () => {
  await inSandbox('import', 'others.csv', '--ledger', 'undone.db', '-o', 'undone');
  const undo = ['undo', '--yes', '--ledger', 'undone.db'];
  expect((await run(...undo)).code).toBe(0);
  expect((await run(...undo)).stderr).toMatch(
    /^The run was taken back already, by run \S+ on \d{4}-\d\d-\d\d \d\d:\d\d UTC; nothing was done\. Its counts:$/m,
  );
});
