import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import type { Mode } from '../../../src/core/outcome.js';
import { countOutcomes, type Line } from '../../kit/bench.js';
import { withPostgres } from '../../kit/with-postgres.js';
import { randomFrom, seedOf } from '../../kit/random.js';
import { differences } from '../modes/books.js';
import { DOMAIN, baseOf, installationOf, isDeleted, phoneOf } from '../modes/clients.js';
import { within } from '../modes/compare.js';
import { useWorld, type World } from '../modes/world.js';
import { type Running, startSubmitter, withoutIds } from './harness.js';

const CLIENTS = 300;
const TIMES = 4;
const random = randomFrom(seedOf('shared changes'));

/** An import in pieces of one chunk each. */
const sharerIn =
  (world: World) =>
  async (mode: Mode, name: string, ledger: string, url: string): Promise<Running> =>
    startSubmitter({
      ...{ files: [world.at(`${name}.csv`)], mapping: world.at(`${name}.yaml`), ledger },
      installation: await world.write(`${name}.center.yaml`, installationOf(url)),
      ...{ out: world.at(`${name} shared`), pieceRows: 100, batchSize: 20, concurrency: 4 },
      ...(mode === 'delete' ? { confirmed: true } : {}),
      ...(mode === 'upsert' || mode === 'callbacks' ? { campaign: { id: 1 } } : {}),
    });
const reportIn = async (world: World, folder: string): Promise<Line[]> =>
  parse(await readFile(world.at(`${folder}/report.csv`), 'utf8'), { columns: true, bom: true });

withPostgres('a shared run that changes clients', (server) => {
  const { world, gate } = useWorld(['contacts'], CLIENTS);
  const share = sharerIn(world);

  it('changes a client in the order of its rows, whichever pieces they are in', async () => {
    const base = baseOf('contacts');
    const clients = Array.from({ length: CLIENTS }, (_, at) => at + 1).filter((i) => !isDeleted(i));
    // Once through the list after the other: every piece has clients of all others.
    const lines = Array.from({ length: TIMES }, (_, time) =>
      clients.map((i) => [base + i, DOMAIN, phoneOf(base, i), time % 2 ? 'yes' : 'no'].join()),
    );
    await world.write('order.csv', `Offer,Site,Phone,Active\n${lines.flat().join('\n')}\n`);
    await world.write(
      'order.yaml',
      `mode: contacts
client:
  fields: { offerId: Offer, offerDomain: Site }
  phones: [{ column: Phone, active: Active }]
`,
    );
    const sent = new Map<number, boolean[]>();
    gate.hold = () => (random() < 0.5 ? random() * 10 : 0);
    gate.onCarriedOut = ({ line, body }) => {
      if (!line.startsWith('PUT') && !line.startsWith('POST')) return;
      const offer = Number(/"offerId":(\d+)/.exec(body)?.[1]);
      const isActive = /"active":(true|false)/.exec(body)?.[1];
      if (isActive) sent.set(offer, [...(sent.get(offer) ?? []), isActive === 'true']);
    };
    const ledger = await server.ledger();
    const [one, other] = [
      await share('contacts', 'order', ledger, gate.url),
      world.start(['worker', '--ledger', ledger]),
    ];
    const ended = await one.ended;
    other.child.kill('SIGTERM');
    expect([ended.code, (await other.ended).code], ended.stderr).toEqual([0, 0]);
    expect(countOutcomes(await reportIn(world, 'order shared'))).toEqual({
      updated: clients.length * TIMES,
    });
    const wanted = Array.from({ length: TIMES }, (_, time) => time % 2 === 1);
    const wrong = clients.filter((i) => String(sent.get(base + i)) !== String(wanted));
    expect(wrong).toEqual([]);
  }, 120_000);
});

withPostgres('shared runs that change clients', (server) => {
  const MODES = ['upsert', 'delete', 'callbacks'] as const satisfies readonly Mode[];
  const { world } = useWorld(MODES, CLIENTS);
  const share = sharerIn(world);

  for (const mode of MODES)
    it(
      `mode ${mode} does what it does on one machine`,
      { timeout: 120_000, tags: 'depth' },
      async () => {
        const [apart, together] = [
          await world.center(`${mode} alone`),
          await world.center(`${mode} shared`),
        ];
        try {
          const alone = await world.run(await world.importOf(mode, `${mode} alone`, apart.url));
          const ended = await (await share(mode, mode, await server.ledger(), together.url)).ended;
          expect(ended.code, ended.stderr).toBe(alone.code);
          const report = await reportIn(world, `${mode} shared`);
          expect(withoutIds(report)).toEqual(withoutIds(await alone.report()));
          expect([...differences(apart.books(), together.books(), within(mode))]).toEqual([]);
        } finally {
          await apart.close();
          await together.close();
        }
      },
    );
});
