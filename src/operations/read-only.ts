import { operations, type OperationName } from '../contract/operations.js';

/** Whether an operation changes nothing. One of those that read is a POST (4.8). */
export function isReadOnly(name: OperationName): boolean {
  return operations[name].method === 'GET' || name === 'readClient';
}
