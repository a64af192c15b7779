import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ImportResult } from '../../src/run/requests.js';
import { noOutcomes } from '../../src/core/outcome.js';
import { CanaryStop, type StopRun, TooManyStop } from '../../src/core/errors.js';
import { PlaceError } from '../../src/nightly/places/place.js';
import { leads, until } from '../runs/harness.js';
import { type Arrivals, openArrivals } from './harness.js';
import { openRig } from './rig.js';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

describe('a canary that does not pass', () => {
  let arrivals: Arrivals;
  beforeEach(async () => {
    arrivals = await openArrivals();
  });
  afterEach(() => arrivals.close());

  it('is noticed although its watcher is stopped meanwhile', async () => {
    const pickup = 'import: { mapping: mapping.yaml, installation: center.yaml, canary: 10 }';
    await arrivals.write(
      'pickup.yaml',
      `ledger: cardline.db
pickups:
  - name: vendor
    from: in
    files: 'leads-*.csv'
    ready: { stableFor: 0s }
    ${pickup}
`,
    );
    arrivals.center.behave = ({ operation }) =>
      operation === '4.1' ? { delay: 1000, refuse: () => 'Refused.' } : undefined;
    await arrivals.arrive('leads-1.csv', leads(100));
    const { child, ended } = arrivals.startWatch();
    const sends = () => arrivals.center.requests.some(({ clients }) => clients > 0);
    await until(sends, 'the canary is sent');
    child.kill('SIGTERM');
    expect((await ended).stderr).toContain('Too many of the first rows failed');
    expect(await arrivals.names()).toEqual(['failed']);
    arrivals.center.behave = () => undefined;
    await arrivals.watch();
    expect(arrivals.center.creations.size).toBe(0);
  });
});

it('nothing more is sent of a file that has its notice and could not be put away', async () => {
  const rig = await openRig();
  try {
    await writeFile(join(rig.in, 'leads-1'), 'text');
    let sent = 0;
    const stopped = (by: StopRun): ImportResult =>
      ({
        ...{ report: '', rejects: [], exitCode: 3, ledger: 'cardline.db' },
        ...{ stopped: by.message, stoppedBy: by },
        summary: { run: 'run-1', rows: 1, outcomes: noOutcomes(), state: 'stopped', seconds: 1 },
      }) as unknown as ImportResult;
    let isBroken = true;
    const watcher = await rig.watcher({
      execute: () => (request) => {
        if (request.maxFailures) return Promise.resolve(stopped(new TooManyStop('Too many.')));
        sent++;
        return Promise.resolve(stopped(new CanaryStop('The first rows failed.')));
      },
      place: (place) => {
        const putAway = place.putAway.bind(place);
        return Object.assign(place, {
          putAway: (...args: Parameters<typeof putAway>) =>
            isBroken ? Promise.reject(new PlaceError('The disk is full.')) : putAway(...args),
        });
      },
    });
    const look = () => watcher.once(new AbortController().signal);
    await expect(look()).rejects.toThrow('The disk is full.');
    isBroken = false;
    await look();
    expect(sent).toBe(1);
    expect((await rig.names('failed')).filter((name) => name === 'leads-1')).toHaveLength(1);
    expect((await rig.notices()).filter(({ kind }) => kind === 'bad')).toHaveLength(1);
  } finally {
    await rig.remove();
  }
});
