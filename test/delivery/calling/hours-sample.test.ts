import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as Library from '../../../src/index.js';
import type { RunningSandbox, RunResult } from '../../../src/index.js';
import { writeReportFile } from '../../../src/history/history.js';
import { trendText } from '../../../src/history/compare.js';
import { root } from '../../kit/cardline.js';
import { folderOfTest } from '../../kit/folder.js';
import { built, LIBRARY } from '../../kit/built.js';

const library = await built<typeof Library>(LIBRARY);
const { checkFiles, importFiles, mappingTrend, reportLines, startSandbox } = library;

/** A Monday, at 10:00 in New York and 07:00 in Los Angeles. */
const MONDAY = Date.parse('2026-11-23T15:00:00Z');
const HOUR = 3_600_000;

let sandbox: RunningSandbox;
let folder: string;
const at = (name: string): string => join(folder, name);

/** Moves the clock of this process, which goes on from there. */
function setTime(instant: number): void {
  const since = performance.now();
  vi.spyOn(Date, 'now').mockImplementation(() => Math.round(instant + performance.now() - since));
}

beforeEach(async () => {
  setTime(MONDAY);
  sandbox = await startSandbox({ installation: join(root, 'mappings/installation.yaml') });
  await sandbox.center.createCampaign({
    body: {
      ...{ name: 'Autumn leads', typeProcessing: 'OPERATOR', callingMode: 'PROGRESSIVE_NEW' },
      ...{ callingSearchSpaceId: 1, callStatusRuleProcessorId: 1, endless: true },
      ...{ limitTimeCalls: true, startCallsTime: '09:00', endCallsTime: '22:00' },
      weekDays: 'Mon,Tue,Wed,Thu,Fri',
    },
  });
  folder = folderOfTest();
  await cp(join(root, 'samples/hours.csv'), at('hours.csv'));
  await cp(join(root, 'mappings/hours.yaml'), at('hours.yaml'));
  await cp(join(root, 'mappings/hours'), at('hours'), { recursive: true });
  await cp(join(root, 'mappings/installation.yaml'), at('installation.yaml'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await sandbox.close();
});

async function edit(name: string, ...pairs: readonly (readonly [from: string, to: string])[]) {
  let text = await readFile(at(name), 'utf8');
  for (const [from, to] of pairs) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  await writeFile(at(name), text);
}

async function imported(more: object = {}): Promise<{ result: RunResult; warnings: string[] }> {
  const warnings: string[] = [];
  const result = await importFiles({
    ...{ files: [at('hours.csv')], mapping: at('hours.yaml') },
    ...{ installation: at('installation.yaml'), baseUrl: sandbox.url, env: sandbox.env },
    ...{
      ledger: at('ledger.db'),
      out: at('out'),
      onWarning: (text: string) => warnings.push(text),
    },
    ...more,
  });
  return { result, warnings };
}

const report = async () =>
  parse<Record<string, string>>(await readFile(at('out/report.csv')), { columns: true, bom: true });

describe('hours.csv', () => {
  it('is imported, with what may be called when, and what it is worth', async () => {
    const { result, warnings } = await imported({ leadPrice: 2.5 });
    expect(result.exitCode).toBe(2);
    const { callable, quality, checks } = result.summary;
    expect(callable).toEqual({
      asOf: expect.stringContaining('2026-11-23T15:00') as string,
      now: 2,
      today: 3,
      later: 0,
      never: 0,
    });
    expect(quality).toMatchObject({ rows: 10, lost: 5, cost: 12.5 });
    expect(quality?.parts).toMatchObject({
      phones: { rows: 1, lost: 1 },
      unique: { rows: 1, lost: 1 },
      fresh: { rows: 2, lost: 2 },
      complete: { rows: 1, lost: 1 },
    });
    expect(checks?.map(({ subject, rows, holds }) => [subject, rows, holds])).toEqual([
      ['rows', 10, true],
      ['invalid Mobile', 1, true],
      ['empty Client', 1, false],
      ['duplicates by identifiers', 1, false],
      ['ambiguous time zones', 1, false],
    ]);
    expect(warnings).toContain(
      "Campaign 1 calls until 22:00 in the client's zone; callable allows 20:00.",
    );
    expect(warnings).toContain('empty Client: 1 row of 10 (10 %), and 5 % are allowed; row 11.');
    const rows = await report();
    const row = (number: number) => rows.find((line) => line['row'] === String(number))!;
    expect(row(4)['remarks']).toContain('may be called from 09:00 on (America/Los_Angeles)');
    expect(row(6)).toMatchObject({ outcome: 'skipped', problemCodes: 'too_old' });
    expect(row(9)).toMatchObject({ outcome: 'skipped', problemCodes: 'age_unknown' });
  });

  it('has the same figures in a check, in later reports and in the trend', async () => {
    const checked = await checkFiles({
      ...{ files: [at('hours.csv')], mapping: at('hours.yaml'), out: at('check') },
      ...{ installation: at('installation.yaml'), leadPrice: 2.5 },
    });
    const { result } = await imported({ leadPrice: 2.5 });
    const { callable, quality, checks } = result.summary;
    const { asOf: _, ...calls } = callable!;
    expect(checked.summary).toMatchObject({ callable: calls, quality, checks });
    const ledger = at('ledger.db');
    let text = '';
    for await (const piece of reportLines({ run: result.run, ledger, format: 'text' as const }))
      text += piece;
    const { score } = result.summary.quality!;
    expect(text).toContain(
      `Quality of the list: ${score} of 100; 5 of 10 rows left out (rejected or skipped).`,
    );
    expect(text).toContain('At 2.50 for each, 5 rows cost 12.50.');
    const page = await writeReportFile({ run: result.run, ledger, file: at('page.html') });
    expect(await readFile(page, 'utf8')).toContain(`Quality of the list: ${score} of 100`);
    const trends = await mappingTrend({ mapping: at('hours.yaml'), ledger });
    expect(trends[0]?.points[0]?.quality?.score).toBe(score);
    expect(trendText('hours.yaml', trends)).toMatch(new RegExp(`quality\\n.* ${score}  █+░+\\n`));
  });

  it('is not sent where a check stops it, and is once it has been mended', async () => {
    await edit('hours.yaml', ['max: 20%, else: stop', 'max: 0, else: stop']);
    const before = (await sandbox.center.listCampaigns({ query: { limit: 1 } })).length;
    const { result } = await imported();
    expect(before).toBe(1);
    expect(result).toMatchObject({ exitCode: 64, rows: 0, state: 'stopped' });
    expect(result.summary).toMatchObject({ requests: 1 });
    expect(result.stopped).toContain(
      'so nothing was sent:\n- invalid Mobile: 1 row of 10 (10 %), and none is allowed; row 5.',
    );
    // The second start has no rows on record that would show that the checks held.
    for (const settleAll of [true, false]) {
      const again = await imported({ settleAll, ledger: at('settled.db') });
      expect(again.result).toMatchObject({ exitCode: 64, rows: 0 });
    }
    // All of them are named.
    expect(result.stopped).toContain('- empty Client: 1 row of 10');
    const checked = await checkFiles({
      ...{ files: [at('hours.csv')], mapping: at('hours.yaml'), out: at('check') },
      installation: at('installation.yaml'),
    });
    expect(checked.exitCode).toBe(64);
    await edit('hours.csv', ['Dora Dogwood,12,', 'Dora Dogwood,(212) 555-0177,']);
    expect((await imported()).result).toMatchObject({ exitCode: 2, state: 'finished' });
  });

  it('keeps those who may not be called now for later, where the mapping skips them', async () => {
    await edit('hours.yaml', ['closed: warn', 'closed: skip']);
    const { result } = await imported({ again: true });
    expect(result.summary.callable).toMatchObject({ now: 2, today: 3 });
    expect(result.outcomes.skipped).toBe(6);
    const [rejects = ''] = result.rejects;
    expect(await readFile(rejects, 'utf8')).toContain('may be called from 09:00 on');
    setTime(MONDAY + 5 * HOUR);
    const later = await imported({ files: [rejects], out: at('later') });
    expect(later.result.outcomes).toMatchObject({ skipped: 0 });
    expect(later.result.summary.callable).toMatchObject({ now: 3, today: 0 });
  });

  it('is the same when it is continued on another day', async () => {
    await edit(
      'hours.yaml',
      ['closed: warn', 'closed: skip'],
      ['else: stop', 'else: warn'],
      ['else: stop', 'else: warn'],
    );
    const head = 'Offer ID,Site,Client,Mobile,Time zone,Received';
    const zones = ['EST', 'PST', 'CST', 'HST'];
    const rows = Array.from({ length: 2400 }, (_, row) =>
      [
        40_000 + row,
        'long.example',
        `Client ${row}`,
        `(202) 555-${String(1000 + row)}`,
        zones[row % 4],
        '2026-11-02',
      ].join(','),
    );
    await writeFile(at('hours.csv'), [head, ...rows].join('\n'));
    const stop = new AbortController();
    const first = await imported({
      ...{ batchSize: 10, concurrency: 1, signal: stop.signal },
      onProgress: ({ outcomes }: { outcomes: { enqueued: number } }) => {
        if (outcomes.enqueued > 0) stop.abort();
      },
    });
    expect(first.result).toMatchObject({ exitCode: 3, state: 'stopped' });
    // The rows that ended are not the list.
    expect(first.result.summary.quality).toBeUndefined();
    // At night nobody may be called: as of now, all rows would be left out.
    setTime(MONDAY + 14 * HOUR);
    const second = await imported();
    expect(second.result).toMatchObject({ exitCode: 0, state: 'finished', rows: 2400 });
    expect(second.result.run).toBe(first.result.run);
    expect(second.result.summary.quality).toBeDefined();
    expect(second.result.summary.callable).toMatchObject({
      asOf: expect.stringContaining('2026-11-23T15:00') as string,
      now: 1200,
    });
    expect(second.result.outcomes).toMatchObject({ enqueued: 1200, skipped: 1200 });
  });
});
