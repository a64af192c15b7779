import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardline } from '../helpers/cardline.js';
import {
  PASSWORD,
  POSTGRES,
  type PostgresServer,
  startPostgres,
  WITHOUT,
} from '../helpers/postgres.js';

const MAPPING = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields: { offerId: Id }
  phones: [{ column: Phone, type: MOB }]
`;
const CENTER = `name: demo
baseUrl: http://127.0.0.1:8080
card: { offerId: { type: Number, sync: true } }
clientRoles: [1]
`;

describe.skipIf(POSTGRES === undefined)(`--ledger postgres://…${WITHOUT}`, () => {
  let folder: string;
  let server: PostgresServer;
  let ledger: string;
  const at = (name: string): string => join(folder, name);
  const run = (...words: readonly string[]) =>
    cardline([...words, '--ledger', ledger], { cwd: folder });
  const imported = (...words: readonly string[]) =>
    run(
      'import',
      'leads.csv',
      '-m',
      'mapping.yaml',
      '-i',
      'center.yaml',
      '--sandbox',
      '--yes',
      ...words,
    );

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cardline-cli-pg-'));
    server = await startPostgres();
    ledger = await server.database();
    writeFileSync(at('mapping.yaml'), MAPPING);
    writeFileSync(at('center.yaml'), CENTER);
    writeFileSync(at('leads.csv'), 'Id,Phone\n1,79160000001\n2,79160000002\nx,79160000003\n');
  }, 60_000);
  afterAll(() => {
    server.remove();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  it('imports, lists, reports and takes back, as with a ledger in a file', async () => {
    const first = await imported('--out', at('out'));
    expect(first.code, first.stderr).toBe(2);
    expect(readFileSync(at('out/report.csv'), 'utf8').split('\n')).toHaveLength(5);
    const again = await imported();
    expect(again.stdout + again.stderr).toMatch(/already/);
    const runs = await run('runs', '--json');
    const [found] = JSON.parse(runs.stdout) as { run: string; state: string; rows: number }[];
    expect(found).toMatchObject({ state: 'finished', rows: 3 });
    const report = await run('report', found?.run ?? '', '--format', 'csv');
    expect(report.stdout).toBe(readFileSync(at('out/report.csv'), 'utf8'));
    const undo = await run('undo', found?.run ?? '');
    expect(undo.stdout, undo.stderr).toMatch(/undone/);
    const nothing = await run('resume');
    expect(nothing.stderr).toMatch(/nothing to resume/);
    for (const { stdout, stderr } of [first, again, runs, report, undo, nothing])
      expect(stdout + stderr).not.toContain(PASSWORD);
  }, 120_000);

  it('is refused where the database is not there, before anything is begun', async () => {
    const [before, name] = [ledger, new URL(ledger)];
    name.pathname = '/nowhere';
    ledger = name.href;
    const refused = await imported('--again');
    ledger = before;
    expect(refused.code).toBe(64);
    expect(refused.stderr).toMatch(/no such database/);
  }, 60_000);
});
