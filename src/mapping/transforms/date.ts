import type { Path } from '../document.js';
import type { TransformOptions } from '../schema/transform.js';
import { dateReader, dateWriter, PatternError, type Moment } from './date-pattern.js';
import type { Kind, TransformContext } from './kind.js';
import { Fault, onText } from './step.js';

/** Forms in which a workbook's dates arrive, whatever pattern the mapping names. */
const ISO = ['yyyy-MM-dd', "yyyy-MM-dd'T'HH:mm:ss", 'HH:mm:ss'].map(dateReader);

export const date: Kind<TransformOptions['date']> = ({ from, to }, path, context) => {
  const patterns = typeof from === 'string' ? [from] : from;
  const readers = patterns.map((pattern) =>
    compiled(() => dateReader(pattern), pattern, [...path, 'from'], context),
  );
  const write = compiled(() => dateWriter(to), to, [...path, 'to'], context);
  const all = [...readers.filter((reader) => reader !== undefined), ...ISO];
  const wrong = new Fault(
    'not_a_date',
    `This is not a date. Write it as ${patterns.join(' or ')}, and check that the day exists.`,
  );
  return onText((text) => {
    const moment = firstOf(all, text.trim());
    return moment === null || write === undefined ? wrong : write(moment);
  });
};

function firstOf(
  readers: readonly ((text: string) => Moment | null)[],
  text: string,
): Moment | null {
  for (const read of readers) {
    const moment = read(text);
    if (moment !== null) return moment;
  }
  return null;
}

function compiled<T>(
  compile: () => T,
  pattern: string,
  path: Path,
  context: TransformContext,
): T | undefined {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    context.fault(
      path,
      `"${pattern}" is not a date pattern: "${error.message}" means nothing, or a part comes twice.`,
      'Use yyyy yy MM M dd d HH H mm ss, each once; put other letters in single quotes.',
    );
    return undefined;
  }
}
