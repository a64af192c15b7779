import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cardline } from '../../kit/cardline.js';
import { countOutcomes, useBench } from '../../kit/bench.js';
import { type Recorder, startRecorder } from '../../commands/operations/recorder.js';
import { baseOf, isDeleted } from './clients.js';
import { within } from './compare.js';
import { differences } from './books.js';
import { isOld, isSpoiled, meant } from './rows.js';
import { OPTIONS, openWorld } from './world.js';

const mapping = (mode: string, recovery: string): string => `mode: ${mode}
${recovery}
client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { offerId: Offer }
  phones: [{ column: Phone, type: MOB }]
`;

describe('where the installation wants it', () => {
  const bench = useBench();
  let recorder: Recorder;
  let number = 0;
  beforeEach(async () => {
    recorder = await startRecorder();
    // The second client is there; whoever is not may have been deleted, which the interface does not tell.
    recorder.behave = ({ path, body }, response) => {
      const { clientSyncIdentifiers: who } = (body ?? {}) as { clientSyncIdentifiers?: object };
      if (!path.endsWith('/by/syncIds.json') || JSON.stringify(who) === '{"offerId":2}')
        return false;
      const errorMessage = 'No clients with identifiers: [offerId]';
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ errorMessage }));
      return true;
    };
    await bench.write('rows.csv', 'Offer,Phone\n1,79161234567\n2,79161234568\n3,79161234569\n');
  });
  afterEach(() => recorder.close());

  async function imported(
    mode: string,
    place: string,
    wish: { mapping: string; option: string[] },
  ) {
    recorder.requests.length = 0;
    const installation = `name: recovering
baseUrl: ${recorder.url}
card: { offerId: { type: Number, sync: true } }
${place}
`;
    const center = await bench.write('recovering.yaml', installation);
    const file = await bench.write('mapping.yaml', mapping(mode, wish.mapping));
    const args = bench.args(
      `run-${++number}`,
      [bench.at('rows.csv')],
      ['-m', file, '-i', center, ...wish.option],
    );
    const ended = await cardline(args, { env: bench.environment });
    expect(ended.code, ended.stderr).toBe(0);
    return recorder.requests
      .filter(({ method, path }) => method === 'POST' && path.startsWith('/api/v1/clients/exec.do'))
      .map(({ path, body }) => {
        const { clients, ...beside } = body as { clients: { fields: object }[] };
        const more = clients.map(({ fields: _, ...rest }) =>
          Object.entries(rest).filter(([name]) => !KNOWN.has(name)),
        );
        return { path, beside, inEach: more, clients: clients.length };
      });
  }

  const KNOWN = new Set([
    'uuid',
    'clientRoleId',
    'type',
    'timeZone',
    'phones',
    'emails',
    'addresses',
  ]);
  const PATH = '/api/v1/clients/exec.do';
  const ASKED = { mapping: '', option: ['--recovery'] };
  const none = (count: number) => Array.from({ length: count }, () => []);

  it.each(['create', 'upsert'])('in mode %s', { timeout: 120_000 }, async (mode) => {
    // Of three clients upsert creates those two that are not there.
    const clients = mode === 'create' ? 3 : 2;
    const query = 'recovery: { in: query, name: restore, value: 1 }';
    const client = 'recovery: { in: client, name: undelete, value: "yes" }';
    const places: readonly (readonly [string, object])[] = [
      ['', { path: PATH, beside: { recovery: true }, inEach: none(clients), clients }],
      [
        'recovery: { in: body, name: revive, value: 2 }',
        { path: PATH, beside: { revive: 2 }, inEach: none(clients), clients },
      ],
      [query, { path: `${PATH}?restore=1`, beside: {}, inEach: none(clients), clients }],
      [
        client,
        { path: PATH, beside: {}, inEach: none(clients).map(() => [['undelete', 'yes']]), clients },
      ],
    ];
    for (const [place, sent] of mode === 'create' ? places.slice(1) : places.slice(0, 1))
      expect(await imported(mode, place, ASKED)).toEqual([sent]);
    if (mode === 'upsert') return;
    const plain = { path: PATH, beside: {}, inEach: none(clients), clients };
    const unwanted = { mapping: 'recovery: true', option: ['--no-recovery'] };
    expect(await imported(mode, client, unwanted)).toEqual([plain]);
    const [sent] = await imported(mode, query, { mapping: 'recovery: true', option: [] });
    expect(sent?.path).toBe(`${PATH}?restore=1`);
  });
});

const ROWS = 100;

it(
  'deleted clients are restored, and are deleted again when that is taken back',
  { timeout: 120_000 },
  async () => {
    const world = await openWorld(['create', 'upsert'], ROWS);
    const center = await world.center('center');
    try {
      for (const mode of ['create', 'upsert'] as const) {
        const args = await world.importOf(mode, mode, center.url, ['--recovery']);
        const run = await world.run(args);
        const report = await run.report();
        const deleted = Array.from({ length: ROWS }, (_, index) => index + 1).filter(
          (r) => isDeleted(r) && !isSpoiled(r) && meant(r) === r && isOld[mode](r),
        );
        expect(deleted.length).toBeGreaterThan(3);
        const books = center.books();
        for (const i of deleted) {
          const line = report.find(({ offerId }) => offerId === String(baseOf(mode) + i));
          expect([i, line?.['createResult']]).toEqual([i, 'Success']);
          expect([i, books.get(baseOf(mode) + i)?.deleted]).toEqual([i, false]);
        }
        expect(countOutcomes(report)['failed'] ?? 0).toBeGreaterThan(0);
        const { run: id } = await run.summary();
        const places = ['--ledger', world.at(`${mode}.db`), '--out', world.at(`${mode}-undo`)];
        await world.run(['undo', id, '--yes', ...places, ...OPTIONS]);
        const after = center.books();
        for (const i of deleted)
          expect([i, after.get(baseOf(mode) + i)?.deleted]).toEqual([i, true]);
        const gone = differences(world.before, after, { ...within(mode), live: true });
        expect([...gone].filter(([, text]) => / \| absent$|^absent \| /.test(text))).toEqual([]);
      }
    } finally {
      await center.close();
      await world.close();
    }
  },
);
