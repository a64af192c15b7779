import { expect, it } from 'vitest';
import { INTERRUPTED, NotSentError } from '../../src/core/errors.js';
import { createPause } from '../../src/run/watch.js';
import { chunkOf } from '../kit/chunks.js';
import { type Fate, openCards, openLab, SECOND } from './lab.js';

const HOUR = 3600 * SECOND;
const ROWS = 40;

/** A run, and what pauses it. */
function paused(fateOf: (nth: number) => Fate | undefined = () => undefined) {
  const lab = openLab();
  const cards = openCards(lab, fateOf);
  const pause = createPause(lab.timeline);
  const chunks = [chunkOf(Array.from({ length: ROWS }, (_, at) => ({ id: at + 1 })))];
  const start = { chunks, delivery: cards.delivery };
  return { lab, cards, pause, start, begin: () => lab.start({ ...start, pause }) };
}

it('a run that is paused sends nothing new, lets what is in flight end, and goes on with the rest', async () => {
  const { lab, cards, pause, begin } = paused();
  const life = begin();
  await lab.pass(5);
  pause.pause();
  const [sent, from] = [cards.sent.size, lab.timeline.now()];
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(ROWS);
  await lab.pass(20 * HOUR);
  expect([cards.created.size, cards.sent.size]).toEqual([sent, sent]);
  const to = lab.timeline.now();
  pause.continue();
  expect(await lab.end(life)).not.toHaveProperty('stopped');
  expect(cards.created.size).toBe(ROWS);
  const times = [...cards.sent.values()];
  expect(times.filter(({ length }) => length > 1)).toEqual([]);
  expect(times.flat().filter((at) => at > from && at < to)).toEqual([]);
  expect((await lab.rows()).map(({ outcome }) => outcome)).toEqual(Array(ROWS).fill('created'));
});

it('it does not run out of patience meanwhile', async () => {
  const away = new NotSentError('connection refused', 'addClients');
  const { lab, cards, pause, begin } = paused((nth) =>
    nth > 2 && nth < 12 ? { lost: away } : undefined,
  );
  const life = begin();
  await lab.pass(15);
  pause.pause();
  await lab.pass(2 * HOUR);
  pause.continue();
  expect(await lab.end(life)).not.toHaveProperty('stopped');
  expect(cards.created.size).toBe(ROWS);
});

it('it can be stopped, and continued by another process', async () => {
  const { lab, cards, pause, start, begin } = paused();
  const life = begin();
  await lab.pass(5);
  pause.pause();
  await lab.pass(HOUR);
  const sent = cards.sent.size;
  life.stop();
  expect((await lab.end(life)).stopped?.message).toBe(INTERRUPTED);
  expect(cards.sent.size).toBe(sent);
  expect(await lab.end(lab.start(start))).not.toHaveProperty('stopped');
  expect([...cards.sent.values()].every(({ length }) => length === 1)).toBe(true);
  expect(cards.created.size).toBe(ROWS);
});

it('it is paused from the start where it begins so', async () => {
  const { lab, cards, pause, begin } = paused();
  pause.pause();
  const life = begin();
  await lab.pass(HOUR);
  expect(cards.sent.size).toBe(0);
  pause.continue();
  await lab.end(life);
  expect(cards.created.size).toBe(ROWS);
});
