import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  LedgerInUseError,
  LostFactsError,
  NoLedgerError,
  UsageError,
} from '../../../src/core/errors.js';
import type { Fact } from '../../../src/core/facts.js';
import type { RunMode } from '../../../src/core/outcome.js';
import type { Ledger, RunRequest } from '../../../src/ledger/port.js';
import {
  begin as beginOn,
  CREATED,
  CREATING,
  END,
  IDENTITY,
  KNOWS,
  LATER,
  type Open,
  ran,
  READ,
  withContent,
} from '../runs.js';
import { KINDS, type Place } from './ledgers.js';

describe.each(KINDS)('$name', (kind) => {
  if (!kind.isThere) {
    it.skip('needs a server', () => undefined);
    return;
  }
  let place: Place;
  let ledger: Ledger;
  let open: Ledger[];
  const another = async (): Promise<Ledger> => {
    const opened = await place.open();
    open.push(opened);
    return opened;
  };
  const begin = (request: Partial<RunRequest> = {}, on: Ledger = ledger): Promise<Open> =>
    beginOn(on, request);
  const done = async (...of: [request?: Partial<RunRequest>, state?: Parameters<typeof ran>[2]]) =>
    (await ran(ledger, ...of)).id;

  // Servers of tests take their time to start on a busy machine.
  beforeAll(() => kind.begin(), 60_000);
  afterAll(() => kind.end(), 60_000);
  beforeEach(async () => {
    place = await kind.place();
    open = [];
    ledger = await another();
  }, 30_000);
  afterEach(async () => {
    for (const one of open) await one.close();
    await place.remove();
  }, 30_000);

  describe('facts', () => {
    it('are there in their order when the ledger is opened again', async () => {
      const first = await begin();
      await Promise.all([
        first.ledger.record(1, [
          {
            kind: 'read',
            data: Buffer.from('{"input":0,"sheet":null,"first":2,"rows":[[4,"c",[3],0]]}'),
          },
        ]),
        first.ledger.record(0, [READ]),
        first.ledger.record(0, [CREATING]),
        first.ledger.record(0, [CREATED]),
      ]);
      await first.close();
      const run = (await begin({}, await another())).ledger;
      expect([run.run, run.continued]).toEqual([first.ledger.run, true]);
      expect(await run.factsOf(0)).toEqual([READ, CREATING, CREATED]);
      expect((await run.factsOf(1)).map(({ kind }) => kind)).toEqual(['read']);
      expect(await run.factsOf(2)).toEqual([]);
      const rows = await run.rows();
      const outcomes = () => Array.from(rows, ({ row, outcome }) => [row, outcome]);
      // The first row has its card, and is yet to be added to the campaign.
      expect(outcomes()).toEqual([[3, 'failed']]);
      expect(outcomes()).toEqual([[3, 'failed']]);
      expect(await run.waiting()).toEqual({ rows: 2, withCard: 1 });
      await run.record(0, [
        { kind: 'enqueuing', rows: [0] },
        { kind: 'enqueued', results: [[0]] },
      ]);
      expect(Array.from(await run.rows(), ({ outcome }) => outcome)).toEqual([
        'enqueued',
        'failed',
      ]);
    });

    it('are what was recorded, whatever they say, whoever recorded meanwhile', async () => {
      const run = (await begin()).ledger;
      let chunk = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.nat()), { maxLength: 4 }), {
            maxLength: 6,
          }),
          async (calls) => {
            const at = chunk++;
            const facts = calls.map((call) =>
              call.map(([reason, row]): Fact => ({ kind: 'create_unknown', rows: [row], reason })),
            );
            await Promise.all(facts.map((call) => run.record(at, call)));
            expect(await run.factsOf(at)).toEqual(facts.flat());
          },
        ),
        { numRuns: 30 },
      );
    });

    it('are the same for several who ask for them at the same moment', async () => {
      const first = await begin();
      await first.ledger.record(0, [READ, CREATING, CREATED]);
      const { run } = first.ledger;
      const all = await Promise.all([
        ledger.factsOf(run),
        ledger.factsOf(run, true),
        ledger.factsOf(run),
      ]);
      for (const facts of all) expect([...facts]).toEqual([[0, [READ, CREATING, CREATED]]]);
      const [rows, waiting] = await Promise.all([ledger.rowsOf(run), ledger.waitingOf(run)]);
      expect(Array.from(rows, ({ row }) => row)).toEqual([3]);
      expect(waiting).toEqual({ rows: 1, withCard: 1 });
    });

    it('of many calls are read chunk by chunk, also backwards, while others are recorded', async () => {
      const first = await begin();
      for (const chunk of [3, 0, 7]) await first.ledger.record(chunk, [READ, CREATING]);
      await Promise.all(Array.from({ length: 1100 }, () => first.ledger.record(9, [CREATING])));
      await first.close();
      const second = await begin({ again: true });
      const order: number[] = [];
      for (const [chunk, facts] of await ledger.factsOf(first.ledger.run, true)) {
        order.push(chunk);
        await second.ledger.record(chunk, facts);
      }
      expect(order).toEqual([9, 7, 3, 0]);
      const [one, other] = await Promise.all(
        [first, second].map(async ({ ledger: { run } }) => [...(await ledger.factsOf(run))]),
      );
      expect(one?.map(([chunk, facts]) => [chunk, facts.length])).toEqual([
        [0, 2],
        [3, 2],
        [7, 2],
        [9, 1100],
      ]);
      expect(other).toEqual(one);
      const last = await ledger.lastFact(second.ledger.run);
      await second.ledger.record(1, [CREATING]);
      expect(await ledger.lastFact(second.ledger.run)).toBeGreaterThan(last);
    });
  });

  describe('runs', () => {
    it('that are finished are not repeated, unless that is asked for', async () => {
      const first = await done({ settings: { mode: 'create', kept: 'ä' } });
      const again = await ledger.openRun({ identity: IDENTITY, settings: {}, out: () => '' });
      expect(again).toMatchObject({ kind: 'done', record: { run: first, ...END } });
      expect(await ledger.settingsOf(first)).toEqual({ mode: 'create', kept: 'ä' });
      const anew = await begin({ again: true });
      expect((await ledger.runs()).map(({ run, state }) => [run, state])).toEqual([
        [anew.ledger.run, 'running'],
        [first, 'finished'],
      ]);
      expect(await ledger.latestToResume()).toBe(anew.ledger.run);
    });

    it('keep what a command renews that goes on with them, and all else', async () => {
      const settings = { mode: 'create', canary: 10, maxFailures: { count: 5 } };
      const run = await done({ settings }, 'stopped');
      const goOn = async (renewed?: RunRequest['renewed']): Promise<unknown> => {
        const opened = await begin({ knows: KNOWS, settings: { other: true }, renewed });
        expect(opened.ledger.run).toBe(run);
        await opened.close();
        return ledger.settingsOf(run);
      };
      expect(await goOn()).toEqual(settings);
      const { canary: _, ...left } = settings;
      expect(await goOn({ maxFailures: { percent: 2 }, canary: undefined })).toEqual({
        ...left,
        maxFailures: { percent: 2 },
      });
    });

    it('that broke off bind what comes later, where something may have been sent', async () => {
      const idle = await begin();
      await idle.ledger.record(0, [READ, CREATING, { kind: 'not_created', rows: [1, 0] }]);
      await idle.close();
      const changed = { ...IDENTITY, mapping: 'bb' };
      const bound = await begin({ identity: changed });
      expect([bound.ledger.run, bound.ledger.continued]).toEqual([idle.ledger.run, false]);
      expect(await bound.ledger.factsOf(0)).toEqual([]);
      await bound.ledger.record(0, [READ, CREATING]);
      await bound.close();
      await expect(begin()).rejects.toThrow(UsageError);
      await expect(begin()).rejects.toThrow('the mapping');
      const same = await begin({ identity: changed });
      expect([same.ledger.run, same.ledger.continued]).toEqual([idle.ledger.run, true]);
    });

    it('of large inputs are decided by their digest, which is put on record later', async () => {
      const fingerprint = { sample: 'ff', content: 'ff 1@2' };
      const large = { ...IDENTITY, content: fingerprint.content, fingerprint };
      const asked = { identity: large, settings: {}, out: () => '' };
      expect((await ledger.foresee(asked)).kind).toBe('begin');
      const killed = await begin({ identity: large });
      await killed.ledger.record(0, [READ, CREATING]);
      await killed.close();
      const copied = { ...asked, identity: { ...large, inputs: ['/copy.csv'] } };
      expect((await ledger.foresee(copied)).kind).toBe('digest');
      // It is known by what its files showed.
      const first = await begin({ identity: { ...large, content: 'dd' } });
      expect(first.ledger).toMatchObject({ run: killed.ledger.run, continued: true });
      await first.identify('dd');
      await first.ledger.end({ state: 'finished', ...END });
      await first.close();
      expect((await ledger.openRun(asked)).kind).toBe('digest');
      const known = { ...asked, identity: { ...large, content: 'dd' } };
      expect((await ledger.openRun(known)).kind).toBe('done');
    });

    it('know of earlier ones, and of what was taken back of these', async () => {
      const first = await done();
      const second = await begin({ identity: withContent('dd'), knows: KNOWS });
      expect(second.relies.map(({ run }) => run)).toEqual([first]);
      await second.ledger.end({ state: 'finished', ...END });
      await second.close();
      const undo = await done({
        identity: withContent('undo', `run ${first}`),
        settings: { mode: 'undo', undoes: first },
        knows: null,
      });
      const third = await begin({ knows: KNOWS });
      expect(
        third.relies.map(({ run, undos, reliesOnUndone }) => [run, undos, reliesOnUndone]),
      ).toEqual([
        [second.ledger.run, [], true],
        [first, [undo], false],
      ]);
    });
  });

  describe('lists of runs', () => {
    it('have pages: parts of those that fit, the latest first', async () => {
      const modes = ['create', 'update'] as const;
      const campaigns = new Map<string, string>();
      for (let number = 0; number < 12; number++) {
        const name = `Campaign ${number % 3}`;
        const run = await begin({
          identity: withContent(`c${number}`, `/list-${number % 4}.csv`),
          settings: { mode: modes[number % 2], campaign: { name } },
          again: true,
        });
        campaigns.set(run.ledger.run, name);
        await run.ledger.record(0, [READ]);
        const state = number % 3 > 1 ? 'finished' : 'stopped';
        if (number % 3 > 0) await run.ledger.end({ state, ...END });
        // The last two are still at work; one of them is at its end.
        if (number < 10) await run.close();
      }
      const fits = ([input = '']: readonly string[], campaign: string | null): boolean =>
        input === '/list-1.csv' || campaign === 'Campaign 2';
      await fc.assert(
        fc.asyncProperty(
          fc.record({
            state: fc.constantFrom(
              undefined,
              'running',
              'finished',
              'stopped',
              'broken_off',
              'open',
            ),
            mode: fc.constantFrom(undefined, ...modes),
            fits: fc.constantFrom(undefined, fits),
          }),
          fc.nat(13),
          fc.nat(13),
          async (filter, offset, limit) => {
            const all = await ledger.runs();
            const wanted = all.filter(
              ({ run, state, mode, inputs }) =>
                (filter.state ?? state) === state &&
                (filter.mode ?? mode) === mode &&
                (filter.fits?.(inputs, campaigns.get(run) ?? null) ?? true),
            );
            const page = await ledger.page(filter, offset, limit);
            expect(page.runs).toEqual(wanted.slice(offset, offset + limit));
            expect(page).toMatchObject({ total: wanted.length, all: all.length });
          },
        ),
        { numRuns: 60 },
      );
    }, 30_000);

    it('find one by its id, and none by another', async () => {
      const first = await done();
      const second = await begin({ identity: withContent('dd') });
      expect(await ledger.find(first)).toEqual((await ledger.runs())[1]);
      expect(await ledger.find(second.ledger.run)).toMatchObject({ state: 'running' });
      expect(await ledger.find('none')).toBeUndefined();
    });

    it('say of several at once which can be continued, and what took them back', async () => {
      const undoOf = (run: string): Partial<RunRequest> => ({
        identity: withContent(`undo ${run}`, `run ${run}`),
        settings: { mode: 'undo', undoes: run },
        again: true,
      });
      const ofFile = (file: string): Partial<RunRequest> => ({
        identity: withContent(file, file),
      });
      const finished = await done(ofFile('/a.csv'));
      const stopped = await done(ofFile('/b.csv'), 'stopped');
      const undone = await done(ofFile('/c.csv'), 'stopped');
      const atWork = await begin(ofFile('/d.csv'));
      const overtaken = await done(ofFile('/e.csv'), 'stopped');
      const later = await done({ ...ofFile('/e.csv'), again: true });
      const undos = [await done(undoOf(undone)), await done(undoOf(finished))];
      const other = await done(undoOf(finished));
      // One that broke off with nothing changed has taken nothing back.
      const idle = await begin(undoOf(stopped));
      await idle.close();
      const all = [finished, stopped, undone, atWork.ledger.run, overtaken, later, 'none'];
      expect([...(await ledger.resumable(all))]).toEqual([stopped]);
      expect([...(await ledger.resumable([finished, later]))]).toEqual([]);
      const found = await ledger.undosOf(all);
      expect(Object.fromEntries(found)).toEqual({
        [undone]: [undos[0]],
        [finished]: [undos[1], other],
      });
      expect((await ledger.undosOf([stopped, later])).size).toBe(0);
    });

    it('give the rows of a run chunk by chunk, and each chunk again', async () => {
      const run = await begin();
      await run.ledger.record(4, [READ]);
      await run.ledger.record(2, [READ, CREATING, CREATED]);
      await run.ledger.record(7, [CREATING]);
      const chunks = await ledger.rowsByChunk(run.ledger.run);
      const shown = () =>
        Array.from(chunks, ({ chunk, rows, waiting }) => [
          chunk,
          rows.map(({ row }) => row),
          waiting,
        ]);
      // The first row of chunk 2 has its card, and is yet to be added to the campaign.
      const expected = [
        [2, [3], { rows: 1, withCard: 1 }],
        [4, [], { rows: 2, withCard: 0 }],
      ];
      expect(shown()).toEqual(expected);
      expect(shown()).toEqual(expected);
      for (const { chunk, rows } of chunks)
        expect(await ledger.rowsOfChunk(run.ledger.run, chunk)).toEqual(rows);
      const [first] = await ledger.rowsOf(run.ledger.run);
      expect(first?.row).toBe(3);
      expect(await ledger.rowsOfChunk(run.ledger.run, 7)).toEqual([]);
      expect(await ledger.rowsOfChunk(run.ledger.run, 9)).toEqual([]);
      expect(await ledger.rowsOfChunk('none', 2)).toEqual([]);
      expect([...(await ledger.rowsByChunk('none'))]).toEqual([]);
      expect([...(await ledger.rowsOf('none'))]).toEqual([]);
    });
  });

  describe('locks', () => {
    it('keep a second process from a run, until the first gives it back', async () => {
      const other = await another();
      const run = await begin();
      await run.ledger.record(0, [READ, CREATING]);
      const refused = begin({}, other);
      await expect(refused).rejects.toThrow(LedgerInUseError);
      await expect(refused).rejects.toThrow(new RegExp(`${process.pid} on .* since`));
      await expect(begin({ again: true }, other)).rejects.toThrow(LedgerInUseError);
      expect(await other.runs()).toMatchObject([{ state: 'running' }]);
      await run.close();
      expect(await other.runs()).toMatchObject([{ state: 'broken_off' }]);
      expect((await begin({}, other)).ledger.run).toBe(run.ledger.run);
    });

    it('keep who begins anew from rows that another process sends from the rejects, or of their file', async () => {
      const first = await done({ knows: KNOWS });
      const ofRejects = withContent('dd', `/runs/${first}/rejects.csv`);
      const ofOther = withContent('ee', '/other.csv');
      const anew = { knows: KNOWS, again: true };
      const other = await another();
      const rejects = await begin({ identity: ofRejects, knows: KNOWS }, other);
      await rejects.ledger.record(0, [READ, CREATING]);
      await expect(begin(anew)).rejects.toThrow(LedgerInUseError);
      await (await begin({ ...anew, identity: ofOther })).close();
      // Where it is over, what is sent anew is what was asked for.
      await rejects.ledger.end({ ...END, state: 'finished' });
      await rejects.close();
      const again = await begin(anew);
      await again.ledger.record(0, [READ, CREATING]);
      await expect(begin({ ...anew, identity: ofRejects }, other)).rejects.toThrow(
        LedgerInUseError,
      );
      await again.close();
    });

    it('keep a changed file from rows that an import of its rejects has sent, and broke off', async () => {
      const first = await done({ knows: KNOWS });
      const ofRejects = withContent('dd', `/runs/${first}/rejects.csv`);
      const rejects = await begin({ identity: ofRejects, knows: KNOWS });
      await rejects.ledger.record(0, [READ, CREATING]);
      await rejects.ledger.end({ ...END, state: 'stopped' });
      await rejects.close();
      const changed = { identity: withContent('ff'), knows: KNOWS };
      await expect(begin(changed)).rejects.toThrow(
        `Run ${rejects.ledger.run}, which sends rejects`,
      );
      // Its own rejects are rows that it has left.
      const left = withContent('ee', `${rejects.out}/rejects.csv`);
      await (await begin({ identity: left, knows: KNOWS })).close();
      const anew = await begin({ ...changed, again: true });
      await anew.ledger.record(0, [READ]);
      await anew.ledger.end({ ...END, state: 'finished' });
      await anew.close();
      const resumed = { identity: ofRejects, knows: KNOWS, run: rejects.ledger.run };
      await expect(begin(resumed)).rejects.toThrow('has come to its end since');
    });

    it('hold a run on which nobody then relies, and none on which somebody does', async () => {
      const first = await done();
      const other = await another();
      const held = await other.holdRun(first);
      const next = { identity: withContent('dd'), knows: KNOWS };
      await expect(begin(next)).rejects.toThrow(LedgerInUseError);
      await held.release();
      const second = await begin(next);
      await expect(other.holdRun(first)).rejects.toThrow(LedgerInUseError);
      await second.close();
      await (await other.holdRun(first)).release();
    });

    it('let one of several begin that come at the same moment', async () => {
      const all = [ledger, await another(), await another()];
      const opened = await Promise.allSettled(all.map((one) => begin({}, one)));
      expect(opened.map(({ status }) => status).sort()).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
      ]);
      expect(await ledger.runs()).toHaveLength(1);
    });
  });

  describe('pruning', () => {
    it('forgets finished runs that are old, and none that others need', async () => {
      const first = await done();
      const second = await done({ identity: withContent('dd') }, 'stopped');
      const other = await done({ identity: withContent('ee', '/other.csv') });
      expect(await ledger.prune(Date.now() - 60_000)).toEqual([]);
      expect(await ledger.prune(LATER)).toEqual([other]);
      expect((await ledger.runs()).map(({ run }) => run)).toEqual([second, first]);
      await done({ identity: withContent('dd') });
      expect(await ledger.prune(LATER)).toEqual([first, second]);
      expect(await ledger.runs()).toEqual([]);
      expect([...(await ledger.factsOf(first))]).toEqual([]);
    });

    it('forgets the lists of old first, with what removed their clients', async () => {
      const issue = (file: string, mode: RunMode, list: string | null = 'crm') => ({
        identity: withContent(file, file),
        settings: list === null ? { mode } : { mode, delta: { list, mapping: '', isWhole: true } },
        knows: { scope: 'same list', modes: new Set<RunMode>(['upsert']), list: 'crm' } as const,
      });
      const first = await done(issue('/1.csv', 'upsert'));
      // It broke off, and can be continued for as long as no later list has sent anything.
      const second = await done(issue('/2.csv', 'upsert'), 'stopped');
      const removal = await done(issue('/gone.csv', 'delete', null));
      const other = await done(issue('/other.csv', 'upsert', 'shop'));
      expect(await ledger.prune(LATER)).toEqual([other]);
      const third = await done(issue('/3.csv', 'upsert'));
      const missing = await done(issue(`run ${third}`, 'dequeue'));
      expect(await ledger.prune(LATER)).toEqual([first, second, removal, third, missing]);
    });
  });

  it('refuses a run whose last facts may be lost, and lets it look up every open row', async () => {
    const run = await begin();
    await run.ledger.record(0, [READ, CREATING]);
    const lost = ledger;
    open = [];
    await place.loseTail(lost);
    const later = await another();
    await expect(begin({}, later)).rejects.toThrow(LostFactsError);
    await expect(later.holdRun(run.ledger.run)).rejects.toThrow(/--settle-all/);
    const settling = await begin({ settleAll: true }, later);
    expect(settling.ledger).toMatchObject({ run: run.ledger.run, settlesAll: true });
    await settling.close();
    expect((await begin({}, later)).ledger.settlesAll).toBe(true);
  }, 60_000);

  describe('versions of the tables', () => {
    it('are made once by those who come first together, and stay', async () => {
      const empty = await kind.place(true);
      const all = await Promise.all([1, 2, 3, 4].map(() => empty.open()));
      await Promise.all(all.map((one) => one.close()));
      const again = await empty.open();
      expect(await again.runs()).toEqual([]);
      await again.close();
      await empty.remove();
    });

    it('that are newer are refused', async () => {
      await ledger.close();
      open = [];
      await place.becomeNewer();
      await expect(place.open()).rejects.toThrow(NoLedgerError);
      await expect(place.open()).rejects.toThrow(/later version of cardline/);
    });
  });
});
