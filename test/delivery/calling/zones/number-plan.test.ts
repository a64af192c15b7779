import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openNumberPlan } from '../../../../src/prepare/lookup-table.js';
import { openPreparation } from '../../../../src/prepare/preparation.js';
import { numberPlan } from '../../../../src/calling/zones/zones.js';
import { testFolder } from '../../../kit/folder.js';

const folder = testFolder();
const at = (name: string): string => join(folder, name);

const PLAN =
  'DEF;From;To;Region\n916;0000000;9999999;Moscow\n913;0;4999999;Omsk oblast\n913;5000000;9999999;Atlantis\n';
const REGIONS = 'region,zone\nMoscow,MSK\nOmsk oblast,Asia/Omsk\n';
const spec = (file: string, regions: string) => ({
  ...{ file: at(file), regions: at(regions), callingCode: '7', digits: 10 },
  columns: { code: 'DEF', from: 'From', to: 'To', region: 'Region' },
});

describe('a plan of numbers', () => {
  it('has the zone that all ranges over a number have, and else none', () => {
    const range = fc
      .record({ from: fc.nat(60), length: fc.nat(20), zone: fc.constantFrom('a', 'b', 'c') })
      .map(({ from, length, zone }) => ({ from, to: from + length, zone }));
    fc.assert(
      fc.property(fc.array(range, { maxLength: 8 }), (ranges) => {
        const plan = numberPlan(ranges);
        for (let number = 0; number < 90; number++) {
          const zones = new Set(
            ranges.filter(({ from, to }) => from <= number && number <= to).map(({ zone }) => zone),
          );
          expect(plan.zoneOf(number)).toBe(zones.size === 1 ? [...zones][0] : null);
        }
      }),
    );
  });

  it('is read of two files', async () => {
    writeFileSync(at('plan.csv'), PLAN);
    writeFileSync(at('regions.csv'), REGIONS);
    const plan = await openNumberPlan(spec('plan.csv', 'regions.csv'));
    expect(
      [79161234567, 79130000000, 79134999999, 79135000000, 79260000000].map((one) =>
        plan.zoneOf(one),
      ),
    ).toEqual(['Europe/Moscow', 'Asia/Omsk', 'Asia/Omsk', null, null]);
  });

  it('finds columns by their names as headers are read', async () => {
    writeFileSync(at('cafe.csv'), PLAN.replace('Region', 'Caf\u00e9  Region'));
    const plan = await openNumberPlan({
      ...spec('cafe.csv', 'regions.csv'),
      columns: { code: 'DEF', from: 'From', to: 'To', region: 'Cafe\u0301  Region' },
    });
    expect(plan.zoneOf(79161234567)).toBe('Europe/Moscow');
  });

  it('is refused with its row where it holds no range or no zone', async () => {
    writeFileSync(at('wrong.csv'), 'DEF;From;To;Region\n916;x;9;Moscow\n');
    writeFileSync(at('wrong-zone.csv'), 'region,zone\nMoscow,Mars/Base\n');
    await expect(openNumberPlan(spec('wrong.csv', 'regions.csv'))).rejects.toThrow(
      /row 2: this row holds no range/,
    );
    await expect(openNumberPlan(spec('plan.csv', 'wrong-zone.csv'))).rejects.toThrow(
      /row 2, column "zone"/,
    );
    await expect(
      openNumberPlan({
        ...spec('plan.csv', 'regions.csv'),
        columns: { from: 'Fron', to: 'To', region: 'Region' },
      }),
    ).rejects.toThrow(/no column "Fron"/);
  });

  it('makes mobiles of its ranges certain, and leaves the others ambiguous', async () => {
    writeFileSync(at('leads.csv'), 'Id,Phone\n1,+79130000001\n2,+79260000001\n');
    writeFileSync(
      at('mapping.yaml'),
      'client:\n  clientRoleId: { value: 1 }\n  timeZone: { phone: true, default: UTC }\n  fields: { id: Id }\n  phones: [{ column: Phone, type: MOB }]\n',
    );
    writeFileSync(
      at('installation.yaml'),
      'name: demo\nbaseUrl: http://127.0.0.1:1\ncard: { id: { type: Number, sync: true } }\nnumberPlan: { file: plan.csv, columns: { code: DEF, from: From, to: To, region: Region }, regions: regions.csv }\n',
    );
    const preparation = await openPreparation({
      ...{
        mapping: at('mapping.yaml'),
        installation: at('installation.yaml'),
        source: {},
        show: 0,
        verify: false,
      },
      ...{
        inputs: [{ path: at('leads.csv'), name: 'leads.csv' }],
        purpose: 'send',
        share: { index: 0, of: 1 },
      },
    });
    const zones: string[] = [];
    for await (const chunk of preparation.chunks())
      zones.push(
        ...(
          JSON.parse(`[${Buffer.from(chunk.clients.payload).toString()}]`) as { timeZone: string }[]
        ).map(({ timeZone }) => timeZone),
      );
    await preparation.close();
    expect(zones).toEqual(['Asia/Omsk', 'Etc/UTC']);
  });
});
