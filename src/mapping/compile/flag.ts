import type { Path } from '../../config/path.js';
import type { FlagSpec } from '../schema/value.js';
import type { InvalidValue } from '../transforms/step.js';
import type { CompileContext } from './context.js';
import { toBoolean } from './convert.js';
import { compilePart, missing, type Part } from './part.js';
import { compileValue } from './value-reader.js';

/** True, false, or what the row says. `required` is the problem of a row that says nothing; `null` when it need not. */
export function compileFlag(
  spec: FlagSpec,
  required: InvalidValue | null,
  path: Path,
  context: CompileContext,
): Part<boolean> {
  if (typeof spec === 'boolean') return () => spec;
  const reader = compileValue(spec, path, context);
  const needed = required ?? (reader.required ? missing('This') : null);
  return compilePart(reader, toBoolean, needed, context);
}
