import { afterAll, beforeAll, expect, it } from 'vitest';
import { csv, leads, MAPPING, useBench, installation } from '../../kit/bench.js';
import type { Ended } from '../../kit/cardline.js';
import { withPostgres } from '../../kit/with-postgres.js';
import { type Sandbox, startSandbox } from '../../kit/sandbox.js';
import { type Gate, startGate } from '../modes/gate.js';
import { startSubmitter, submitHere } from './harness.js';

const ROWS = 400;
/** Not so many that the run is refused for it. */
const GONE = 15;
/** Short, since that of a killed process has to lapse. */
const LEASE = { leaseMs: 5000, renewMs: 500 };
const IDENTIFIERS = ['offerId', 'offerDomain'];

withPostgres('a list that is shared each night', (server) => {
  const bench = useBench({ once: true });
  let sandbox: Sandbox;
  let gate: Gate;
  let ledger: string;
  beforeAll(async () => {
    sandbox = await startSandbox(bench.at('center.yaml'), bench.at('center.db'));
    gate = await startGate(sandbox.port);
    ledger = await server.ledger();
    await bench.write('gate.yaml', installation(gate.url));
    await bench.write('list.yaml', `mode: upsert\n${MAPPING}delta: { missing: dequeue }\n`);
  }, 300_000);
  afterAll(async () => {
    await gate.close();
    await sandbox.close();
  }, 60_000);

  const requestOf = (file: string) => ({
    ...{ files: [file], mapping: bench.at('list.yaml'), installation: bench.at('gate.yaml') },
    ...{ ledger, out: bench.at('run'), env: bench.environment, campaign: { id: 1 } },
    ...{ pieceRows: 100, lease: LEASE },
  });
  const share = (file: string, more = {}): Promise<Ended> =>
    submitHere({ ...requestOf(file), ...more });
  const summaryOf = ({ stdout }: Ended) =>
    (JSON.parse(stdout) as { summary: { outcomes: Record<string, number>; state: string } })
      .summary;
  const inCampaign = (): number =>
    [...sandbox.books(IDENTIFIERS).values()].filter(({ campaigns }) => campaigns.length > 0).length;

  it('is sent as far as it has changed, and whom it lacks is removed, also after a crash', async () => {
    const first = await share(await bench.write('1.csv', csv(leads(ROWS))));
    expect(first.code, first.stderr).toBe(0);
    expect(summaryOf(first).outcomes).toMatchObject({ enqueued: ROWS });
    const left = leads(ROWS).slice(GONE);
    const file = await bench.write(
      '2.csv',
      csv(left.map((row, at) => (at % 100 === 0 ? { ...row, Comment: 'new' } : row))),
    );
    const refused = await share(file, { detach: true });
    expect([refused.code, refused.stderr]).toEqual([64, expect.stringMatching(/--detach/)]);
    // All pieces have ended by the time the first client is removed.
    const dying = startSubmitter(requestOf(file));
    gate.behave = ({ line }) => {
      if (line.includes('syncId/remove')) dying.child.kill('SIGKILL');
      return undefined;
    };
    expect((await dying.ended).code).toBeNull();
    gate.behave = () => undefined;
    expect(inCampaign()).toBeGreaterThan(ROWS - GONE);
    const second = await share(file);
    expect(second.code, second.stderr).toBe(0);
    const { outcomes, state } = summaryOf(second);
    expect(outcomes).toMatchObject({ updated: 4, unchanged: ROWS - GONE - 4 });
    expect([state, inCampaign()]).toEqual(['finished', ROWS - GONE]);
  }, 300_000);
});
