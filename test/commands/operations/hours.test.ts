import { describe, expect, it } from 'vitest';
import { installation, useRecorder } from './harness.js';

const bench = useRecorder();

/** An hour of the day that is not the present one, in UTC. */
const anotherHour = (): string => {
  const hour = (new Date().getUTCHours() + 12) % 24;
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${two(hour)}:00-${two((hour + 1) % 24)}:00 UTC`;
};

const IDS = ['--id', 'offerId=7', '--id', 'offerDomain=shop'];

describe('outside of the permitted hours', () => {
  it.each([
    ['clients', 'get', ...IDS],
    ['campaigns', 'start', 'Autumn leads'],
    ['phones', 'add', ...IDS, '--phone-number', '7916', '--type', 'MOB'],
  ])('%s %s is refused, with when it works', async (...args) => {
    bench.center.requests.length = 0;
    const hours = anotherHour();
    const text = installation(bench.center.url, `limits: { hours: "${hours}" }\n`);
    const file = await bench.write('closed.yaml', text);
    const { code, stdout, stderr } = await bench.run([...args, '-i', file]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain(`permits requests ${hours}`);
    expect(stderr).toContain(`${hours.slice(0, 5)} there`);
    expect(bench.center.requests).toEqual([]);
  });
});
