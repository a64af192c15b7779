import {
  columnMessage,
  type SuppressedCount,
  GOOD_OUTCOMES,
  type OutcomeCounts,
  OUTCOME_TRAITS,
  occurring,
  isImport,
} from '../core/outcome.js';
import { type Repeated, repeatOf } from '../core/duplicates.js';
import { counted, whole, shortened, ledgerCommand } from '../core/text.js';
import {
  repeatedFacts,
  RowTally,
  type RunReport,
  reportColumns,
  type ChosenColumns,
  reportedRun,
  type ReportSource,
  type RunTimeline,
  type TimelinePoint,
} from './rows.js';
import {
  duplicatesText,
  remarksText,
  share,
  placeParts,
  costText,
  qualityLines,
  scoreText,
  durationText,
  localTime,
  NOT_SENT_TWICE,
  waitingSentence,
} from './text/words.js';
import { type PageWords, headline, PAGE_WORDS, runFacts } from './summary.js';
import { type Reason, type ReasonTally, areAllThere } from './reasons.js';
import type { RowReport } from '../core/report.js';
import {
  type ColumnPart,
  type ReportColumn,
  type ReportedRun,
  reportKind,
  type TableCell,
} from './columns.js';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { writePieces } from './files.js';
import type { ListQuality } from '../core/quality.js';
import { basename } from 'node:path';

/**
 * Writes the run as one HTML file, which loads nothing else.
 * @param maxRows how many of the rows that did not end well the page holds
 * @throws OutputError when it cannot be written; an older file stays as it was
 */
export async function writeHtml(
  file: string,
  report: RunReport & Pick<ReportSource, 'timeline' | 'chosenColumns'>,
  maxRows?: number,
): Promise<void> {
  const chosen = report.chosenColumns();
  try {
    const timeline = await report.timeline();
    const tally = new RowTally(report);
    const bad = new BadRows(report, chosen, maxRows);
    for (const row of report.rows) {
      const reasons = tally.add(row);
      if (reasons && bad.isBad(row)) await bad.add(row, reasons);
    }
    const { text } = await pageOf(report, tally, bad, timeline);
    await writePieces(file, [text]);
  } finally {
    await chosen?.close();
  }
}

