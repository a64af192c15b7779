import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chartsOf } from './charts.js';
import { embedded, markup, type Markup, trusted } from './markup.js';
import { BadRows } from './row-data.js';
import { SCRIPT } from './script.js';
import { chartsSection } from './sections/charts-section.js';
import { factsSection } from './sections/facts-section.js';
import { outcomesSection } from './sections/outcomes-section.js';
import { reasonsSection } from './sections/reasons-section.js';
import { rowsSection } from './sections/rows-section.js';
import { STYLE } from './style.js';
import { PAGE_WORDS } from './words.js';
import { reportKind } from '../columns.js';
import { RowTally } from '../row-tally.js';
import { type ReportSource, type RunReport } from '../run-report.js';
import { writePieces } from '../files/text-file.js';

/**
 * Writes the run as one HTML file, which loads nothing else.
 * @param maxRows how many of the rows that did not end well the page holds
 * @throws OutputError when it cannot be written; an older file stays as it was
 */
export async function writeHtml(
  file: string,
  report: RunReport & Pick<ReportSource, 'timeline'>,
  maxRows?: number,
): Promise<void> {
  const timeline = await report.timeline();
  const tally = new RowTally(report);
  const bad = new BadRows(report, maxRows);
  for (const row of report.rows) if (tally.add(row)) bad.add(row);
  const words = PAGE_WORDS[reportKind(report.run)];
  const charts = timeline && chartsOf(timeline.points, tally);
  const sections = [
    factsSection(report),
    outcomesSection(tally, words),
    reasonsSection(report, tally.reasons, words),
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
