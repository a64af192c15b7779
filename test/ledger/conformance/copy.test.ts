import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LedgerInUseError, UsageError } from '../../../src/core/errors.js';
import type { Fact } from '../../../src/core/facts.js';
import { copyRuns } from '../../../src/ledger/ledger.js';
import type { Ledger } from '../../../src/ledger/port.js';
import { begin, CREATING, END, withContent } from '../runs.js';
import { KINDS, type Place } from './ledgers.js';

const READ: Fact = {
  kind: 'read',
  data: '{"input":0,"sheet":null,"first":0,"rows":[[2,"ä\\u0000\\ud800",[1],0],[3,"b",[2],0]]}',
};
const ran = async (
  ledger: Ledger,
  content: string,
  state?: 'finished' | 'stopped',
): Promise<string> => {
  const run = await begin(ledger, { identity: withContent(content, `/${content}.csv`) });
  for (let chunk = 0; chunk < 3; chunk++)
    await run.ledger.record(chunk, [READ, CREATING, ...Array<Fact>(chunk * 250).fill(CREATING)]);
  await run.ledger.record(0, [CREATING]);
  if (state) await run.ledger.end({ state, ...END });
  await run.close();
  return run.ledger.run;
};

const contentsOf = async (ledger: Ledger) =>
  Promise.all(
    (await ledger.runs()).map(async (run) => ({
      ...run,
      facts: [...(await ledger.factsOf(run.run))],
      settings: await ledger.settingsOf(run.run),
    })),
  );

const PAIRS = KINDS.flatMap((from) => KINDS.map((to) => ({ from, to }))).map((pair) => ({
  ...pair,
  name: `from ${pair.from.name} to ${pair.to.name}`,
  // What reads and what writes does so whatever is on the other side.
  tags: pair.from === pair.to ? 'depth' : [],
}));

describe('a copy', () => {
  const kinds = KINDS.filter(({ isThere }) => isThere);
  beforeAll(async () => {
    for (const kind of kinds) await kind.begin();
  }, 60_000);
  afterAll(() => {
    for (const kind of kinds) kind.end();
  }, 60_000);

  for (const { name, tags, from, to } of PAIRS)
    describe(name, { tags }, () => {
      if (!from.isThere || !to.isThere) {
        it.skip('needs a server', () => undefined);
        return;
      }
      let places: Place[];
      let source: Ledger;
      let target: Ledger;
      beforeEach(async () => {
        places = [await from.place(), await to.place()];
        [source, target] = (await Promise.all(places.map((place) => place.open()))) as [
          Ledger,
          Ledger,
        ];
      }, 30_000);
      afterEach(async () => {
        await source.close();
        await target.close();
        for (const place of places) await place.remove();
      }, 30_000);

      it('has every run with its facts, and copies none twice', async () => {
        const runs = [await ran(source, 'one', 'finished'), await ran(source, 'two', 'finished')];
        const { copied, there } = await copyRuns({ from: source, to: target });
        expect([copied.map(({ run }) => run), there]).toEqual([runs, []]);
        expect(await contentsOf(target)).toEqual(await contentsOf(source));
        const third = await ran(source, 'three', 'finished');
        const again = await copyRuns({ from: source, to: target });
        expect([again.copied.map(({ run }) => run), again.there]).toEqual([[third], runs]);
        expect(await contentsOf(target)).toEqual(await contentsOf(source));
        // It is known there as it is here.
        const identity = withContent('one', '/one.csv');
        const opened = await target.openRun({ identity, settings: {}, out: () => '' });
        expect(opened).toMatchObject({ kind: 'done', record: { run: runs[0] } });
      });

      it('of a run that is not at its end looks everything up, wherever it goes on', async () => {
        const stopped = await ran(source, 'cc', 'stopped');
        const broken = await ran(source, 'dd');
        const { copied } = await copyRuns({ from: source, to: target });
        expect(copied).toMatchObject([
          { run: stopped, finished: false, facts: 757 },
          { run: broken, finished: false },
        ]);
        for (const ledger of [source, target])
          for (const content of ['cc', 'dd']) {
            const identity = withContent(content, `/${content}.csv`);
            const run = await begin(ledger, { identity });
            expect(run.ledger).toMatchObject({ continued: true, settlesAll: true });
            await run.close();
          }
      });

      it('is refused of a run on which somebody works, or that has gone on since', async () => {
        await ran(source, 'one', 'finished');
        const run = await begin(source);
        await expect(copyRuns({ from: source, to: target })).rejects.toThrow(LedgerInUseError);
        await run.ledger.record(0, [READ, CREATING]);
        await run.close();
        expect((await copyRuns({ from: source, to: target })).copied).toHaveLength(1);
        const next = await begin(target);
        await next.ledger.record(0, [CREATING]);
        await next.close();
        await expect(copyRuns({ from: source, to: target })).rejects.toThrow(/is in both ledgers/);
      });

      it('never puts a run behind a later one over the same file', async () => {
        await ran(source, 'same', 'finished');
        await ran(target, 'same', 'finished');
        await ran(target, 'another', 'finished');
        const refused = copyRuns({ from: source, to: target });
        await expect(refused).rejects.toThrow(UsageError);
        await expect(refused).rejects.toThrow(/Nothing was copied/);
        expect(await target.runs()).toHaveLength(2);
      });
    });
});
