import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Result, ResultRows } from '../../../src/web/page/state/answers.js';
import { openPageBench, type PageBench } from '../harness.js';
import { nameOf, recordRun, ROWS, type RecordedRun } from '../recorded-run.js';

let recorded: RecordedRun;
let bench: PageBench;
beforeAll(async () => {
  recorded = await recordRun();
  bench = await openPageBench({ ledger: recorded.ledger });
});
afterAll(async () => {
  await bench.close();
  await recorded.remove();
});

const at = (path: string): string => `/api/runs/${recorded.run}/${path}`;
const result = (of = bench) => of.api<Result>(`GET ${at('result')}`);
const page = (query: string, of = bench) => of.api<ResultRows>(`GET ${at(`rows?${query}`)}`);
const download = (path: string, of = bench) => of.download(path);

/** The rows of all pages, by their numbers. */
async function allRows(query: string, limit = 7): Promise<number[]> {
  const rows: number[] = [];
  for (;;) {
    const { rows: more, total } = await page(`${query}&limit=${limit}&offset=${rows.length}`);
    rows.push(...more.map(({ cells }) => Number(cells[0])));
    if (more.length === 0) {
      expect(rows.length).toBe(total);
      return rows;
    }
  }
}

describe('the result of a run', () => {
  it('counts as the command line does', async () => {
    const { outcomes, rows, next, reasons } = await result();
    const { summary } = recorded;
    const counted = Object.fromEntries(outcomes.map(({ outcome, count }) => [outcome, count]));
    expect(rows).toBe(ROWS);
    expect(summary.outcomes).toMatchObject(counted);
    expect(next.bad).toBe((counted['rejected'] ?? 0) + (counted['enqueue_failed'] ?? 0));
    expect(reasons[0]).toMatchObject({ column: 'Phone', outcome: 'rejected', rows: 60 });
  });

  it('says first what the report says, and then what the command line says', async () => {
    const { next } = await result();
    const { text } = await download(at('files/report.html'));
    const [, headline = ''] = /<h1 id="headline">([^<]*)<\/h1>/.exec(text) ?? [];
    expect(next.kind).toBe('mend');
    expect(next.sentence).toBe(`${headline}.`);
    expect(next.more).toContain('Correct the rows in rejects.csv, then import them.');
  });

  it('has the score of the list and what its checks came to, as the summary has', async () => {
    const { facts } = await result();
    const { quality } = recorded.summary;
    expect(quality).toMatchObject({ rows: ROWS, lost: 60 });
    expect(facts.quality).toMatchObject({ score: quality.score, rows: ROWS, lost: 60 });
    expect(facts.quality?.parts).toContainEqual({
      ...{ part: 'phones', points: quality.parts.phones?.points },
      ...{ of: quality.parts.phones?.of, rows: 60 },
    });
    expect(facts.checks).toMatchObject([
      { holds: true, isStop: false, sentence: expect.stringContaining('rows') as string },
      {
        ...{ holds: false, isStop: false },
        sentence: expect.stringMatching(/^invalid Segment: 10 rows of 180 /) as string,
      },
    ]);
  });

  it('has each row behind its count, once', async () => {
    const { outcomes, reasons } = await result();
    const byOutcome = await Promise.all(
      outcomes.map(({ outcome }) => allRows(`outcome=${outcome}`)),
    );
    expect(byOutcome.map((rows) => rows.length)).toEqual(outcomes.map(({ count }) => count));
    const all = await allRows('');
    expect(byOutcome.flat().sort((a, b) => a - b)).toEqual(all);
    expect(all).toEqual(Array.from({ length: ROWS }, (_, row) => row + 2));
    for (const { id, rows } of reasons) expect((await allRows(`reason=${id}`)).length).toBe(rows);
  });

  it('gives the reports and the rejects as the run has written them', async () => {
    expect((await download(at('files/report.csv'))).text).toBe(recorded.report);
    const rejects = await download(at('files/rejects.csv'));
    expect(rejects.text).toBe(recorded.rejects);
    expect(rejects.headers['content-disposition']).toContain('attachment');
    for (const ending of ['jsonl', 'xlsx', 'html', 'parquet', 'txt'])
      expect((await download(at(`files/report.${ending}`))).status).toBe(200);
    expect((await download(at('files/secret.csv'))).status).toBe(404);
  });

  it('says that a run is not there', async () => {
    for (const path of ['result', 'rows', 'undo'])
      expect(await bench.api(`GET /api/runs/20260101-000000-0000/${path}`)).toMatchObject({
        code: 'no_such_run',
      });
    const empty = await openPageBench();
    expect(await empty.api('GET /api/runs/20260101-000000-0000/result')).toMatchObject({
      code: 'no_such_run',
    });
    await empty.close();
  });
});

describe('taking a run back', () => {
  it('says what it would do, and needs that number', async () => {
    const { summary } = recorded;
    const preview = await bench.api(`GET ${at('undo')}`);
    const { enqueued = 0, enqueue_failed: failed = 0 } = summary.outcomes;
    expect(preview).toEqual({
      ...{ rows: enqueued + failed, cards: enqueued + failed, applications: enqueued },
      ...{ fields: 0, remaining: 0 },
    });
    expect(await bench.api(`POST ${at('undo')}`, { rows: enqueued })).toMatchObject({
      code: 'undo_changed',
    });
    expect((await result()).undos).toEqual([]);
  });

  it('needs a contact center, and is not for who only looks', async () => {
    const { enqueued = 0, enqueue_failed: failed = 0 } = recorded.summary.outcomes;
    const body = { rows: enqueued + failed };
    expect(await bench.api(`POST ${at('undo')}`, body)).toMatchObject({ code: 'no_installation' });
    const reader = await openPageBench({ ledger: recorded.ledger, readOnly: true });
    for (const what of ['undo', 'reconcile', 'resume', 'mend'])
      expect(await reader.api(`POST ${at(what)}`, body)).toMatchObject({ code: 'read_only' });
    await reader.close();
  });
});

describe('with --mask', () => {
  it('shows where rows stand and why, and nothing of what they say', async () => {
    const hidden = await openPageBench({ ledger: recorded.ledger, mask: true });
    const shown = JSON.stringify([
      await result(hidden),
      await page('', hidden),
      await page('outcome=rejected', hidden),
      await page('outcome=enqueue_failed', hidden),
    ]);
    expect(shown).toContain('Phone: This is not a phone number');
    for (const secret of [nameOf(3), 'lukewarm', '(none)', '50003', '50001', '9990000666'])
      expect(shown).not.toContain(secret);
    for (const file of ['report.csv', 'report.html', 'rejects.csv'])
      expect((await download(at(`files/${file}`), hidden)).status).toBe(403);
    await hidden.close();
  });
});
