import { beforeEach, describe, expect, it } from 'vitest';
import type { Mode } from '../../../src/core/outcome.js';
import { countOutcomes, type Line } from '../../kit/bench.js';
import { differences } from './books.js';
import { baseOf, identifiersOf } from './clients.js';
import { within } from './compare.js';
import { OPTIONS, type Run, brokenOff, counted, useWorld } from './world.js';

const ROWS = 40;
const MODES = ['create', 'update', 'dequeue', 'contacts', 'callbacks', 'rekey', 'delete'] as const;

const stage = useWorld(MODES, ROWS, { each: true });
const { world, center, gate } = stage;
let number = 0;
beforeEach(() => {
  number++;
});

/** Imports a mode's spreadsheet under a name of its own. */
async function imported(
  mode: Mode,
  more: readonly string[] = [],
): Promise<{ run: Run; id: string; name: string }> {
  const name = `${mode}-${number}`;
  const run = await world.run(await world.importOf(mode, name, gate.url, more));
  return { run, id: (await run.summary()).run, name };
}

const undo = (name: string, id: string, more: readonly string[] = []): Promise<Run> => {
  const places = ['--ledger', world.at(`${name}.db`), '--out', world.at(`${name}-undo`)];
  return world.run(['undo', id, '--yes', ...places, ...OPTIONS, ...more]);
};

/** An undo is refused with these words, and nothing is sent. */
async function refusesUndo(
  name: string,
  id: string,
  words: RegExp,
  more: readonly string[] = [],
): Promise<void> {
  const requests = counted(gate);
  const refused = await undo(name, id, more);
  expect([refused.code, refused.stderr]).toEqual([64, expect.stringMatching(words)]);
  expect(requests()).toBe(0);
}

/** The id of the only run of a ledger that is not an undo. */
async function runOf(name: string): Promise<string> {
  const { stdout } = await world.run(['runs', '--json', '--ledger', world.at(`${name}.db`)]);
  const runs = JSON.parse(stdout) as { run: string; mode: string }[];
  return runs.find(({ mode }) => mode !== 'undo')?.run ?? '';
}

/** Rows of a run of which only the mode counts. */
const SOME = ['--limit', '5'];
const OTHER_CENTER = `name: other
baseUrl: http://127.0.0.1:9
card: { offerId: { type: Number, sync: true }, offerDomain: { type: TextField, sync: true } }
`;

describe('a run that cannot be taken back is refused, and nothing is sent', () => {
  it('of a mode that leaves nothing to go back to', async () => {
    for (const [mode, reason] of [
      ['dequeue', /mode dequeue.*cannot be put back/],
      ['contacts', /mode contacts.*does not show what the statuses/],
      ['callbacks', /mode callbacks.*no operation removes a callback/],
      ['rekey', /mode rekey.*does not show what the identifiers were/],
      ['delete', /mode delete.*added again, with "recovery"/],
    ] as const) {
      const { id, name } = await imported(mode, SOME);
      await refusesUndo(name, id, reason);
    }
  });

  it('one that is not on record, of no ledger, on another contact center, and an undo', async () => {
    const { id, name } = await imported('create', SOME);
    const nobody = '20261120-174500-1f3a';
    await refusesUndo(name, nobody, /has no run 20261120-174500-1f3a.*cardline runs/);
    await refusesUndo('nowhere', nobody, /no ledger here/);
    const other = ['-i', await world.write('other.yaml', OTHER_CENTER)];
    await refusesUndo(name, id, /another contact center/, other);
    const { run } = await (await undo(name, id)).summary();
    await refusesUndo(name, run, /mode undo.*import its rows again/);
  });

  it('one that is under way', async () => {
    const name = `update-${number}`;
    gate.hold = () => 20;
    const running = world.start(await world.importOf('update', name, gate.url));
    await new Promise<void>((resolve) => {
      gate.onCarriedOut = () => resolve();
    });
    const refused = await undo(name, await runOf(name));
    running.child.kill('SIGKILL');
    await running.ended;
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringMatching(/working on run/)]);
  });
});

const failures = (report: readonly Line[]): Line[] =>
  report.filter(({ outcome }) => outcome === 'failed');

