import { localTime } from '../../report/text/local-time.js';

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

/** How long ago a time was, in its largest unit: `2 h ago`. */
export function ago(time: number, now: number): string {
  const passed = now - time;
  const [size, unit] = UNITS.find(([milliseconds]) => passed >= milliseconds) ?? [0, ''];
  return size === 0 ? 'just now' : `${Math.floor(passed / size)} ${unit} ago`;
}

/** A time as clocks show it here, and how long ago that was. */
export const localTimeAgo = (time: number, now: number): string =>
  `${localTime(time)} (${ago(time, now)})`;
