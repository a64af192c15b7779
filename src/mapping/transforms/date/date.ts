import { z } from 'zod';
import { filled } from '../../../config/scalar.js';
import type { Path } from '../../../config/path.js';
import { dateByForm } from './date-forms.js';
import { dateLook } from './date-looks.js';
import {
  compileDate,
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
  })
  .describe('Reads a date and writes it in another form.');

export const date = bareTransform(
  options,
  () => options.parse({}),
  ({ from = [], to }, path, context) => {
    const names = typeof from === 'string' ? [from] : from;
    const target = datePattern(to, [...path, 'to'], context);
    const patterns = names.map((name) => datePattern(name, [...path, 'from'], context));
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
    const readers = [...known, ...ISO.filter((pattern) => lacking(pattern, target) === undefined)];
    const wrong = new InvalidValue('not_a_date', wrongText(names));
    const byForm = names.length === 0 ? dateByForm : () => null;
    const watch = context.watch(context.label, 'date');
    return onText((text) => {
      watch.see();
      const trimmed = text.trim();
      const moment = firstOf(readers, trimmed) ?? byForm(trimmed);
      if (moment !== null) return target.write(moment);
      watch.look(dateLook(trimmed, names));
      return wrong;
    });
  },
);

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
): DatePattern | undefined {
  try {
    return compileDate(pattern);
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
