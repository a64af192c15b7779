import { printableLine, whole } from '../../core/text.js';
import {
  aligned,
  qualityText,
  remarksText,
  suppressedText,
  columnMessage,
  placesText,
} from './words.js';
import type { ReasonTally } from '../reasons.js';
import { RowTally, type RunReport } from '../rows.js';
import { rowLines, runFacts } from '../summary.js';

/** Reasons that are printed; the other formats have all. */
const MAX_REASONS = 30;

/** The run for a person at a terminal: what it was, how its rows ended, and why. Ends with `\n`. */
export function* reportText(report: RunReport): Generator<string, void, undefined> {
  const tally = new RowTally(report);
  for (const row of report.rows) tally.add(row);
  const sentences = [remarksText(tally.remarks.list()), suppressedText(tally.suppressed.list())];
  yield [
    factLines(report),
    aligned(rowLines(tally)) + sentences.map((text) => (text === '' ? '' : `${text}\n`)).join(''),
    tally.quality ? qualityText(tally.quality) : '',
    reasonLines(report, tally.reasons),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

const factLines = (report: RunReport): string =>
  runFacts(report)
    .map(([label, text]) => `${label.padEnd(13)} ${printableLine(text)}\n`)
    .join('');

function reasonLines({ run }: RunReport, tally: ReasonTally): string {
  const reasons = tally.list();
  if (reasons.length === 0) return '';
  const width = whole(reasons[0]?.rows ?? 0).length;
  const lines = reasons.slice(0, MAX_REASONS).map((reason) => {
    const places = placesText(reason.rows, reason.examples, run.inputs);
    const count = whole(reason.rows).padStart(width);
    return `  ${count}  ${reason.outcome}: ${printableLine(`${columnMessage(reason)} (${places})`)}\n`;
  });
  const left = reasons.length - lines.length + tally.unlisted;
  const rest = left > 0 ? `  and ${whole(left)} more; --format xlsx has them all\n` : '';
  return `reasons\n${lines.join('')}${rest}`;
}
