import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { noOutcomes, OUTCOMES, type OutcomeCounts } from '../../core/outcome.js';
import { RepeatTally } from '../../core/duplicates/repeated.js';
import { whole } from '../../core/text/whole.js';
import { embedded, markup, type Markup, trusted } from './markup.js';
import { BadRows } from './row-data.js';
import { SCRIPT } from './script.js';
import {
  type Chart,
  chartsSection,
  factsSection,
  outcomesSection,
  reasonsSection,
  rowsSection,
} from './sections.js';
import { STYLE } from './style.js';
import { PAGE_WORDS } from './words.js';
import { reportKind } from '../columns.js';
import { ReasonTally } from '../reasons.js';
import { isShown, type ReportSource, type RunReport } from '../run-report.js';
import { writePieces } from '../files/text-file.js';
import type { TimelinePoint } from '../timeline.js';

/**
 * Writes the run as one HTML file that needs nothing else, and may load nothing else.
 * @param maxRows of the rows that did not end well, how many the page holds at most
 * @throws OutputError when it cannot be written; an older file stays as it was
 */
export async function writeHtml(
  file: string,
  report: RunReport & Pick<ReportSource, 'timeline'>,
  maxRows?: number,
): Promise<void> {
  const timeline = await report.timeline();
  const outcomes = noOutcomes();
  const repeats = new RepeatTally();
  const tally = new ReasonTally();
  const bad = new BadRows(report, maxRows);
  for (const row of report.rows) {
    outcomes[row.outcome]++;
    repeats.add(row);
    if (!isShown(report, row)) continue;
    tally.add(row);
    bad.add(row);
  }
  const kind = reportKind(report.run);
  const words = PAGE_WORDS[kind];
  const charts = timeline && chartsOf(timeline.points, outcomes);
  const sections = [
    factsSection(report),
    outcomesSection(outcomes, words, kind === 'comparison' ? repeats.repeated : null),
    reasonsSection(report, tally, words),
    chartsSection(charts, timeline),
    rowsSection({ bad: bad.count, held: bad.rows.length, outcomes: [...bad.outcomes] }, words),
  ];
  const page = pageOf(report.run.run, sections, bad.json(charts ?? []), await chartLibrary());
  await writePieces(file, [page.text]);
}

async function chartLibrary(): Promise<{ readonly script: string; readonly style: string }> {
  const { resolve } = createRequire(import.meta.url);
  return {
    script: await readFile(resolve('uplot/dist/uPlot.iife.min.js'), 'utf8'),
    style: await readFile(resolve('uplot/dist/uPlot.min.css'), 'utf8'),
  };
}

function pageOf(
  run: string,
  sections: readonly Markup[],
  data: string,
  library: { readonly script: string; readonly style: string },
): Markup {
  const style = `${library.style}\n${STYLE}`;
  const script = `${library.script}\n${SCRIPT}`;
  // Nothing may be loaded, sent or run but what stands in the page itself.
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

function chartsOf(points: readonly TimelinePoint[], outcomes: OutcomeCounts): Chart[] {
  const all = OUTCOMES.reduce((sum, outcome) => sum + outcomes[outcome], 0);
  const sent = all - outcomes.rejected - outcomes.skipped;
  const seconds = points.map(({ second }) => second);
  const rate = points.map(({ carriedPerSecond }) => carriedPerSecond * sent);
  const latency = points.map(({ longestLatency }) => longestLatency);
  const slowest = Math.max(0, ...latency.filter((value) => value !== null));
  return [
    {
      id: 'chart-rate',
      title: 'Rows per second',
      remark: `At most ${whole(Math.round(Math.max(...rate)))} a second. Reckoned from the answers: each stands for the same share of the ${whole(sent)} rows that were sent.`,
      labels: ['rows/s'],
      seconds,
      series: [rate],
    },
    {
      id: 'chart-concurrency',
      title: 'Requests under way',
      remark: 'On average, of those that were answered.',
      labels: ['requests'],
      seconds,
      series: [points.map(({ concurrency }) => concurrency)],
    },
    {
      id: 'chart-latency',
      title: 'Time to an answer',
      remark: `In milliseconds; the slowest took ${whole(Math.round(slowest))}.`,
      labels: ['mean ms', 'longest ms'],
      seconds,
      series: [points.map(({ meanLatency }) => meanLatency), latency],
    },
  ];
}
