import { basename } from 'node:path';
import { ConfigurationError, InputError, StopRun } from '../../../core/errors.js';
import type { CheckState } from '../../shared/check.js';
import type { StoredList } from '../lists/lists.js';
import { pageWords } from '../page-words.js';
import { problemOf } from '../problem-of.js';

type CheckProblem = Pick<CheckState, 'problem' | 'mistakes'>;

export const NO_PROBLEM: CheckProblem = { problem: null, mistakes: [] };

/** Why a check has failed, and what to do. A mapping that does not fit is shown mistake by mistake. */
export function checkProblem(
  error: unknown,
  { file, name }: Pick<StoredList, 'file' | 'name'> = { file: '', name: '' },
): CheckProblem {
  // The person never saw the path of the copy.
  const named = (text: string): string =>
    pageWords(file === '' ? text : text.replaceAll(file, name));
  if (error instanceof StopRun) return NO_PROBLEM;
  if (error instanceof InputError && error.code.startsWith('correction_'))
    return { ...NO_PROBLEM, problem: staleCorrection(error) };
  if (!(error instanceof ConfigurationError))
    return { ...NO_PROBLEM, problem: problemOf(error).problem };
  const isMapping = error.mistakes.some(({ file }) => basename(file) === 'mapping.yaml');
  if (!isMapping) return { ...NO_PROBLEM, problem: problemOf(error).problem };
  return {
    problem: {
      code: 'mapping_does_not_fit',
      sentence: 'The mapping does not fit this file.',
      next: 'Change it in the step Columns.',
    },
    mistakes: error.mistakes.map(({ line, message, suggestion }) => ({
      line: line ?? null,
      message: named(message),
      suggestion: suggestion === undefined ? null : named(suggestion),
    })),
  };
}

const staleCorrection = ({ place: { row = 0, column = '' } }: InputError) => ({
  code: 'stale_correction',
  sentence: `Row ${row} does not hold any more what was corrected in the column ${column}: the file has changed since.`,
  next: 'Take this correction back.',
  values: { row, column },
});
