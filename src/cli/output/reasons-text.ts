import { plainWords, printableLine, whole, wrapped } from '../../core/text.js';
import { placeText } from '../../report/text/place-text.js';
import type { Reason } from '../../report/reasons.js';
import type { TopReasons } from '../../report/top-reasons.js';

/** Longest part of a value that is shown. */
const VALUE_LENGTH = 30;
/** Rows that are named as examples. */
const PLACES = 3;

export interface ReasonsShown {
  /** Names of the inputs. */
  readonly inputs: readonly string[];
  /** Width of the terminal; without one, the output may be kept, and shows no value of the file. */
  readonly columns?: number | undefined;
  /** Where the reasons beyond these are. */
  readonly rest: string;
}

/** Why rows did not end well, the most frequent reason first; empty text when all did. */
export function reasonsText({ reasons, more }: TopReasons, shown: ReasonsShown): string {
  if (reasons.length === 0) return '';
  const width = whole(reasons[0]?.rows ?? 0).length;
  const lines = reasons.flatMap((reason) => reasonLines(reason, width, shown));
  const rest =
    more > 0
      ? [`  and ${more === 1 ? '1 more reason' : `${whole(more)} more reasons`}; ${shown.rest}`]
      : [];
  return ['Why rows did not end well:', ...lines, ...rest].join('\n');
}

function reasonLines(reason: Reason, width: number, { inputs, columns }: ReasonsShown): string[] {
  const count = `  ${whole(reason.rows).padStart(width)}  `;
  const outcome = reason.outcome === 'rejected' ? '' : `${reason.outcome}: `;
  const column = reason.column === null ? '' : `${reason.column}: `;
  const values = columns === undefined ? [] : valuesOf(reason);
  return [
    wrapped(count, printableLine(`${outcome}${column}${messageOf(reason, columns)}`), columns),
    wrapped(' '.repeat(count.length), [...values, placesOf(reason, inputs)].join('; '), columns),
  ];
}

/** A contact center's words may repeat what was sent of a client or the credentials: these parts are for a terminal alone. */
const messageOf = ({ from, message }: Reason, columns: number | undefined): string =>
  columns !== undefined || from !== 'contact center' ? message : plainWords(message);

function valuesOf({ values }: Reason): string[] {
  if (values.length === 0) return [];
  return [values.map((value) => JSON.stringify(printableLine(short(value)))).join(', ')];
}

const short = (value: string): string =>
  value.length <= VALUE_LENGTH ? value : `${value.slice(0, VALUE_LENGTH)}…`;

function placesOf({ rows, examples }: Reason, inputs: readonly string[]): string {
  const places = examples.slice(0, PLACES).map((place) => placeText(place, inputs));
  const more = rows > places.length ? ', …' : '';
  return printableLine(`${rows === 1 ? 'row' : 'rows'} ${places.join(', ')}${more}`);
}
