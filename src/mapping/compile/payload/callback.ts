import type { CallbackPayload } from '../../../core/client.js';
import type { CallbackSpec } from '../../schema/callback.js';
import type { ValueSpec } from '../../schema/value.js';
import { compileCallAt } from '../times/call-at.js';
import type { CompileContext } from '../context.js';
import { compileSuppressed } from '../suppressed.js';
import { toFilledText, toNumber, toPhone } from '../convert.js';
import { compileFlag } from '../flag.js';
import { compilePart, missing, type Convert, type Part } from '../part.js';
import { compileValue } from '../value-reader.js';
import type { MakePayload } from './make-payload.js';

/** A callback (interface.md 2.5) without its client and its campaign. Every part of it is required. */
export function compileCallback(
  spec: CallbackSpec,
  context: CompileContext,
): MakePayload<CallbackPayload> {
  const part = <T>(name: 'name' | 'description' | 'phone' | 'operatorId', convert: Convert<T>) =>
    compileRequired(name, spec[name], convert, context);
  const parts = {
    name: part('name', toFilledText),
    description: part('description', toFilledText),
    phone: part('phone', toPhone),
    operatorId: part('operatorId', toNumber(true)),
    callAt: compileCallAt(spec.callAt, ['callback', 'callAt'], context),
    callAutomatically: compileFlag(
      spec.callAutomatically,
      missing('callAutomatically'),
      ['callback', 'callAutomatically'],
      context,
    ),
  };
  const isListed = compileSuppressed(spec.phone, undefined, context);
  return (_uuid, _fields, cells, problems) => {
    const name = parts.name(cells, problems);
    const description = parts.description(cells, problems);
    const phone = parts.phone(cells, problems);
    if (phone !== null && isListed?.(phone, problems)) problems.leaveRowOut();
    const operatorId = parts.operatorId(cells, problems);
    const callAt = parts.callAt(cells, problems);
    const callAutomatically = parts.callAutomatically(cells, problems);
    return name === null ||
      description === null ||
      phone === null ||
      operatorId === null ||
      callAt === null ||
      callAutomatically === null
      ? null
      : { name, description, phone, operatorId, callAt, callAutomatically };
  };
}

const NOUNS = {
  name: 'The name of the callback',
  description: 'The description of the callback',
  phone: 'The phone of the callback',
  operatorId: 'The operator of the callback',
} as const;

function compileRequired<T>(
  name: keyof typeof NOUNS,
  spec: ValueSpec,
  convert: Convert<T>,
  context: CompileContext,
): Part<T> {
  const isNumber = name === 'operatorId';
  const reader = compileValue(spec, ['callback', name], context, { isNumber });
  return compilePart(reader, convert, missing(NOUNS[name]), context);
}