describe('a run that broke off', () => {
  it('is taken back as far as it is known, then imported anew, and that is taken back too', async () => {
    const name = `create-${number}`;
    const args = await world.importOf('create', name, gate.url);
    await brokenOff(stage, args, 3);
    const id = await runOf(name);
    const first = await undo(name, id);
    expect(first.code, first.stderr).toBe(2);
    const report = await first.report();
    // What was under way is not known, and left alone; whatever else the run did is gone.
    expect(failures(report).length).toBeGreaterThan(0);
    for (const { changeResult } of failures(report))
      expect(changeResult).toMatch(
        /not known what the run did with this row.*importing its file again/,
      );
    const doubtful = new Set(failures(report).map((line) => Number(line['offerId'])));
    const left = differences(world.before, center.books(), { ...within('create'), live: true });
    expect([...left].filter(([offerId]) => !doubtful.has(offerId))).toEqual([]);

    // What was taken back is no longer there to go on from.
    const anew = await world.run(args);
    expect(anew.stderr).not.toContain('Continuing run');
    const { rows, run: later } = await anew.summary();
    expect([rows, later === id]).toEqual([ROWS, false]);
    // Whoever may have been created by the first one is looked up, and not created blindly.
    const refused = (await anew.report()).filter(
      ({ offerId, createResult = '' }) =>
        doubtful.has(Number(offerId)) && /exist/.test(createResult),
    );
    expect(refused).toEqual([]);
    const second = await undo(name, later);
    expect(second.stderr).not.toContain('taken back already');
    expect((await second.summary()).rows).toBe(ROWS);
    // A client whose creation was lost may have been there before: these are left, and the report says so.
    const maybe = failures(await second.report());
    for (const { changeResult } of maybe)
      expect(changeResult).toMatch(/The answer to its creation was lost/);
    const maybeOurs = new Set(maybe.map((line) => Number(line['offerId'])));
    const rest = differences(world.before, center.books(), { ...within('create'), live: true });
    expect([...rest].filter(([offerId]) => !maybeOurs.has(offerId))).toEqual([]);
  });

  it('tells of contacts that it may have added', async () => {
    // Killed when the third phone has been added: whose answers were lost is not known.
    const name = `update-${number}`;
    const args = await world.importOf('update', name, gate.url);
    const running = world.start(args);
    let added = 0;
    gate.onCarriedOut = ({ line }) => {
      if (line.startsWith('POST /api/v1/clients/phones') && ++added === 10)
        running.child.kill('SIGKILL');
    };
    expect((await running.ended).code).toBe(null);
    gate.onCarriedOut = () => undefined;
    const run = await world.run(args);
    const undone = await (await undo(name, (await run.summary()).run)).report();
    const maybe = undone.filter(({ changeResult }) => /may have added/.test(changeResult ?? ''));
    expect(maybe.length).toBeGreaterThan(0);
    // Every contact that is there and was not is told of, one way or the other.
    const told = new Map<number, number>();
    for (const { offerId, changeResult = '' } of undone) {
      const counts = [...changeResult.matchAll(/(\d+) (?:added )?contacts? stays?/g)];
      const sum = counts.reduce((all, [, count]) => all + Number(count), 0);
      told.set(Number(offerId), (told.get(Number(offerId)) ?? 0) + sum);
    }
    const now = center.books();
    for (const [offerId, { contacts }] of world.before) {
      if (offerId < baseOf('update') || offerId >= baseOf('dequeue')) continue;
      const more = (now.get(offerId)?.contacts.length ?? 0) - contacts.length;
      expect([offerId, more <= (told.get(offerId) ?? 0)]).toEqual([offerId, true]);
    }
  });
});

describe('what somebody did since', () => {
  it('another card that has the identifiers now is left', async () => {
    const { run, id, name } = await imported('create');
    const created = (await run.report()).filter(({ outcome }) => outcome === 'enqueued');
    const [offerId, clientId] = [created[0]?.['offerId'], created[0]?.['createdClientId']];
    const elsewhere = identifiersOf(baseOf('create'), 900_000);
    await center.ask('PUT', `/clients/${clientId ?? ''}/syncIdentifiers/exec.do`, {
      clientSyncIdentifiers: elsewhere,
    });
    const identifiers = identifiersOf(Number(offerId), 0);
    const fields = { ...identifiers, fullName: 'Somebody else' };
    const client = {
      ...{ uuid: 'other', clientRoleId: 1, type: 'SIMPLE', timeZone: 'UTC', fields },
      ...{ phones: [{ phoneNumber: '79035550000', type: 'MOB' }], emails: [], addresses: [] },
    };
    await center.ask('POST', '/clients/exec.do', { clients: [client] });
    const undone = await undo(name, id);
    const line = (await undone.report()).find((one) => one['offerId'] === offerId);
    expect([undone.code, line?.['outcome'], line?.['changeResult']]).toEqual([
      2,
      'failed',
      'Another card has these identifiers now; it was left as it is.',
    ]);
    const books = center.books();
    expect(books.get(Number(offerId))).toMatchObject({ deleted: false });
    expect(books.get(elsewhere.offerId)).toMatchObject({ deleted: false });
  });

  it('a client that is gone, or has left the campaign, needs nothing more', async () => {
    const { run, id, name } = await imported('create');
    const [one, other] = (await run.report()).filter(({ outcome }) => outcome === 'enqueued');
    const [first, second] = [one, other].map((line) => identifiersOf(Number(line?.['offerId']), 0));
    await center.ask('DELETE', '/clients/exec.do', { syncIdentifiers: first });
    await center.ask('PUT', '/tacs/campaigns/1/applications/by/syncId/remove.do', {
      clientIdentifiers: second,
      cancelCallbacks: false,
    });
    const undone = await undo(name, id);
    expect(undone.code, undone.stderr).toBe(0);
    expect(countOutcomes(await undone.report())['undone']).toBeGreaterThan(2);
    const left = differences(world.before, center.books(), { ...within('create'), live: true });
    expect([...left]).toEqual([]);
  });

  it('a client that was changed and is gone is missed', async () => {
    const { run, id, name } = await imported('update');
    const [one] = (await run.report()).filter(({ outcome }) => outcome === 'updated');
    const gone = identifiersOf(Number(one?.['offerId']), 0);
    await center.ask('DELETE', '/clients/exec.do', { syncIdentifiers: gone });
    const undone = await undo(name, id);
    const line = (await undone.report()).find(({ row }) => row === one?.['row']);
    expect([line?.['outcome'], line?.['changeResult']]).toEqual([
      'failed',
      expect.stringContaining('The client is not there any more.'),
    ]);
  });
});
