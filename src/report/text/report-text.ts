import { OUTCOMES } from '../../core/outcome.js';
import { printableLine, whole } from '../../core/text.js';
import {
  aligned,
  type Line,
  share,
  qualityText,
  remarksText,
  suppressedText,
  placeText,
} from './words.js';
import type { Reason, ReasonTally } from '../reasons.js';
import { repeatedFacts, RowTally, type RunReport } from '../rows.js';
import { runFacts } from '../summary.js';

/** Reasons that are printed; the other formats have all. */
const MAX_REASONS = 30;

/** The run for a person at a terminal: what it was, how its rows ended, and why. Ends with `\n`. */
export function* reportText(report: RunReport): Generator<string, void, undefined> {
  const tally = new RowTally(report);
  for (const row of report.rows) tally.add(row);
  const { remarks } = tally;
  const listed = suppressedText(tally.suppressed);
  const leftOut = remarks.length === 0 ? '' : `${remarksText(remarks)}\n`;
  const quality = tally.quality ? qualityText(tally.quality) : '';
  yield [
    factLines(report),
    outcomeLines(tally) + leftOut + (listed === '' ? '' : `${listed}\n`),
    quality,
    reasonLines(report, tally.reasons),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

const factLines = (report: RunReport): string =>
  runFacts(report)
    .map(([label, text]) => `${label.padEnd(13)} ${printableLine(text)}\n`)
    .join('');

function outcomeLines({ outcomes, rows, repeated }: RowTally): string {
  const lines = OUTCOMES.filter((outcome) => outcomes[outcome] > 0).map((outcome): Line => {
    const count = outcomes[outcome];
    return [`  ${outcome}`, whole(count), share(count, rows).padStart(8)];
  });
  const repeats = (repeated ? repeatedFacts(repeated) : []).map(([label, count, note]): Line => [
    label,
    whole(count),
    note,
  ]);
  return aligned([['rows', whole(rows), ''], ...lines, ...repeats]);
}

function reasonLines({ run }: RunReport, tally: ReasonTally): string {
  const reasons = tally.list();
  if (reasons.length === 0) return '';
  const width = whole(reasons[0]?.rows ?? 0).length;
  const lines = reasons.slice(0, MAX_REASONS).map((reason) => {
    const places = reason.examples.map((place) => placeText(place, run.inputs)).join(', ');
    const more = reason.rows > reason.examples.length ? ', …' : '';
    const count = whole(reason.rows).padStart(width);
    return `  ${count}  ${reason.outcome}: ${reasonText(reason)} (${reason.rows === 1 ? 'row' : 'rows'} ${printableLine(places)}${more})\n`;
  });
  const left = reasons.length - lines.length + tally.unlisted;
  const rest = left > 0 ? `  and ${whole(left)} more; --format xlsx has them all\n` : '';
  return `reasons\n${lines.join('')}${rest}`;
}

const reasonText = ({ column, message }: Reason): string =>
  printableLine(column === null ? message : `${column}: ${message}`);
