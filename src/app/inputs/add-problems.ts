import type { ProblemCount } from '../../core/problem.js';

/** Adds the problems of a chunk to those of the chunks before, by column and code. */
export function addProblems(
  all: Map<string, ProblemCount>,
  problems: readonly ProblemCount[],
): void {
  for (const problem of problems) {
    const key = JSON.stringify([problem.column, problem.code]);
    const earlier = all.get(key);
    all.set(key, earlier ? { ...earlier, count: earlier.count + problem.count } : problem);
  }
}
