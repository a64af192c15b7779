import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as Library from '../../../src/index.js';
import type { RunningSandbox } from '../../../src/index.js';
import { root } from '../../kit/cardline.js';
import { folderOfTest } from '../../kit/folder.js';
import { built, LIBRARY } from '../../kit/built.js';

const { checkFiles, importFiles, startSandbox } = await built<typeof Library>(LIBRARY);

/** A Monday on which it is 18:00 in Moscow: from Lisbon to Moscow calls are allowed, farther in the east not any more. */
const NOW = Date.parse('2026-11-23T15:00:00Z');
const [OPENS, CLOSES] = [9, 20];
const TAKEN = 'Europe/Moscow';

const clockHour = (zone: string): number =>
  Number(
    new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(
      NOW,
    ),
  );
const isOpen = (zone: string): boolean => clockHour(zone) >= OPENS && clockHour(zone) < CLOSES;

interface Place {
  readonly number: string;
  readonly zones: readonly string[];
}

const [, ...lines] = (await readFile(new URL('zones/places.csv', import.meta.url), 'utf8'))
  .trim()
  .split('\n');
/** Numbers that can exist, and where they are. */
const PLACES: readonly Place[] = lines.flatMap((line) => {
  const [, number = '', , zones = ''] = line.split(',');
  const phone = parsePhoneNumberFromString(`+${number}`);
  return phone?.isValid() ? [{ number, zones: zones.split(' ') }] : [];
});
const UNSURE = PLACES.filter(({ zones }) => zones.length > 1);

let sandbox: RunningSandbox;
let folder: string;
const at = (name: string): string => join(folder, name);

async function write(places: readonly Place[], more = ''): Promise<void> {
  const rows = places.map(({ number }, index) => `${index + 1},+${number}`);
  await writeFile(at('list.csv'), ['Id,Mobile', ...rows, ''].join('\n'));
  await writeFile(
    at('list.yaml'),
    `client:
  clientRoleId: { value: 1 }
  timeZone: { phone: true, default: ${TAKEN} }
  fields: { offerId: Id, offerDomain: { value: shop }, fullName: { value: Somebody } }
  phones: [{ column: Mobile, type: MOB, transform: [{ phone: { country: RU } }] }]
callable: { hours: { Mon-Sun: ${String(OPENS).padStart(2, '0')}:00-${CLOSES}:00 }, closed: warn }
${more}`,
  );
}

const checked = async () => {
  const { summary } = await checkFiles({
    ...{ files: [at('list.csv')], mapping: at('list.yaml') },
    installation: join(root, 'mappings/installation.yaml'),
  });
  return summary;
};

const imported = () =>
  importFiles({
    ...{ files: [at('list.csv')], mapping: at('list.yaml'), out: at('out') },
    installation: join(root, 'mappings/installation.yaml'),
    ...{ baseUrl: sandbox.url, env: sandbox.env, ledger: at('ledger.db') },
  });

beforeEach(async () => {
  const since = performance.now();
  vi.spyOn(Date, 'now').mockImplementation(() => Math.round(NOW + performance.now() - since));
  sandbox = await startSandbox({ installation: join(root, 'mappings/installation.yaml') });
  folder = folderOfTest();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await sandbox.close();
});

