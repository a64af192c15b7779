import { InputError } from '../core/errors.js';
import type { Installation } from '../installation/installation.js';
import { type NumberPlan, numberPlan, type PlanRange, zoneOfText } from '../calling/zones/zones.js';
import { readTable } from '../source/source.js';
import { columnAt } from './lookup-table.js';

type PlanSpec = NonNullable<Installation['numberPlan']>;

/**
 * Reads the plan of an installation. Regions without a zone in the second file say nothing of their numbers.
 * @throws InputError where a file cannot be read, or a row of it holds no range or no time zone
 */
export async function openNumberPlan(spec: PlanSpec): Promise<NumberPlan> {
  const zones = await zonesOfRegions(spec.regions);
  const [header = [], ...rows] = await readTable(spec.file);
  const { code, from, to, region } = spec.columns;
  const columnOf = (name: string): number => columnAt(name, header, spec.file);
  const at = {
    code: code === undefined ? -1 : columnOf(code),
    from: columnOf(from),
    to: columnOf(to),
    region: columnOf(region),
  };
  const ranges = rows.flatMap((cells, index): PlanRange[] => {
    const zone = zones.get(cells[at.region]?.trim() ?? '');
    const before = cells[at.code]?.trim() ?? '';
    const range = {
      from: numberOf(before, cells[at.from], spec),
      to: numberOf(before, cells[at.to], spec),
    };
    if (range.from === null || range.to === null || range.from > range.to) {
      const why = `this row holds no range of numbers with ${spec.digits} digits. Check "columns" and "digits".`;
      throw new InputError('no_range', why, { file: spec.file, row: index + 2 });
    }
    return zone === undefined ? [] : [{ from: range.from, to: range.to, zone }];
  });
  return numberPlan(ranges);
}

async function zonesOfRegions(file: string): Promise<Map<string, string>> {
  const [header = [], ...rows] = await readTable(file);
  const [region, zone] = [columnAt('region', header, file), columnAt('zone', header, file)];
  return new Map(
    rows.map((cells, index) => {
      const found = zoneOfText(cells[zone] ?? '');
      if (found !== null) return [cells[region]?.trim() ?? '', found];
      const why = 'this is no time zone. Write an IANA name such as Europe/Moscow.';
      throw new InputError('not_a_time_zone', why, { file, row: index + 2, column: 'zone' });
    }),
  );
}

/** Ends of ranges may have lost their leading zeros. */
function numberOf(
  code: string,
  cell: string | undefined,
  { callingCode, digits }: PlanSpec,
): number | null {
  const rest = cell?.trim() ?? '';
  const number = code + rest.padStart(digits - code.length, '0');
  return /^\d+$/.test(rest) && number.length === digits && /^\d+$/.test(number)
    ? Number(callingCode + number)
    : null;
}
