import type { CreateResult } from '../core/center.js';
import { shortenedMessage } from '../core/text.js';

/** Answer of 4.1. */
export interface CreateAnswer {
  readonly createResult: readonly CreateResult[];
}

/**
 * Reads the answer of 4.1, or gives `undefined` when it is not one. Written by hand, since it runs for every client
 * of an import: it takes a sixth of the time of the contract's schema, and a test compares the two.
 * Only `createdClientId: null` is taken for absent here, as servers write that cannot leave a field out; and long texts
 * are shortened.
 */
export function readCreateAnswer(body: unknown): CreateAnswer | undefined {
  if (!isRecord(body) || !Array.isArray(body['createResult'])) return undefined;
  const elements: readonly unknown[] = body['createResult'];
  const createResult: CreateResult[] = [];
  for (const element of elements) {
    const result = readElement(element);
    if (result === undefined) return undefined;
    createResult.push(result);
  }
  return { ...body, createResult };
}

function readElement(element: unknown): CreateResult | undefined {
  if (!isRecord(element)) return undefined;
  if (element['createdClientId'] === null) delete element['createdClientId'];
  if (!isCreateResult(element)) return undefined;
  const result = shortenedMessage(element.result);
  return result === element.result ? element : { ...element, result };
}

function isCreateResult(element: object): element is CreateResult {
  const { uuid, result, createdClientId }: Partial<Record<keyof CreateResult, unknown>> = element;
  return (
    typeof uuid === 'string' &&
    typeof result === 'string' &&
    (createdClientId === undefined || Number.isSafeInteger(createdClientId))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
