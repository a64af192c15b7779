import type { DequeuePayload } from '../../../core/client.js';
import type { FlagSpec } from '../../schema/value.js';
import type { CompileContext } from '../context.js';
import { compileFlag } from '../flag.js';
import type { MakePayload } from './make-payload.js';

/** Whether callbacks go with the call application (interface.md 4.10); they stay where the row does not say. */
export function compileDequeue(
  spec: FlagSpec | undefined,
  context: CompileContext,
): MakePayload<DequeuePayload> {
  const cancel = compileFlag(spec ?? false, null, ['cancelCallbacks'], context);
  return (_uuid, _fields, cells, problems) => ({
    cancelCallbacks: cancel(cells, problems) ?? false,
  });
}
