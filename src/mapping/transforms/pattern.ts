import { createRequire } from 'node:module';
import type * as Library from 're2js';
import type { Path } from '../../config/path.js';
import type { TransformContext } from './kind.js';

/** Matches nothing; in place of a pattern that is wrong. */
const NOTHING = '[^\\s\\S]';

let loaded: Pick<typeof Library, 'RE2JS' | 'RE2JSException'> | undefined;

/** Loaded for the first pattern: most mappings have none, and its tables are large. */
function library(): NonNullable<typeof loaded> {
  return (loaded ??= createRequire(import.meta.url)('re2js') as typeof Library);
}

/** A regular expression whose time is linear in the text, whatever the pattern; notes a mistake when it is wrong. */
export function compilePattern(
  pattern: string,
  path: Path,
  context: Pick<TransformContext, 'mistake'>,
): Library.RE2JS {
  const { RE2JS, RE2JSException } = library();
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = error.message.replace(/^error parsing regexp: /, '');
    context.mistake(
      path,
      `this regular expression cannot be used: ${reason}.`,
      'The syntax is that of RE2: without look-around and back-references.',
    );
    return RE2JS.compile(NOTHING);
  }
}
