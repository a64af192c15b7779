import { beforeAll, describe, expect, it } from 'vitest';
import type { Mode } from '../../../src/core/outcome.js';
import { randomFrom, seedOf } from '../../kit/random.js';
import { countOutcomes } from '../../kit/bench.js';
import type { Books } from './books.js';
import { DOMAIN, baseOf, isDeleted, isInCampaign, phoneOf } from './clients.js';
import { type Run, useWorld } from './world.js';
import { tablesIn } from '../../kit/tables.js';

const CLIENTS = 20;
const TIMES = 5;
const random = randomFrom(seedOf('order'));
const MODES = ['contacts', 'update', 'rekey', 'callbacks'] as const satisfies readonly Mode[];

const { world, center, gate } = useWorld(MODES, CLIENTS);
beforeAll(() => {
  // Whoever is sent first need not come first.
  gate.hold = () => (random() < 0.5 ? random() * 20 : 0);
});

const all = Array.from({ length: CLIENTS }, (_, index) => index + 1);
const clientsOf = (mode: Mode): number[] =>
  all.filter((i) => !isDeleted(i) && (mode !== 'callbacks' || isInCampaign(i)));

/** Every client some times, close to each other and far away; `count`: which of its rows it is. */
function rows(clients: readonly number[]): { readonly i: number; readonly count: number }[] {
  const near = clients.flatMap((i) => [i, i, i]);
  const counts = new Map<number, number>();
  return [...clients, ...clients, ...near].map((i) => {
    const count = (counts.get(i) ?? 0) + 1;
    counts.set(i, count);
    return { i, count };
  });
}

const MAPPINGS = tablesIn(import.meta.dirname, 'order.yaml') as Record<
  (typeof MODES)[number],
  string
>;

async function imported(mode: (typeof MODES)[number]): Promise<Run> {
  const base = baseOf(mode);
  const offerOf = (i: number, count: number): number =>
    mode === 'rekey' ? base + 100_000 * count + i : base + i;
  const lines = rows(clientsOf(mode)).map(({ i, count }) => [
    ...[offerOf(i, count), DOMAIN, phoneOf(base, i), count % 2 ? 'no' : 'yes'],
    ...[`row ${count}`, world.before.get(base + i)?.id ?? 0],
  ]);
  const csv = [['Offer', 'Site', 'Phone', 'Active', 'Comment', 'Id'], ...lines];
  await world.write(`${mode}.csv`, csv.map((cells) => `${cells.join(',')}\n`).join(''));
  await world.write(`${mode}.yaml`, MAPPINGS[mode]);
  return world.run(await world.importOf(mode, mode, gate.url));
}

/** How a client stands that has been changed by its last row. */
const AFTER: Record<(typeof MODES)[number], (books: Books, base: number, i: number) => boolean> = {
  contacts: (books, base, i) =>
    books.get(base + i)?.contacts.some((text) => /^phone 7(900|999).* MOB 00$/.test(text)) ?? false,
  update: (books, base, i) => books.get(base + i)?.card.includes(`"row ${TIMES}"`) ?? false,
  rekey: (books, base, i) =>
    books.get(base + 100_000 * TIMES + i)?.card.includes(`"Old ${base + i}"`) ?? false,
  // Each row has its callback, beside the one that some had before.
  callbacks: (books, base, i) => {
    const names = books.get(base + i)?.callbacks.map((text) => /row \d/.exec(text)?.[0]);
    const wanted = Array.from({ length: TIMES }, (_, index) => `row ${index + 1}`);
    return wanted.every((name) => names?.filter((other) => other === name).length === 1);
  },
};

describe('a client of many rows is changed in their order', () => {
  it.each(MODES)('mode %s', { timeout: 120_000 }, async (mode) => {
    const run = await imported(mode);
    expect(run.code, run.stderr).toBe(0);
    const clients = clientsOf(mode);
    const outcome = mode === 'callbacks' ? 'scheduled' : 'updated';
    expect(countOutcomes(await run.report())).toEqual({ [outcome]: clients.length * TIMES });
    const books = center.books();
    expect(clients.filter((i) => !AFTER[mode](books, baseOf(mode), i))).toEqual([]);
  });
});
