import { UsageError } from '../../../core/errors.js';

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Makes a reader of times such as `90s`, `15m`, `2h`, `30d`, in milliseconds, for the option `name`. */
export function duration(name: string) {
  return (value: unknown): number => {
    const [, number, unit] = /^(\d+)\s*(s|m|min|h|d)$/.exec(String(value)) ?? [];
    const factor = UNITS[unit === 'min' ? 'm' : (unit ?? '')];
    if (factor !== undefined) return Number(number) * factor;
    throw new UsageError(
      `--${name} takes a time such as 90s, 15m, 2h or 30d, but got "${String(value)}".`,
    );
  };
}
