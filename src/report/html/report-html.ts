import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { headline, PAGE_WORDS, type PageWords } from './headline.js';
import {
  embedded,
  markup,
  type Markup,
  nothing,
  trusted,
  isolated,
  joined,
  outcomesSection,
  listedReasons,
  reasonsSection,
  tableOf,
  foldedTable,
} from './sections.js';
import { BadRows, SCRIPT } from './script.js';
import { reportKind } from '../columns.js';
import { areAllThere, type Reason } from '../reasons.js';
import { RowTally, type ReportSource, type RunReport } from '../rows.js';
import type { RunTimeline, TimelinePoint } from '../rows.js';
import { writePieces } from '../files.js';
import { runFacts } from '../summary.js';
import type { ListQuality } from '../../core/quality.js';
import {
  columnMessage,
  costText,
  qualityLines,
  scoreText,
  durationText,
  localTime,
  NOT_SENT_TWICE,
  waitingSentence,
} from '../text/words.js';
import { basename } from 'node:path';
import { isImport } from '../../core/mode.js';
import { ledgerCommand, whole } from '../../core/text.js';
import { OUTCOME_TRAITS } from '../../core/outcome.js';

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
    const page = await pageOf(report, tally, bad, timeline);
    await writePieces(file, [page.text]);
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
  const charts = timeline && isLong(timeline) ? chartsOf(timeline.points, tally) : null;
  const listed = listedReasons(tally.reasons).filter(({ id }) => bad.reasons.has(id));
  const sections = [
    topSection(report, headline(report, tally), areAllThere(tally.reasons.list()) ? 0 : bad.count),
    reasonsSection(report, tally.reasons, new Set(listed.map(({ id }) => id)), words),
    rowsSection(bad, listed, words),
    outcomesSection(tally, words),
    qualitySection(tally.quality),
    charts && timeline ? chartsSection(charts, timeline) : nothing,
    factsSection(report),
  ];
  return documentOf(report.run.run, sections, bad.json(charts ?? []), await chartLibrary());
}

/** Seconds from which on the course of a run is of interest. */
const LONG_SECONDS = 10;

const isLong = ({ points }: RunTimeline): boolean => (points.at(-1)?.second ?? 0) > LONG_SECONDS;

async function chartLibrary(): Promise<{ readonly script: string; readonly style: string }> {
  const { resolve } = createRequire(import.meta.url);
  return {
    script: await readFile(resolve('uplot/dist/uPlot.iife.min.js'), 'utf8'),
    style: await readFile(resolve('uplot/dist/uPlot.min.css'), 'utf8'),
  };
}

