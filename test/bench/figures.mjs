import { median } from './measure.mjs';

/** What was measured, beside what is wanted. */
export function figure(values, limit, direction, unit = 'x') {
  const value = median(values);
  const reached = direction === 'at most' ? value <= limit : value >= limit;
  return {
    value,
    least: Math.min(...values),
    most: Math.max(...values),
    unit,
    direction,
    limit,
    reached,
  };
}

/** Prints the figures of a part. */
export function show(name, result) {
  console.log(`\n${name}`);
  for (const [key, value] of Object.entries(result)) {
    if (typeof value === 'number') console.log(`  ${key.padEnd(24)} ${round(value)}`);
    else
      console.log(
        `  ${key.padEnd(24)} ${round(value.value)} ${value.unit} (${round(value.least)} to ${round(value.most)}), wanted ${value.direction} ${value.limit}: ${value.reached ? 'reached' : 'NOT reached'}`,
      );
  }
}

const round = (value) =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(2);
