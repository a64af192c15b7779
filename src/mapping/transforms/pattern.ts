import { RE2JS, RE2JSException } from 're2js';
import type { Path } from '../path.js';
import type { TransformContext } from './kind.js';

/** A pattern that matches nothing, in place of one that is wrong. */
const NOTHING = RE2JS.compile('[^\\s\\S]');

/** A regular expression whose time is linear in the text, whatever the pattern; notes a fault when it is wrong. */
export function compilePattern(
  pattern: string,
  path: Path,
  context: Pick<TransformContext, 'fault'>,
): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = error.message.replace(/^error parsing regexp: /, '');
    context.fault(
      path,
      `this regular expression cannot be used: ${reason}.`,
      'The syntax is that of RE2: without look-around and back-references.',
    );
    return NOTHING;
  }
}
