import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardline, root } from '../../kit/cardline.js';

/** The sample `calling.csv` from start to end: mapped, compared with lists, sent to a sandbox, reported. */
describe('calling.csv', () => {
  let folder: string;
  const at = (name: string): string => join(folder, name);
  const run = (...more: string[]) =>
    cardline(
      [
        'import',
        at('calling.csv'),
        '-m',
        at('calling.yaml'),
        '-i',
        at('calling/installation.yaml'),
        '--sandbox',
        '--out',
        at('out'),
        '--ledger',
        at('ledger.db'),
        ...more,
      ],
      { cwd: folder },
    );

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardline-calling-'));
    await cp(join(root, 'samples/calling.csv'), at('calling.csv'));
    await cp(join(root, 'mappings/calling.yaml'), at('calling.yaml'));
    await cp(join(root, 'mappings/calling'), at('calling'), { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is imported without the numbers on the lists, and with the zones of the others', async () => {
    const ended = await run();
    expect(ended.stderr + ended.stdout).toContain('skipped');
    const summary = JSON.parse(await readFile(at('out/summary.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    expect(summary['outcomes']).toMatchObject({ enqueued: 8, skipped: 2, rejected: 0 });
    expect(summary['timeZones']).toEqual({ column: 2, phone: 3, ambiguous: 3, default: 0 });
    expect(summary['suppressed']).toEqual([
      { list: 'national', rows: 1, phones: 1 },
      { list: 'own', rows: 1, phones: 0 },
      { list: 'competitors', rows: 1, phones: 0 },
    ]);
    expect(ended.stdout).toContain(
      'not to be called: "national" 1 row and 1 phone, "own" 1 row, "competitors" 1 row',
    );
    const page = await cardline(['report', '-o', at('r.html'), '--ledger', at('ledger.db')]);
    expect(page.code).toBe(0);
    expect(await readFile(at('r.html'), 'utf8')).toContain(
      'Left out by lists of numbers that must not be called',
    );
    const report = parse<Record<string, string>>(await readFile(at('out/report.csv')), {
      columns: true,
      bom: true,
    });
    const row = (offer: string) => report.find((line) => Object.values(line).includes(offer))!;
    expect(row('20001')).toMatchObject({ outcome: 'skipped', problemCodes: 'suppressed' });
    expect(row('20001')['problems']).toContain('the lists "national", "own"');
    expect(row('20005')['problems']).toContain('the list "competitors"');
    expect(row('20002')['remarks']).toContain('the phone is on the list "national"');
    for (const offer of ['20004', '20007', '20008'])
      expect(row(offer)['remarks']).toContain('America/New_York is taken');
    expect(row('20009')['remarks']).toContain('no time zone that is known');
  });

  it('is not sent at all where a list is too old', async () => {
    const file = at('calling/installation.yaml');
    const text = await readFile(file, 'utf8');
    await cp(at('calling/do-not-call.txt'), at('calling/us-2020-01-31.txt'));
    await writeFile(
      file,
      text.replace(
        'file: do-not-call.txt, format: ftc',
        'file: us-2020-01-31.txt, format: ftc, maxAge: 31d',
      ),
    );
    const ended = await run('--again');
    expect(ended.code).toBe(64);
    expect(ended.stderr).toMatch(/List "national" .* days old, and maxAge allows 31 days/);
    expect(ended.stderr).toContain('Nothing was sent.');
  });
});
