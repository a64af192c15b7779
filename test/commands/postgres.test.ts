import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardline } from '../kit/cardline.js';
import {
  PASSWORD,
  POSTGRES,
  type SharedPostgres,
  startPostgres,
  WITHOUT,
} from '../kit/postgres.js';

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

const lines = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${from + at},7916${1_000_000 + from + at}`);

describe.skipIf(POSTGRES === undefined)(`--ledger postgres://…${WITHOUT}`, () => {
  let folder: string;
  let server: SharedPostgres;
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
    const undo = await run('undo', found?.run ?? '', '--yes');
    expect(undo.stdout, undo.stderr).toMatch(/undone/);
    const nothing = await run('resume');
    expect(nothing.stderr).toMatch(/nothing to resume/);
    const doctor = await run('doctor', '-i', 'center.yaml', '--json');
    const { checks } = JSON.parse(doctor.stdout) as { checks: { check: string; text: string }[] };
    const { text } = checks.find(({ check }) => check === 'ledger') ?? {};
    expect(text?.replace(/\d+(?=, not in use)/, 'N')).toBe(`${ledger}: version N, not in use`);
    for (const { stdout, stderr } of [first, again, runs, report, undo, nothing, doctor])
      expect(stdout + stderr).not.toContain(PASSWORD);
  }, 120_000);

  it('goes on with a run that was stopped, and compares what it did', async () => {
    writeFileSync(at('many.csv'), ['Id,Phone', ...lines(1000, 40)].join('\n'));
    const sandbox = ['-m', 'mapping.yaml', '-i', 'center.yaml', '--sandbox', '--yes'];
    writeFileSync(at('bad.csv'), ['Id,Phone', ...lines(2000, 20), 'x,1', 'y,1'].join('\n'));
    const stopped = await run('import', 'bad.csv', ...sandbox, '--max-failures', '1');
    expect(stopped.code, stopped.stderr).toBe(3);
    const resumed = await run('resume', '--max-failures', '9');
    expect(resumed.code, resumed.stderr).toBe(2);
    expect((await run('import', 'many.csv', ...sandbox)).code).toBe(0);
    const compared = await run('reconcile', 'many.csv', ...sandbox.slice(0, -1), '--json');
    expect(compared.code, compared.stderr).toBe(0);
    expect(JSON.parse(compared.stdout)).toMatchObject({ rows: 40 });
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
