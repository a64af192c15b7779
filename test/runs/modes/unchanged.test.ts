import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countOutcomes } from '../../kit/bench.js';
import { DOMAIN, baseOf, isDeleted, phoneOf } from './clients.js';
import { type Gate, startGate } from './gate.js';
import { type Center, OPTIONS, type Run, type World, openWorld } from './world.js';

const CLIENTS = 40;
const MODES = ['update', 'upsert'] as const;

let world: World;
let center: Center;
beforeAll(async () => {
  world = await openWorld(MODES, CLIENTS);
  center = await world.center('center');
});
afterAll(async () => {
  await center.close();
  await world.close();
});

const FIELDS = 'fields: { offerId: Offer, offerDomain: Site, fullName: Name, comment: Comment }';
const MAPPINGS = {
  update: `mode: update\nclient: { ${FIELDS} }\n`,
  upsert: `mode: upsert
client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  ${FIELDS}
  phones: [{ column: Phone, type: MOB }]
`,
};

async function imported(mode: (typeof MODES)[number], comment: string, gate: Gate): Promise<Run> {
  const base = baseOf(mode);
  const clients = Array.from({ length: CLIENTS }, (_, index) => index + 1);
  const lines = clients
    .filter((i) => !isDeleted(i))
    .map((i) => [base + i, DOMAIN, `Old ${base + i}`, phoneOf(base, i), comment]);
  const csv = [['Offer', 'Site', 'Name', 'Phone', 'Comment'], ...lines];
  await world.write(`${mode}.csv`, csv.map((cells) => `${cells.join(',')}\n`).join(''));
  await world.write(`${mode}.yaml`, MAPPINGS[mode]);
  const args = await world.importOf(mode, `${mode}-${comment}`, gate.url);
  return world.run([...args, '--again']);
}

/** The requests of an import by method and path, but for the probe. */
function counting(gate: Gate): Record<string, number> {
  const counts: Record<string, number> = {};
  gate.onCarriedOut = ({ line }) => {
    const [name = ''] = line.split('?');
    if (!name.startsWith('GET')) counts[name] = (counts[name] ?? 0) + 1;
  };
  return counts;
}

describe('clients that are as their rows say', () => {
  const rows = Array.from({ length: CLIENTS }, (_, index) => index + 1).filter(
    (i) => !isDeleted(i),
  );

  /** One is on the blacklist, which its campaign refuses each time. */
  const all = (outcome: string, mode: (typeof MODES)[number]): Record<string, number> =>
    mode === 'update'
      ? { [outcome]: rows.length }
      : { [outcome]: rows.length - 1, enqueue_failed: 1 };

  it.each(MODES)('are unchanged in mode %s, and an undo leaves them', async (mode) => {
    const gate = await startGate(center.port);
    try {
      const first = await imported(mode, 'same', gate);
      expect(countOutcomes(await first.report())['updated']).toBeGreaterThan(0);
      const before = center.books();

      const counts = counting(gate);
      const second = await imported(mode, 'same', gate);
      expect(countOutcomes(await second.report())).toEqual(all('unchanged', mode));
      const lookups = { 'POST /api/v1/clients/by/syncIds.json': rows.length };
      // The interface does not show a card's phones, so each is offered, and refused as there already.
      const phones = { 'POST /api/v1/clients/phones/exec.do': rows.length };
      expect(counts).toMatchObject(mode === 'update' ? lookups : { ...lookups, ...phones });
      expect(Object.keys(counts).filter((line) => line.startsWith('PUT'))).toEqual([]);

      const { run } = await second.summary();
      const undo = await world.run([
        ...['undo', run, '--yes', '--ledger', world.at(`${mode}-same.db`)],
        ...['--out', world.at(`${mode}-undo`), ...OPTIONS],
      ]);
      expect(undo.code, undo.stderr).toBe(0);
      expect(center.books()).toEqual(before);

      const third = await imported(mode, 'other', gate);
      expect(countOutcomes(await third.report())).toEqual(all('updated', mode));
    } finally {
      await gate.close();
    }
  });
});
