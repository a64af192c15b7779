import { expect, it } from 'vitest';
import { Timeline } from '../../../src/report/timeline.js';

const START = 1_000_000;
const answer = (at: number, milliseconds: number, status = 201) => ({
  at: START + at,
  milliseconds,
  status,
});

it('tells how many requests were under way, and how long they took', () => {
  const timeline = new Timeline(START);
  timeline.add(answer(100, 100));
  timeline.add(answer(199, 199));
  const [first, second] = timeline.points();
  // Both from 0 to 100; the second one alone from 100 to 199.
  expect(first).toMatchObject({ second: 0, concurrency: 2, meanLatency: null });
  expect(second).toMatchObject({ second: 0.1, concurrency: 1, meanLatency: 149.5 });
  expect(second?.longestLatency).toBe(199);
});

it('widens its slots for long runs, and loses no answer', () => {
  const timeline = new Timeline(START, 10);
  for (let at = 50; at <= 60_000; at += 50) timeline.add(answer(at, 50));
  const points = timeline.points();
  expect(points.length).toBeGreaterThan(4);
  expect(points.length).toBeLessThanOrEqual(10);
  const width = points[1]!.second;
  const whole = points.slice(0, -1);
  for (const { concurrency } of whole) expect(concurrency).toBeCloseTo(1, 5);
  // The last slot is only begun: what it has, the others lack.
  const carried = whole.reduce(
    (sum, { completedPerSecond }) => sum + completedPerSecond * width,
    0,
  );
  expect(carried).toBeGreaterThan(0.9);
  expect(carried).toBeLessThanOrEqual(1);
});

it('counts no rows for answers that carried none', () => {
  const timeline = new Timeline(START);
  timeline.add(answer(40, 10, 503));
  timeline.add(answer(50, 10, 429));
  expect(timeline.points()).toMatchObject([{ completedPerSecond: 0, meanLatency: 10 }]);
});

it('takes answers of which only the sums are known as if they had come evenly', () => {
  const timeline = new Timeline(START);
  const sums = { answers: 4, milliseconds: 160, longest: 70, within: 300, status: 200 };
  timeline.addSeveral({ ...sums, at: START + 399 });
  timeline.addSeveral({
    answers: 1,
    milliseconds: 9,
    longest: 9,
    within: 0,
    status: 200,
    at: START + 399,
  });
  const points = timeline.points();
  expect(points).toHaveLength(4);
  expect(Math.max(...points.map(({ longestLatency }) => longestLatency ?? 0))).toBe(70);
  const carried = points.reduce((sum, { completedPerSecond }) => sum + completedPerSecond / 10, 0);
  expect(carried).toBeCloseTo(1, 1);
});

it('tells the first changes of the limits, and how many there were beyond', () => {
  const timeline = new Timeline(START);
  const change = { concurrency: 6, batchSize: 500, reason: 'answers come as quickly' };
  for (let at = 0; at < 502; at++) timeline.addChange({ ...change, at: START + at });
  const { changes, left } = timeline.result();
  expect(changes).toHaveLength(500);
  expect(changes[1]).toEqual({ ...change, second: 0.001 });
  expect(left).toBe(2);
});
