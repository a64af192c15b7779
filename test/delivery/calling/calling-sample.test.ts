import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { cardline, root } from '../../kit/cardline.js';
import { testFolder } from '../../kit/folder.js';

/** The sample `calling.csv` from start to end: mapped, compared with lists, sent to a sandbox, reported. */
describe('calling.csv', () => {
  const folder = testFolder();
  const at = (name: string): string => join(folder, name);
  beforeAll(async () => {
    await cp(join(root, 'samples/calling.csv'), at('calling.csv'));
    await cp(join(root, 'mappings/calling.yaml'), at('calling.yaml'));
    await cp(join(root, 'mappings/calling'), at('calling'), { recursive: true });
  });

  it('is imported without the numbers on the lists, and with the zones of the others', async () => {
    const ended = await cardline(
      [
        ...['import', 'calling.csv', '-m', 'calling.yaml', '-i', 'calling/installation.yaml'],
        ...['--sandbox', '--out', 'out', '--ledger', 'ledger.db'],
      ],
      { cwd: folder },
    );
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
});