/** What needs the person comes first; charts are for runs that are long enough to have a course. */
async function pageOf(
  report: RunReport,
  tally: RowTally,
  bad: BadRows,
  timeline: RunTimeline | null,
): Promise<Markup> {
  const words = PAGE_WORDS[reportKind(report.run)];
  const isLong = (timeline?.points.at(-1)?.second ?? 0) > LONG_SECONDS;
  const charts = timeline && isLong ? chartsOf(timeline.points, tally) : null;
  const listed = listedReasons(tally.reasons).filter(({ id }) => bad.reasons.has(id));
  const sections = [
    topSection(report, headline(report, tally), areAllThere(tally.reasons.list()) ? 0 : bad.count),
    reasonsSection(report, tally.reasons, new Set(listed.map(({ id }) => id)), words),
    rowsSection(bad, listed, words),
    outcomesSection(tally, words),
    qualitySection(tally.quality),
    charts && timeline ? chartsSection(charts, timeline) : '',
    factsSection(report),
  ];
  const { script, style } = await pageFiles();
  // The page may load, send and run nothing but what it contains.
  const policy = `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; base-uri 'none'; form-action 'none'`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Run ${report.run.run}</title>
${trusted(`<style>${style}</style>`)}
</head>
<body>
<main>
${sections}
</main>
${embedded(bad.json(charts ?? []))}
${trusted(`<script>${script}</script>`)}
</body>
</html>
`;
}

/** Seconds from which on the course of a run is of interest. */
const LONG_SECONDS = 10;

/** The script and the style of the page, with those of the charts. */
async function pageFiles() {
  const { resolve } = createRequire(import.meta.url);
  const read = (file: string | URL): Promise<string> => readFile(file, 'utf8');
  const own = (ending: string): Promise<string> =>
    read(new URL(`./data/report-page.${ending}`, import.meta.url));
  return {
    script: `${await read(resolve('uplot/dist/uPlot.iife.min.js'))}\n${await own('js')}`,
    style: `${await read(resolve('uplot/dist/uPlot.min.css'))}\n${await own('css')}${COLOURS}`,
  };
}

const COLOURS = Object.entries(OUTCOME_TRAITS)
  .map(
    ([name, { colour }]) =>
      `.mark.${name} { background: ${colour}; } rect.${name} { fill: ${colour}; }\n`,
  )
  .join('');

const hashOf = (text: string): string =>
  `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** What is known of the run apart from its rows. */
const factsSection = (report: RunReport): Markup =>
  markup`<section aria-labelledby="facts">
    <h2 id="facts">About the run</h2>
    <dl>
      ${runFacts(report).map(
        ([label, text]) =>
          markup`<div>
            <dt>${label}</dt>
            <dd>${text}</dd>
          </div>`,
      )}
    </dl>
  </section>`;

/** The score of the list, and where it loses points. */
function qualitySection(quality: ListQuality | null): Part {
  if (!quality) return '';
  return markup`<section aria-labelledby="quality">
    <h2 id="quality">Quality of the list</h2>
    <p>${scoreText(quality)} ${costText(quality)}</p>
    ${tableOf({
      heads: ['part', 'points', 'rows that lose points'],
      lines: qualityLines(quality),
      numeric: new Set(['points']),
    })}
  </section>`;
}

/** The top of the page: what the run is, what needs the person, and what to do. */
function topSection(report: RunReport, headline: string, bad: number): Markup {
  const { run, isSandbox, isTakenBack = false } = report;
  const isToCorrect = bad > 0 && isImport(run.mode) && !isTakenBack;
  return markup`<header>
    <p class="run">
      ${isSandbox ? markup`<strong class="badge">Sandbox</strong> ` : ''}${joined(
        [
          ...run.inputs.map((input) => isolated(basename(input))),
          ...(run.campaignId === null ? [] : [campaign(report)]),
          localTime(run.createdAt),
          ...(run.endedAt === null ? [] : [durationText(run.endedAt - run.createdAt)]),
        ],
        ' · ',
      )}
    </p>
    <h1 id="headline">${headline}</h1>
    ${isTakenBack ? '' : waitingLine(report)}${isToCorrect ? nextStep(report) : ''}
  </header>`;
}

const campaign = ({ run, campaignName }: RunReport): Markup =>
  markup`campaign ${campaignName === undefined ? (run.campaignId ?? '') : isolated(campaignName)}`;

function waitingLine({ run: { run, waiting, mode }, ledger }: RunReport): Part {
  if (!waiting?.rows) return '';
  return markup`<p class="notice">
    ${waitingSentence(waiting.rows, mode)}:
    <code>${ledgerCommand(ledger, 'resume', run)}</code>
  </p>`;
}

/** The rejects lie beside the run's report once the run has ended. */
function nextStep({ run: { state, out } }: RunReport): Part {
  if (state !== 'finished' && state !== 'open') return '';
  return markup`<p>
    Correct them in the rejects file in ${isolated(out)}, and import that file again.
    ${NOT_SENT_TWICE}
  </p>`;
}

/** The charts of the run over time; the script draws them. */
const chartsSection = (charts: readonly Chart[], timeline: RunTimeline): Markup =>
  markup`<section aria-labelledby="over-time">
    <h2 id="over-time">Over time</h2>
    <div class="charts">${charts.map(chartFigure)}</div>
    ${limitChanges(timeline)}
  </section>`;

/** How many requests were permitted at a time and how large they were, and why that changed. */
function limitChanges({ changes, left }: RunTimeline): Part {
  if (changes.length === 0) return '';
  const lines = changes.map(({ second, concurrency, batchSize, reason }) => [
    rounded(second),
    ...[whole(concurrency), whole(batchSize), reason],
  ]);
  const remark =
    left === 0 ? '' : markup`<p>The first of ${whole(changes.length + left)} changes.</p>`;
  const heads = ['second', 'requests at a time', 'clients in one', 'reason'];
  const numeric = new Set(heads.slice(0, -1));
  return foldedTable('What was tried, and why', { heads, lines, numeric }, remark);
}

type Chart = ReturnType<typeof chartsOf>[number];

function chartFigure({ id, title, remark, labels, seconds, series }: Chart): Markup {
  const lines = seconds.map((second, at) => [
    rounded(second),
    ...series.map((values) => rounded(values[at] ?? null)),
  ]);
  const heads = ['second', ...labels];
  return markup`<figure>
    <figcaption>${title}</figcaption>
    <div class="chart" id="${id}" aria-hidden="true"></div>
    <p>${remark}</p>
    ${foldedTable(`${title} as a table`, { heads, lines, numeric: new Set(heads) })}
  </figure>`;
}

const rounded = (value: number | null): string =>
  value === null ? '' : value.toLocaleString('en-US', { maximumFractionDigits: 1 });

/** The charts of a run, its speed, its requests and how long they took: the script draws them, and each has a table. */
function chartsOf(points: readonly TimelinePoint[], { rows, outcomes }: RowTally) {
  const sent = rows - outcomes.rejected - outcomes.skipped;
  const seconds = points.map(({ second }) => second);
  const rate = points.map(({ completedPerSecond }) => completedPerSecond * sent);
  const latency = points.map(({ longestLatency }) => longestLatency);
  const slowest = Math.max(0, ...latency.filter((value) => value !== null));
  return [
    {
      id: 'chart-rate',
      title: 'Rows per second',
      remark: `At most ${whole(Math.round(Math.max(...rate)))} a second. Estimated from the answers: each counts for the same share of the ${whole(sent)} rows that were sent.`,
      labels: ['rows/s'],
      seconds,
      series: [rate],
    },
    {
      id: 'chart-concurrency',
      title: 'Requests in flight',
      remark: 'On average, of those that were answered.',
      labels: ['requests'],
      seconds,
      series: [points.map(({ concurrency }) => concurrency)],
    },
    {
      id: 'chart-latency',
      title: 'Response time',
      remark: `In milliseconds; the slowest took ${whole(Math.round(slowest))}.`,
      labels: ['mean ms', 'longest ms'],
      seconds,
      series: [points.map(({ meanLatency }) => meanLatency), latency],
    },
  ];
}

/** The rows that did not end well; the script fills the table. */
function rowsSection(bad: BadRows, reasons: readonly Reason[], words: PageWords): Markup {
  if (bad.count === 0)
    return markup`<section aria-labelledby="rows">
      <h2 id="rows">${words.rows}</h2>
      <p>There are none.</p>
    </section>`;
  return markup`<section aria-labelledby="rows">
    <h2 id="rows" tabindex="-1">${words.rows}</h2>
    ${notices(bad)}
    <noscript><p>The table of rows needs JavaScript.</p></noscript>
    ${controls(bad.outcomes, reasons, words)}
    <p class="printed" id="printed"></p>
    <div class="scroll" role="region" aria-label="Table of rows" tabindex="0">
      <table id="table" class="stacks">
        <caption>Choose a heading to sort by it</caption>
        <thead></thead>
        <tbody></tbody>
      </table>
    </div>
    <nav class="controls" aria-label="Pages of rows">
      <button type="button" id="previous">Previous</button><span id="page"></span
      ><button type="button" id="next">Next</button>
    </nav>
  </section>`;
}

const notices = ({ count, held, missing }: BadRows): Markup =>
  markup`${
    held < count
      ? markup`<p class="notice">
          The first ${whole(held)} of ${whole(count)} rows are here; --format csv or xlsx has them
          all.
        </p>`
      : ''
  }${
    missing.length > 0
      ? markup`<p class="notice">
          ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not shown: the input is gone,
          or was changed since the run.
        </p>`
      : ''
  }`;

const controls = (
  outcomes: ReadonlySet<string>,
  reasons: readonly Reason[],
  words: PageWords,
): Markup =>
  markup`<form class="controls" role="search" aria-label="Rows">
    <label>Search <input type="search" id="query" autocomplete="off" /></label>
    <label for="outcome">${words.title.replace(/s$/, '')}</label>
    <select id="outcome">
        <option value="">all</option>
        ${[...outcomes].map((outcome) => markup`<option>${outcome}</option>`)}
    </select>
    <label for="reason">Reason</label>
    <select id="reason">
        <option value="">all</option>
        ${reasons.map((reason) => markup`<option value="${reason.id}">${columnMessage(reason)}</option>`)}
    </select>
    <output id="count" aria-live="polite"></output>
  </form>`;

/** A bar of all rows by outcome, and the same as a table. */
function outcomesSection(
  { outcomes, rows, repeated, remarks, duplicates, suppressed }: RowTally,
  words: PageWords,
): Markup {
  const lines = occurring(outcomes).map(([outcome, count]) => [
    markup`<span class="mark ${outcome}"></span>${outcome}`,
    ...[whole(count), share(count, rows)],
    GOOD_OUTCOMES.has(outcome) ? '' : words.bad,
  ]);
  const sum = markup`<tr class="sum">
    <th scope="row">all</th>
    <td class="number" id="all-rows">${whole(rows)}</td>
    <td></td>
    <td></td>
  </tr>`;
  return markup`<section aria-labelledby="outcomes">
    <h2 id="outcomes">${words.title}</h2>
    ${rows === 0 ? '' : bar(outcomes, rows)}
    ${tableOf({
      caption: `Rows by ${words.one}`,
      heads: [words.one, 'rows', 'share', 'remark'],
      lines: [...lines, sum],
      numeric: new Set(['rows', 'share']),
    })}
    ${repeated ? repeatedLines(repeated) : ''}
    ${paragraph(duplicatesText(duplicates.list()))}
    ${paragraph(remarksText(remarks.list()))}
    ${suppressedTable(suppressed.list())}
  </section>`;
}

const paragraph = (text: string): Part => (text === '' ? '' : markup`<p>${text}</p>`);

function suppressedTable(counts: readonly SuppressedCount[]): Part {
  if (counts.length === 0) return '';
  return tableOf({
    caption: 'Left out by lists of numbers that must not be called',
    heads: ['list', 'rows', 'phones of other rows'],
    lines: counts.map(({ list, rows, phones }) => [list, whole(rows), whole(phones)]),
    numeric: new Set(['rows', 'phones of other rows']),
  });
}

const repeatedLines = (repeated: Repeated): Markup[] =>
  repeatedFacts(repeated).map(
    ([label, rows, note]) =>
      markup`<p class="repeated">${label}: ${counted(rows, 'row')} (${note})</p>`,
  );

function bar(outcomes: OutcomeCounts, rows: number): Markup {
  let x = 0;
  const parts = occurring(outcomes).map(([outcome, count]) => {
    const width = (count / rows) * 1000;
    const part = markup`<rect
      class="${outcome}"
      x="${x.toFixed(2)}"
      width="${Math.max(width, 2).toFixed(2)}"
      height="28"
      ><title>${outcome} ${whole(count)}</title></rect
    >`;
    x += width;
    return part;
  });
  return markup`<svg
    class="bar"
    viewBox="0 0 1000 28"
    preserveAspectRatio="none"
    aria-hidden="true"
    focusable="false"
  >
    ${parts}
  </svg>`;
}

/** Reasons that the page lists. */
const MAX_REASONS = 200;

const listedReasons = (tally: ReasonTally): Reason[] => tally.byNeed().slice(0, MAX_REASONS);

/**
 * Why rows ended as they did.
 * @param filtered reasons by which the rows of the page can be filtered
 */
function reasonsSection(
  { run }: RunReport,
  tally: ReasonTally,
  filtered: ReadonlySet<number>,
  words: PageWords,
): Markup {
  const reasons = listedReasons(tally);
  const left = tally.list().length - reasons.length;
  const heads = ['rows', 'reason', 'values', 'in rows', words.one, 'from'];
  const lines = reasons.map((reason) => {
    const { rows, outcome, from, examples } = reason;
    const places = examples.map((place) =>
      joined(placeParts(place, run.inputs).map(isolated), ' '),
    );
    const more = rows > examples.length ? ', …' : '';
    return stackedLine(heads, [
      ...[whole(rows), filtered.has(reason.id) ? button(reason) : columnMessage(reason)],
      ...[valuesOf(reason), markup`${joined(places, ', ')}${more}`, outcome, from],
    ]);
  });
  return markup`<section aria-labelledby="reasons">
    <h2 id="reasons">Reasons</h2>
    ${
      reasons.length === 0
        ? markup`<p>No row has a problem, and the contact center refused none.</p>`
        : tableOf({
            ...{ heads, lines, stacks: true, numeric: new Set(['rows']) },
            caption: filtered.size > 0 ? 'Choose a reason to see its rows' : 'Reasons by frequency',
          })
    }${left > 0 ? markup`<p>${whole(left + tally.unlisted)} more are in the workbook (--format xlsx).</p>` : ''}
  </section>`;
}

const button = (reason: Reason): Markup =>
  markup`<button type="button" class="reason" data-reason="${reason.id}" aria-pressed="false">
    ${columnMessage(reason)}
  </button>`;

/** The different values of the examples. */
function valuesOf({ examples }: Reason): Markup {
  const values = new Set(examples.map(({ value }) => value));
  values.delete(null);
  return joined(
    [...values].map((value) => markup`<q>${isolated(value ?? '')}</q>`),
    ', ',
  );
}

/** A table of the page. */
interface PageTable {
  readonly caption?: string;
  readonly heads: readonly string[];
  /** The cells of each line, the first of which names it; or the line itself. */
  readonly lines: readonly (Markup | readonly Part[])[];
  /** Whether each line becomes a card on a narrow screen; it is one of `stackedLine`. @default false */
  readonly stacks?: boolean;
  /** Heads of the columns that hold numbers. @default none */
  readonly numeric?: ReadonlySet<string>;
}

const tableOf = ({ caption, heads, lines, stacks, numeric }: PageTable): Markup => {
  const kind = heads.map((head) => (numeric?.has(head) ? NUMBER : ''));
  const line = ([first = '', ...others]: readonly Part[]): Markup =>
    markup`<tr>
      <th scope="row"${kind[0] ?? ''}>${first}</th>
      ${others.map((cell, at) => markup`<td${kind[at + 1] ?? ''}>${cell}</td>`)}
    </tr>`;
  return markup`<table class="${stacks ? 'stacks' : ''}">
    ${caption === undefined ? '' : markup`<caption>${caption}</caption>`}
    <thead>
      <tr>
        ${heads.map((head, at) => markup`<th scope="col"${kind[at] ?? ''}>${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${lines.map((cells) => (cells instanceof Markup ? cells : line(cells)))}
    </tbody>
  </table>`;
};

/** A line of a table that stacks; the first column holds numbers. An empty cell has no content and takes no place. */
const stackedLine = (heads: readonly string[], cells: readonly Part[]): Markup =>
  markup`<tr>${cells.map(
    (cell, at) =>
      markup`<td data-label="${heads[at] ?? ''}" class="${at === 0 ? 'number' : ''}">${
        textOf(cell) === '' ? '' : markup`<span>${cell}</span>`
      }</td>`,
  )}</tr>`;

/** A table that is shown on request. It scrolls on its own, by the keyboard too, so that the page does not. */
const foldedTable = (title: string, table: PageTable, remark: Part = ''): Markup =>
  markup`<details>
    <summary>${title}</summary>
    ${remark}
    <div class="scroll" role="region" aria-label="${title}" tabindex="0">${tableOf(table)}</div>
  </details>`;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A piece of HTML. Only this file makes one, so that a text is never taken for markup. */
class Markup {
  constructor(readonly text: string) {}
}

type Part = Markup | string | number | readonly Part[];

/** HTML from a template; the values in it are escaped, unless they are markup themselves. */
const markup = (pieces: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(pieces.map((piece, at) => piece + textOf(parts[at] ?? '')).join(''));

/** Markup from our own source, unescaped. */
const trusted = (text: string): Markup => new Markup(text);

/** A name whose writing direction does not change that of the text around it. */
const isolated = (name: string): Markup => markup`<bdi>${name}</bdi>`;

/** Markup one after the other, with a text such as `, ` between. */
const joined = (parts: readonly Part[], between: string): Markup =>
  new Markup(parts.map(textOf).join(textOf(between)));

const NUMBER = trusted(' class="number"');

/** JSON text for the page's script, as the element of id `data`. No text in it can end the element. */
const embedded = (json: string): Markup =>
  new Markup(
    `<script type="application/json" id="data">${json.replaceAll('<', '\\u003c')}</script>`,
  );

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(textOf).join('');
  return String(part).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

/** Rows that a page holds at most: more would make it slow to open. */
const MAX_ROWS = 50_000;
/** Longest text of a result or reason that is shown, in characters. */
const MAX_TEXT = 1000;

/** A cell of the page's table; an empty one is an empty text. */
type PageCell = string | number;

interface HeldRow {
  readonly cells: readonly PageCell[];
  /** `null` when the row's input is gone or was changed. */
  readonly chosen: readonly PageCell[] | null;
  /** Ids of the row's reasons. */
  readonly reasons: readonly number[];
}

/**
 * Collects the rows that did not end well, for the page's table; of a comparison, also those that repeat others. Holds no
 * more than `max`.
 */
class BadRows {
  readonly outcomes = new Set<string>();
  /** Ids of the reasons of the rows that are held. */
  readonly reasons = new Set<number>();
  count = 0;
  private readonly rows: HeldRow[] = [];
  private readonly run: ReportedRun;
  private readonly columns: readonly ReportColumn[];

  constructor(
    report: RunReport,
    private readonly chosen: ChosenColumns | null,
    private readonly max = MAX_ROWS,
  ) {
    this.run = reportedRun(report);
    this.columns = reportColumns('page', this.run);
  }

  /** Rows that are held. */
  get held(): number {
    return this.rows.length;
  }

  /** Names of the chosen columns, when no row that is held has them. */
  get missing(): readonly string[] {
    const isThere = this.rows.some(({ chosen }) => chosen !== null);
    return isThere || this.rows.length === 0 ? [] : (this.chosen?.names ?? []);
  }

  isBad(row: RowReport): boolean {
    const repeats = reportKind(this.run) === 'comparison' && repeatOf(row) !== null;
    return !GOOD_OUTCOMES.has(row.outcome) || repeats;
  }

  /** Adds a bad row, with the ids of its reasons. */
  async add(row: RowReport, reasons: readonly number[]): Promise<void> {
    this.count++;
    if (this.rows.length >= this.max) return;
    this.outcomes.add(row.outcome);
    for (const id of reasons) this.reasons.add(id);
    const cells = this.columns.map((column) =>
      pageCell(column, (column.page ?? column.cell)(row, this.run)),
    );
    const chosen = await this.chosen?.cells(row);
    this.rows.push({
      ...{ cells, reasons },
      chosen: chosen?.map((cell) => shortened(cell ?? '')) ?? null,
    });
  }

  /** The data of the page's script, as JSON text. Columns that are empty in every row are left out. */
  json(charts: readonly object[]): string {
    const columns = this.pageColumns();
    const lines = this.rows.map((row) =>
      JSON.stringify([...columns.map(({ cell }) => cell(row)), row.reasons]),
    );
    const table = {
      columns: columns.map(({ name }) => name),
      numeric: columns.map(({ numeric }) => numeric),
      outcomeAt: columns.findIndex(({ part }) => part === 'outcome'),
      charts,
    };
    return `${JSON.stringify(table).slice(0, -1)},"rows":[\n${lines.join(',\n')}]}`;
  }

  /** The columns from left to right: the chosen ones before the identifiers, in place of the uuid. */
  private pageColumns(): PageColumn[] {
    const own = this.columns.map(({ name, part }, at): PageColumn => {
      const cell = ({ cells }: HeldRow): PageCell => cells[at] ?? '';
      return { name, part, cell, numeric: this.isNumeric(cell) };
    });
    const names = this.missing.length > 0 ? [] : (this.chosen?.names ?? []);
    const chosen = names.map((name, at): PageColumn => {
      const cell = ({ chosen: cells }: HeldRow): PageCell => cells?.[at] ?? '';
      return { name, part: 'chosen', cell, numeric: false };
    });
    const before = own.findIndex(({ part }) => part === 'identifiers' || part === 'outcome');
    return [...own.slice(0, before), ...chosen, ...own.slice(before)].filter(
      ({ part, cell }) =>
        (part !== 'uuid' || chosen.length === 0) && this.rows.some((row) => cell(row) !== ''),
    );
  }

  private isNumeric(cell: PageColumn['cell']): boolean {
    const isNumber = (value: PageCell): boolean => typeof value === 'number' || value === '';
    return this.rows.every((row) => isNumber(cell(row)));
  }
}

interface PageColumn {
  readonly name: string;
  readonly part: ColumnPart | 'chosen';
  readonly cell: (row: HeldRow) => PageCell;
  readonly numeric: boolean;
}

/** Parts whose texts are names and values, which are shortened. */
const NAMES: ReadonlySet<ColumnPart> = new Set(['sheet', 'file', 'identifiers']);

function pageCell({ part }: ReportColumn, value: TableCell): PageCell {
  if (typeof value === 'number') return value;
  const text = value ?? '';
  if (NAMES.has(part)) return shortened(text);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
