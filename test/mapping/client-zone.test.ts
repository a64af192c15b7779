import { describe, expect, it } from 'vitest';
import type { Cell } from '../../src/core/table.js';
import type { MappedRow } from '../../src/mapping/compile.js';
import { clientOf, compiled, faultsOf } from './files.js';

const HEADERS = ['Id', 'TZ', 'Mobile', 'Office'];
const mapping = (zone: string): string => `client:
  clientRoleId: { value: 1 }
  timeZone: ${zone}
  fields: { id: Id }
  phones:
    - { column: Mobile, type: MOB, transform: [{ phone: { country: RU } }] }
    - { column: Office, type: WORK, transform: [{ phone: { country: RU, format: digits } }] }
`;

type Row = readonly [zone: Cell, mobile?: Cell, office?: Cell];

async function under(zone: string): Promise<(row: Row) => MappedRow> {
  const { map } = await compiled(mapping(zone), {
    headers: HEADERS,
    card: { id: { type: 'Number', sync: true, required: false } },
  });
  return ([cell, mobile = null, office = null]) => map(['1', cell, mobile, office]);
}

/** The zone of the client, where it comes from, and the codes of what is remarked. */
function zoneOf(row: MappedRow): unknown[] {
  if (row.status !== 'client') return [row.status, ...row.problems.map(({ code }) => code)];
  const { remarks = [], zoneFrom } = row;
  return [clientOf(row).timeZone, zoneFrom, ...remarks.map(({ code }) => code)];
}

describe('the time zone of a client', () => {
  const DEFAULT = '{ column: TZ, phone: true, default: Europe/Moscow }';

  it.each<[Row, unknown[]]>([
    [
      ['Asia/Omsk', '+12125550100'],
      ['Asia/Omsk', 'column'],
    ],
    [
      ['UTC+3', '+12125550100'],
      ['Etc/GMT-3', 'column'],
    ],
    [
      ['America/North_Dakota/Center', '+12125550100'],
      ['America/Chicago', 'column'],
    ],
    [
      [null, '+12125550100'],
      ['America/New_York', 'phone'],
    ],
    [
      [null, null, '8 (812) 322-22-22'],
      ['Europe/Moscow', 'phone'],
    ],
    [
      [null, null, '8 (383) 222-22-22'],
      ['Asia/Novosibirsk', 'phone'],
    ],
    [
      ['nowhere', '+12125550100'],
      ['America/New_York', 'phone', 'not_a_time_zone'],
    ],
    [
      [null, '8 916 123-45-67'],
      ['Europe/Moscow', 'ambiguous', 'ambiguous_time_zone'],
    ],
    [
      [null, '+447911123456'],
      ['Europe/Moscow', 'ambiguous', 'ambiguous_time_zone'],
    ],
    [
      [null, '+18005550199'],
      ['Europe/Moscow', 'ambiguous', 'ambiguous_time_zone'],
    ],
    [
      [null, '+17015550100'],
      ['Europe/Moscow', 'ambiguous', 'ambiguous_time_zone'],
    ],
    [
      [null, null, null],
      ['rejected', 'no_phone'],
    ],
  ])('%j', async (row, expected) => {
    expect(zoneOf((await under(DEFAULT))(row))).toEqual(expected);
  });

  it('is the first of several, or none, where the mapping wants it so', async () => {
    const first = await under('{ phone: true, ambiguous: first, default: UTC }');
    expect(zoneOf(first([null, '+17015550100']))).toEqual([
      'America/Chicago',
      'ambiguous',
      'ambiguous_time_zone',
    ]);
    expect(zoneOf(first([null, '8 916 123-45-67']))).toEqual([
      'Etc/UTC',
      'ambiguous',
      'ambiguous_time_zone',
    ]);
    const reject = await under('{ column: TZ, phone: true, ambiguous: reject, default: UTC }');
    expect(zoneOf(reject([null, '+17015550100']))).toEqual(['rejected', 'ambiguous_time_zone']);
    expect(zoneOf(reject(['Asia/Omsk', '+17015550100']))).toEqual(['Asia/Omsk', 'column']);
  });

  it('is the default where the phone says nothing, and required without one', async () => {
    const map = (zone: string): Promise<MappedRow> =>
      compiled(mapping(zone).replaceAll(/, transform: \[[^\]]*\]/g, ''), {
        headers: HEADERS,
        card: { id: { type: 'Number', sync: true, required: false } },
      }).then(({ map }) => map(['1', null, '555', null]));
    expect(zoneOf(await map('{ phone: true, default: UTC }'))).toEqual(['Etc/UTC', 'default']);
    expect(zoneOf(await map('{ phone: true }'))).toEqual(['rejected', 'no_time_zone']);
  });

  it('is shortened in a plain value, too', async () => {
    const map = await under('TZ');
    expect(zoneOf(map(['America/Argentina/Buenos_Aires', '+12125550100']))).toEqual([
      'America/Buenos_Aires',
      undefined,
    ]);
  });

  it('is refused in a mapping that cannot work', async () => {
    const faults = (zone: string) => faultsOf(() => under(zone));
    expect((await faults('{ phone: true, default: Mars/Base }'))[0]?.message).toContain(
      'no time zone "Mars/Base"',
    );
    expect((await faults('{ column: TZ, ambiguous: first }'))[0]?.message).toContain(
      '"phone: true"',
    );
    expect((await faults('{ phone: true, transform: trim }'))[0]?.message).toContain(
      'where the value comes from',
    );
    expect((await faults('{ default: UTC }'))[0]?.message).toContain('where the value comes from');
  });
});