function documentOf(
  run: string,
  sections: readonly Markup[],
  data: string,
  library: { readonly script: string; readonly style: string },
): Markup {
  const style = `${library.style}\n${STYLE}`;
  const script = `${library.script}\n${SCRIPT}`;
  // The page may load, send and run nothing but what it contains.
  const policy = `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; base-uri 'none'; form-action 'none'`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Run ${run}</title>
${trusted(`<style>${style}</style>`)}
</head>
<body>
<main>
${sections}
</main>
${embedded(data)}
${trusted(`<script>${script}</script>`)}
</body>
</html>
`;
}

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
function qualitySection(quality: ListQuality | null): Markup {
  if (!quality) return nothing;
  const lines = qualityLines(quality).map(
    ([label, points, rows]) =>
      markup`<tr>
        <th scope="row">${label}</th>
        <td class="number">${points}</td>
        <td>${rows}</td>
      </tr>`,
  );
  const cost = costText(quality);
  return markup`<section aria-labelledby="quality">
    <h2 id="quality">Quality of the list</h2>
    <p>${scoreText(quality)} ${cost}</p>
    ${tableOf({ heads: ['part', 'points', 'rows that lose points'], lines, numeric: new Set(['points']) })}
  </section>`;
}

/** The top of the page: what the run is, what needs the person, and what to do. */
function topSection(report: RunReport, headline: string, bad: number): Markup {
  const { run, isSandbox, isTakenBack = false } = report;
  const isToCorrect = bad > 0 && isImport(run.mode) && !isTakenBack;
  return markup`<header>
    <p class="run">
      ${isSandbox ? markup`<strong class="badge">Sandbox</strong> ` : nothing}${joined(
        [
          ...run.inputs.map((input) => isolated(basename(input))),
          ...(run.campaignId === null ? [] : [campaign(report)]),
          markup`${localTime(run.createdAt)}`,
          ...(run.endedAt === null ? [] : [markup`${durationText(run.endedAt - run.createdAt)}`]),
        ],
        ' · ',
      )}
    </p>
    <h1 id="headline">${headline}</h1>
    ${isTakenBack ? nothing : waitingLine(report)}${isToCorrect ? nextStep(report) : nothing}
  </header>`;
}

const campaign = ({ run, campaignName }: RunReport): Markup =>
  campaignName === undefined
    ? markup`campaign ${run.campaignId ?? ''}`
    : markup`campaign ${isolated(campaignName)}`;

function waitingLine({ run: { run, waiting, mode }, ledger }: RunReport): Markup {
  if (!waiting?.rows) return nothing;
  return markup`<p class="notice">
    ${waitingSentence(waiting.rows, mode)}:
    <code>${ledgerCommand(ledger, 'resume', run)}</code>
  </p>`;
}

/** The rejects lie beside the run's report once the run has ended. */
function nextStep({ run: { state, out } }: RunReport): Markup {
  if (state !== 'finished' && state !== 'open') return nothing;
  return markup`<p>
    Correct them in the rejects file in ${isolated(out)}, and import that file again.
    ${NOT_SENT_TWICE}
  </p>`;
}

/** The page's style: light or dark by the person's setting, and on paper. */
const STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --soft: #57606a; --line: #d0d7de; --page: #ffffff; --card: #f6f8fa; --link: #0b57d0; --one: #0b57d0; --two: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --soft: #a2acb8; --line: #3d444d; --page: #0d1117; --card: #161b22; --link: #8ab4f8; --one: #8ab4f8; --two: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 76rem; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: .2rem 0 .6rem; font-size: 1.6rem; line-height: 1.3; } h2 { margin: 2.2rem 0 .7rem; font-size: 1.2rem; }
header p { margin: .4rem 0; } .run { color: var(--soft); } .badge { padding: .1rem .5rem; border: 1px solid var(--soft); border-radius: .3rem; }
code { font-size: .9em; } q { quotes: '“' '”'; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(19rem, 100%), 1fr)); gap: .4rem 1.5rem; margin: 0; padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); }
dt { color: var(--soft); font-size: .85rem; } dd { margin: 0; overflow-wrap: anywhere; }
.bar { display: block; width: 100%; height: 28px; margin: 0 0 1rem; border-radius: .35rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); font-size: .85rem; padding-bottom: .3rem; }
th, td { padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: break-word; max-width: 30rem; }
th { font-weight: 600; } .sum th, .sum td { border-bottom: 0; } .number { text-align: right; white-space: nowrap; }
.scroll { overflow-x: auto; } details .scroll { max-height: 20rem; overflow: auto; }
.mark { display: inline-block; width: .8em; height: .8em; margin-right: .5em; border-radius: .2em; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(21rem, 100%), 1fr)); gap: 1.5rem; }
figure { margin: 0; min-width: 0; } figcaption { font-weight: 600; } figure p { margin: .2rem 0; color: var(--soft); font-size: .85rem; }
summary { color: var(--link); cursor: pointer; font-size: .85rem; }
.u-legend { color: var(--text); } .u-legend th { border: 0; } .u-legend td { border: 0; }
.controls { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem 1rem; margin: .8rem 0; }
input, select, button { font: inherit; color: var(--text); background: var(--page); border: 1px solid var(--soft); border-radius: .3rem; padding: .3rem .6rem; max-width: 100%; } #reason { max-width: min(26rem, 100%); }
th button { border: 0; padding: 0; background: none; font-weight: 600; cursor: pointer; white-space: nowrap; }
.reason { border: 0; padding: 0; background: none; color: var(--link); text-align: left; text-decoration: underline; cursor: pointer; } .reason[aria-pressed=true] { font-weight: 600; text-decoration: none; }
button:disabled { color: var(--soft); border-color: var(--line); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.notice { padding: .5rem .8rem; border-left: 4px solid var(--two); background: var(--card); }
#table { width: 100%; font-size: .9rem; }
@media screen and (max-width: 48rem) {
  body { padding: 1rem; } h1 { font-size: 1.3rem; } th, td { padding-right: .5rem; }
  .stacks, .stacks caption, .stacks thead, .stacks tbody, .stacks tr, .stacks td { display: block; width: auto; max-width: none; }
  .stacks thead th { display: inline-block; margin-right: 1rem; border: 0; } .stacks:not(#table) thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  .stacks tbody tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  .stacks td { display: flex; gap: .8rem; padding: .1rem 0; border: 0; text-align: left; white-space: normal; } .stacks td:empty { display: none; }
  .stacks td::before { content: attr(data-label); flex: 0 0 30%; color: var(--soft); } .stacks td > span { flex: 1; min-width: 0; overflow-wrap: anywhere; }
  .controls label { max-width: 100%; } .controls select, .controls input { width: 100%; }
}
@media screen { .printed { display: none; } } .printed:empty { display: none; }
@page { size: A4 landscape; margin: 12mm; }
@media print { #table { font-size: 7pt; } #table th, #table td { padding: .15rem .5rem .15rem 0; } #table td { overflow-wrap: anywhere; } #table th button { font-size: inherit; } body { max-width: none; padding: 0; } .controls, details { display: none; } .scroll { overflow: visible; } #table caption { display: none; } thead { display: table-header-group; } tr { break-inside: avoid; } }
${Object.entries(OUTCOME_TRAITS)
  .map(
    ([name, { colour }]) =>
      `.mark.${name} { background: ${colour}; } rect.${name} { fill: ${colour}; }`,
  )
  .join('\n')}
`;

/** The charts of the run over time; the script draws them. */
const chartsSection = (charts: readonly Chart[], timeline: RunTimeline): Markup =>
  markup`<section aria-labelledby="over-time">
    <h2 id="over-time">Over time</h2>
    <div class="charts">${charts.map(chartFigure)}</div>
    ${limitChanges(timeline)}
  </section>`;

/** How many requests were permitted at a time and how large they were, and why that changed. */
function limitChanges({ changes, left }: RunTimeline): Markup {
  if (changes.length === 0) return nothing;
  const lines = changes.map(
    ({ second, concurrency, batchSize, reason }) =>
      markup`<tr>
        <th scope="row" class="number">${rounded(second)}</th>
        <td class="number">${whole(concurrency)}</td>
        <td class="number">${whole(batchSize)}</td>
        <td>${reason}</td>
      </tr>`,
  );
  const remark =
    left === 0 ? nothing : markup`<p>The first of ${whole(changes.length + left)} changes.</p>`;
  const heads = ['second', 'requests at a time', 'clients in one', 'reason'];
  const numeric = new Set(heads.slice(0, -1));
  return foldedTable('What was tried, and why', { heads, lines, numeric }, remark);
}

function chartFigure({ id, title, remark, labels, seconds, series }: Chart): Markup {
  const lines = seconds.map(
    (second, at) =>
      markup`<tr>
        <th scope="row" class="number">${rounded(second)}</th>
        ${series.map((values) => markup`<td class="number">${rounded(values[at] ?? null)}</td>`)}
      </tr>`,
  );
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

/** A chart that the script draws, with its points as a table. */
interface Chart {
  readonly id: string;
  readonly title: string;
  readonly remark: string;
  readonly labels: readonly string[];
  readonly seconds: readonly number[];
  readonly series: readonly (readonly (number | null)[])[];
}

/** The charts of a run: its speed, its requests and how long they took. */
function chartsOf(points: readonly TimelinePoint[], { rows, outcomes }: RowTally): Chart[] {
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
      : nothing
  }${
    missing.length > 0
      ? markup`<p class="notice">
          ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not shown: the input is gone,
          or was changed since the run.
        </p>`
      : nothing
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
