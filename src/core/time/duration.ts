const UNITS = { h: 3_600_000, d: 86_400_000, w: 604_800_000, y: 31_557_600_000 } as const;
const DURATION = /^(\d+)([hdwy])$/;

/** Milliseconds of a duration such as `31d` or `5y`; `undefined` where it is none. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = DURATION.exec(text.trim()) ?? [];
  return isUnit(unit) ? Number(count) * UNITS[unit] : undefined;
}

const isUnit = (unit: string | undefined): unit is keyof typeof UNITS =>
  unit !== undefined && Object.hasOwn(UNITS, unit);

/** A duration in whole days, for people. */
export function daysText(milliseconds: number): string {
  const days = Math.floor(milliseconds / UNITS.d);
  return days === 1 ? '1 day' : `${days} days`;
}
