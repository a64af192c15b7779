import { describe, expect, it } from 'vitest';
import { NotSentError, INTERRUPTED } from '../../src/core/errors.js';
import { createPause } from '../../src/run/watch.js';
import { chunkOf } from '../kit/chunks.js';
import { openCards, openLab, SECOND } from './lab.js';

const HOUR = 3600 * SECOND;
const ROWS = 40;

describe('a run that is paused', () => {
  it('sends nothing new, lets what is in flight end, and goes on with the rest', async () => {
    const lab = openLab();
    const cards = openCards(lab, () => undefined);
    const pause = createPause(lab.timeline);
    const life = lab.start({ chunks: chunks(), delivery: cards.delivery, pause });
    await lab.pass(5);
    pause.pause();
    const [sent, from] = [cards.sent.size, lab.timeline.now()];
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(ROWS);
    await lab.pass(20 * HOUR);
    expect(cards.created.size).toBe(sent);
    expect(cards.sent.size).toBe(sent);
    const to = lab.timeline.now();
    pause.continue();
    expect(await lab.end(life)).not.toHaveProperty('stopped');
    expect(cards.created.size).toBe(ROWS);
    const times = [...cards.sent.values()].map(([first, ...more]) => [first ?? 0, more.length]);
    expect(times.filter(([, more]) => more !== 0)).toEqual([]);
    expect(times.filter(([at = 0]) => at > from && at < to)).toEqual([]);
    expect((await lab.rows()).map(({ outcome }) => outcome)).toEqual(Array(ROWS).fill('created'));
  });

  it('does not run out of patience meanwhile', async () => {
    const lab = openLab();
    const away = new NotSentError('connection refused', 'addClients');
    const cards = openCards(lab, (nth) => (nth > 2 && nth < 12 ? { lost: away } : undefined));
    const pause = createPause(lab.timeline);
    const life = lab.start({ chunks: chunks(), delivery: cards.delivery, pause });
    await lab.pass(15);
    pause.pause();
    await lab.pass(2 * HOUR);
    pause.continue();
    expect(await lab.end(life)).not.toHaveProperty('stopped');
    expect(cards.created.size).toBe(ROWS);
  });

  it('can be stopped, and continued by another process', async () => {
    const lab = openLab();
    const cards = openCards(lab, () => undefined);
    const pause = createPause(lab.timeline);
    const life = lab.start({ chunks: chunks(), delivery: cards.delivery, pause });
    await lab.pass(5);
    pause.pause();
    await lab.pass(HOUR);
    const sent = cards.sent.size;
    life.stop();
    expect((await lab.end(life)).stopped?.message).toBe(INTERRUPTED);
    expect(cards.sent.size).toBe(sent);
    const next = lab.start({ chunks: chunks(), delivery: cards.delivery });
    await lab.end(next);
    expect([...cards.sent.values()].every(({ length }) => length === 1)).toBe(true);
    expect(cards.created.size).toBe(ROWS);
  });

  it('sends nothing at all when it begins so', async () => {
    const lab = openLab();
    const cards = openCards(lab, () => undefined);
    const pause = createPause(lab.timeline);
    pause.pause();
    const life = lab.start({ chunks: chunks(), delivery: cards.delivery, pause });
    await lab.pass(HOUR);
    expect(cards.sent.size).toBe(0);
    pause.continue();
    await lab.end(life);
    expect(cards.created.size).toBe(ROWS);
  });
});

const chunks = () => [chunkOf(Array.from({ length: ROWS }, (_, at) => ({ id: at + 1 })))];
