import type { Lease } from '../../../src/ledger/port.js';
import type { Connections } from '../../../src/ledger/database.js';
import { insertRun, takeLease } from '../../../src/ledger/postgres.js';

/** Puts a run on record as the tables have it, and takes its lease. */
export async function insertShared(
  connections: Connections,
  run: string,
): Promise<{ readonly place: number; readonly lease: Lease }> {
  const { place } = await insertRun(connections, {
    ...{ id: run, inputs: '["/leads.csv"]', content: 'cc', mapping: 'aa', settings: '{}' },
    ...{ installation: 'demo http://localhost offerId', campaign: null, out: '/runs' },
    ...{ created_at: 1, opened_at: 1, state: null, ended_at: null, rows: null, outcomes: null },
    ...{ fingerprint: null, parts: null, worker: null, relies: null, settles_all: 0, cluster: '' },
  });
  const lease = await takeLease(connections, run, { leaseMs: 60_000, renewMs: 5_000 });
  if (!lease) throw new Error('The run is taken.');
  return { place, lease };
}
