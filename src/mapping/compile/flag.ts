import type { Path } from '../../config/path.js';
import type { FlagSpec } from '../schema/value.js';
import type { Fault } from '../transforms/step.js';
import type { CompileContext } from './context.js';
import { toBoolean } from './convert.js';
import { compilePart, missing, type Part } from './part.js';
import { compileReading } from './reading.js';

/** True, false, or what the row says. `required` is the fault of a row that says nothing; `null` when it need not. */
export function compileFlag(
  spec: FlagSpec,
  required: Fault | null,
  path: Path,
  context: CompileContext,
): Part<boolean> {
  if (typeof spec === 'boolean') return () => spec;
  const reading = compileReading(spec, path, context);
  const needed = required ?? (reading.required ? missing('This') : null);
  return compilePart(reading, toBoolean, needed, context);
}
