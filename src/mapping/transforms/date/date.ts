import { z } from 'zod';
import { filled } from '../../../config/scalar.js';
import type { Path } from '../../../config/path.js';
import { systemClock } from '../../../core/time.js';
import { asciiDigits } from '../digits.js';
import { isOfBirth } from './births.js';
import { namedCalendar, otherCalendar } from './calendars.js';
import { dateByForm } from './date-forms.js';
import { dateLook, dayLooks, EITHER_ORDER, isOtherOrder, OTHER_ORDER } from './date-looks.js';
import {
  compileDate,
  dayNumber,
  PatternError,
  type DatePattern,
  type Moment,
  type Part,
} from './date-pattern.js';
import { bareTransform, type TransformContext } from '../kind.js';
import { InvalidValue, onText } from '../step.js';

/** Forms in which a workbook's dates arrive, whatever pattern the mapping names. */
const ISO = ['yyyy-MM-dd', "yyyy-MM-dd'T'HH:mm:ss", 'HH:mm:ss'].map(compileDate);

const options = z
  .strictObject({
    from: z
      .union([filled, z.array(filled).min(1)])
      .optional()
      .describe(
        'Pattern or patterns of the cell, of yyyy yy MM M dd d HH H hh h mm ss a. Default: any form that can be read in one ' +
          'way alone, such as ISO 8601, 2026/11/03 16:05, Nov 3, 2026 4:05 PM and 20261103.',
      ),
    to: filled.default('yyyy-MM-dd').describe('Pattern of the result. Default: yyyy-MM-dd.'),
    past: z
      .boolean()
      .optional()
      .describe(
        'Whether the date lies in the past, such as a date of birth: years of two digits are read so, and later dates are rejected. Default: whether the column or the field is called so.',
      ),
  })
  .describe('Reads a date and writes it in another form.');

export const date = bareTransform(
  options,
  () => options.parse({}),
  ({ from = [], to, past }, path, context) => {
    const names = typeof from === 'string' ? [from] : from;
    const target = datePattern(to, [...path, 'to'], context);
    const latest = (past ?? isOfBirth(context.label, path)) ? tomorrow() : Infinity;
    const patterns = names.map((name) => datePattern(name, [...path, 'from'], context, latest));
    if (target === undefined) return (value) => value;
    for (const [index, pattern] of patterns.entries()) {
      const lack = pattern && lacking(pattern, target);
      if (lack === undefined) continue;
      context.mistake(
        [...path, 'to'],
        `"${to}" shows the ${lack}, and "${names[index] ?? ''}" has none.`,
      );
    }
    const known = patterns.filter((pattern) => pattern !== undefined);
    const stored = ISO.filter((pattern) => lacking(pattern, target) === undefined);
    const wrong = new InvalidValue('not_a_date', wrongText(names));
    const byForm = names.length === 0 ? dateByForm : () => null;
    const watch = context.watch(context.label, 'date');
    const countDay = dayLooks(watch);
    return onText((text) => {
      watch.see();
      const trimmed = text.trim();
      const own = firstOf(known, trimmed);
      const moment =
        own ?? firstOf(stored, trimmed) ?? byForm(trimmed, latest) ?? inDigits(trimmed);
      if (moment === null) {
        const look = dateLook(trimmed, names);
        watch.look(look);
        if (isOtherOrder(look, names)) watch.look(OTHER_ORDER);
        return namedCalendar(trimmed) ?? wrong;
      }
      if (known.length > 0) countDay(own !== null, moment);
      if (known.length > 1 && own !== null && isReadOtherwise(known, trimmed, own)) {
        watch.look(EITHER_ORDER);
        return AMBIGUOUS_DATE;
      }
      const other = otherCalendar(moment);
      if (other !== undefined) return other;
      return dayNumber(moment) > latest ? IN_FUTURE : target.write(moment);
    });

    /** The patterns once more, where the digits are those of another script. */
    function inDigits(text: string): Moment | null {
      const usual = ASCII.test(text) ? text : asciiDigits(text);
      return usual === text ? null : (firstOf(known, usual) ?? firstOf(stored, usual));
    }
  },
);

const ASCII = /^[\0-\x7f]*$/;
const DAY_MS = 86_400_000;

/** It may be tomorrow elsewhere already. */
function tomorrow(): number {
  const date = new Date(systemClock.now() + DAY_MS);
  return dayNumber([date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), 0, 0, 0]);
}

const IN_FUTURE = new InvalidValue(
  'date_in_future',
  'This date is yet to come, and it should lie in the past. Correct the cell.',
);
const AMBIGUOUS_DATE = new InvalidValue(
  'ambiguous_date',
  'The patterns of the mapping read two dates here: the day or the month may come first. Leave one of them in the mapping, or write the date as yyyy-MM-dd.',
);

/** Whether another pattern reads another day of the text. */
const isReadOtherwise = (known: readonly DatePattern[], text: string, own: Moment): boolean =>
  known.some(({ read }) => {
    const moment = read(text);
    return moment !== null && dayNumber(moment) !== dayNumber(own);
  });

function wrongText(names: readonly string[]): string {
  return names.length === 0
    ? 'This is not a date that can be read in one way alone. Name its pattern in the mapping, such as from: dd.MM.yyyy, and check that the day exists.'
    : `This is not a date. Write it as ${names.join(' or ')}, and check that the day exists.`;
}
const DAY_PARTS: readonly Part[] = ['year', 'month', 'day'];

/** A part of the day that the result shows and the cell does not tell. A missing time is midnight. */
function lacking(from: DatePattern, to: DatePattern): Part | undefined {
  return DAY_PARTS.find((part) => to.parts.has(part) && !from.parts.has(part));
}

/** The moment by the first pattern that reads the text. */
export function firstOf(readers: readonly DatePattern[], text: string): Moment | null {
  for (const { read } of readers) {
    const moment = read(text);
    if (moment !== null) return moment;
  }
  return null;
}

/** Compiles a pattern of the mapping; adds a mistake and gives `undefined` when it is none. */
export function datePattern(
  pattern: string,
  path: Path,
  context: TransformContext,
  latest?: number,
): DatePattern | undefined {
  try {
    return compileDate(pattern, latest);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    context.mistake(
      path,
      `"${pattern}" is not a date pattern: "${error.message}" means nothing, or a part comes twice.`,
      'Use yyyy yy MM M dd d HH H mm ss, or hh h with a for AM and PM, each once; put other letters in single quotes.',
    );
    return undefined;
  }
}
