import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chartsOf } from './charts.js';
import { headline } from './headline.js';
import { embedded, markup, type Markup, nothing, trusted } from './markup.js';
import { BadRows } from './row-data.js';
import { SCRIPT } from './script.js';
import { chartsSection } from './sections/charts-section.js';
import { factsSection } from './sections/facts-section.js';
import { outcomesSection } from './sections/outcomes-section.js';
import { qualitySection } from './sections/quality-section.js';
import { listedReasons, reasonsSection } from './sections/reasons-section.js';
import { rowsSection } from './sections/rows-section.js';
import { topSection } from './sections/top-section.js';
import { STYLE } from './style.js';
import { PAGE_WORDS } from './words.js';
import { reportKind } from '../columns.js';
import { areAllThere } from '../recoverable.js';
import { RowTally } from '../row-tally.js';
import type { ReportSource, RunReport } from '../run-report.js';
import type { RunTimeline } from '../timeline.js';
import { writePieces } from '../files/text-file.js';

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
  const rows = {
    ...{ bad: bad.count, held: bad.held, outcomes: [...bad.outcomes] },
    ...{ reasons: listed, missing: bad.missing },
  };
  const sections = [
    topSection(report, headline(report, tally), areAllThere(tally.reasons.list()) ? 0 : bad.count),
    reasonsSection(report, tally.reasons, new Set(listed.map(({ id }) => id)), words),
    rowsSection(rows, words),
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
