import type { PageProblem } from '../../shared/errors.js';
import { ownProblem } from '../messages/own-problems.js';
import { CallError } from './call.js';

/** What is shown of an error. */
export function problemOf(error: unknown): PageProblem {
  if (error instanceof CallError) return error.problem;
  return ownProblem('internal');
}