describe('a list with phones of all countries with several times', () => {
  it('is remarked where a zone is one of several, and called when all of them allow it', async () => {
    expect(PLACES.length).toBeGreaterThan(150);
    await write(PLACES);
    const open = PLACES.filter(({ zones }) =>
      [...zones, ...(zones.length > 1 ? [TAKEN] : [])].every(isOpen),
    );
    const check = await checked();
    const ambiguous = { code: 'ambiguous_time_zone', count: UNSURE.length };
    expect(check.remarks.filter(({ code }) => code === ambiguous.code)).toMatchObject([ambiguous]);
    expect(check.callable).toMatchObject({ now: open.length });
    const { summary } = await imported();
    expect(summary.timeZones).toMatchObject({
      phone: PLACES.length - UNSURE.length,
      ambiguous: UNSURE.length,
    });
    const { asOf: _, ...calls } = check.callable!;
    expect(summary.callable).toMatchObject(calls);
    expect(summary.quality).toEqual(check.quality);
    const report = parse<Record<string, string>>(await readFile(at('out/report.csv')), {
      ...{ columns: true, bom: true },
    });
    const wrong = PLACES.filter(({ zones }, index) => {
      const remarks = report[index]?.['remarks'] ?? '';
      return remarks.includes('one of') !== zones.length > 1;
    });
    expect(wrong).toEqual([]);
  });

  // With 07:30-20:00, from 07:30 on the Cocos Islands to 20:00 on Lord Howe Island.
  it.each([
    ['2026-11-23T00:45Z', 0],
    ['2026-11-23T01:15Z', 1],
    ['2026-11-23T08:45Z', 1],
    ['2026-11-23T09:15Z', 0],
  ])('as of %s, %i Australian mobiles may be called', async (moment, now) => {
    const since = performance.now();
    const asOf = Date.parse(moment);
    vi.spyOn(Date, 'now').mockImplementation(() => Math.round(asOf + performance.now() - since));
    await write([{ number: '61412345678', zones: [] }]);
    const yaml = await readFile(at('list.yaml'), 'utf8');
    await writeFile(
      at('list.yaml'),
      yaml.replace(TAKEN, 'Australia/Sydney').replace(/Mon-Sun: \S+/, 'Mon-Sun: 07:30-20:00'),
    );
    const { callable, remarks } = await checked();
    expect(callable?.now).toBe(now);
    expect(remarks.map(({ code }) => code)).toContain('ambiguous_time_zone');
  });
});

describe('the score of a list', () => {
  const plain = (count: number): Place[] =>
    Array.from({ length: count }, (_, index) => ({
      number: `4930${String(1_234_567 + index)}`,
      zones: [],
    }));
  const scoreOf = async (places: readonly Place[], more?: string) => {
    await write(places, more);
    const yaml = await readFile(at('list.yaml'), 'utf8');
    await writeFile(at('list.yaml'), yaml.replace('callable:', '#'));
    const check = await checked();
    const { summary } = await imported();
    expect(summary.quality).toEqual(check.quality);
    return check;
  };

  it('is 100 where nothing is remarked, and less with a single remark of any kind', async () => {
    expect((await scoreOf(plain(40))).quality?.score).toBe(100);
    const [, ...others] = plain(40);
    const unsure = await scoreOf([{ number: '61412345678', zones: [] }, ...others]);
    expect(unsure.quality).toMatchObject({ score: 99, parts: { zone: { rows: 1, lost: 0 } } });
  });

  it.each([
    ['four rows, as in an office', 4, 0],
    ['five rows', 5, 1],
    ['nearly all rows', 36, 32],
  ])('loses points for one phone in %s', async (_what, shared, rows) => {
    const [first] = plain(1);
    const places = plain(40).map((place, at) => (at < shared ? first! : place));
    const { quality, remarks } = await scoreOf(places);
    expect(quality?.parts.unique).toMatchObject({ rows, lost: 0 });
    expect(quality!.score < 100).toBe(rows > 0);
    expect(remarks.some(({ code }) => code === 'shared_phone')).toBe(rows > 0);
  });

  it('loses points for a phone that comes back after a thousand rows', async () => {
    const [first] = plain(1);
    const places = plain(4005).map((place, at) => (at % 1001 === 0 ? first! : place));
    const { quality, remarks } = await scoreOf(places);
    expect(quality?.parts.unique).toMatchObject({ rows: 1, lost: 0 });
    const found = remarks.filter(({ code }) => code === 'shared_phone');
    expect(found).toMatchObject([{ count: 1, firstRow: 4006 }]);
    const report = parse<Record<string, string>>(await readFile(at('out/report.csv')), {
      ...{ columns: true, bom: true },
    });
    const rows = report.filter((row) => Object.values(row).join().includes('4 rows before it'));
    expect(rows.map(({ row }) => row)).toEqual(['4006']);
  });
});
