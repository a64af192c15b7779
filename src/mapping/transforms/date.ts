import type { Path } from '../../config/path.js';
import type { TransformOptions } from '../schema/transform.js';
import {
  compileDate,
  PatternError,
  type DatePattern,
  type Moment,
  type Part,
} from './date-pattern.js';
import type { Kind, TransformContext } from './kind.js';
import { InvalidValue, onText } from './step.js';

/** Forms in which a workbook's dates arrive, whatever pattern the mapping names. */
const ISO = ['yyyy-MM-dd', "yyyy-MM-dd'T'HH:mm:ss", 'HH:mm:ss'].map(compileDate);

export const date: Kind<TransformOptions['date']> = ({ from, to }, path, context) => {
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
  const wrong = new InvalidValue(
    'not_a_date',
    `This is not a date. Write it as ${names.join(' or ')}, and check that the day exists.`,
  );
  return onText((text) => {
    const moment = firstOf(readers, text.trim());
    return moment === null ? wrong : target.write(moment);
  });
};

const DAY_PARTS: readonly Part[] = ['year', 'month', 'day'];

/** A part of the day that the result shows and the cell lacks. A missing time is midnight. */
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

/** Compiles a pattern of the mapping; notes a mistake and gives `undefined` when it is none. */
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
      'Use yyyy yy MM M dd d HH H mm ss, each once; put other letters in single quotes.',
    );
    return undefined;
  }
}
