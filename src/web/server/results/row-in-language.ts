import type { Problem } from '../../../core/problem.js';
import type { RowReport } from '../../../core/report.js';
import type { Language } from '../../shared/languages.js';
import { sentenceIn } from '../language/sentence-in.js';

/** A row whose reasons are in a language. A report puts them together to texts that no catalogue knows. */
export function rowInLanguage(row: RowReport, language: Language): RowReport {
  if (language === 'en') return row;
  const translated = (words: string): string => sentenceIn(language, words);
  const ofProblem = (problem: Problem): Problem => ({
    ...problem,
    message: translated(problem.message),
  });
  const { createResult, enqueueResult, changeResult, problems, remarks, inspection } = row;
  return {
    ...row,
    createResult: createResult && translated(createResult),
    enqueueResult: enqueueResult && translated(enqueueResult),
    changeResult: changeResult && translated(changeResult),
    problems: problems.map(ofProblem),
    ...(remarks ? { remarks: remarks.map(ofProblem) } : {}),
    ...(inspection?.remark === undefined
      ? {}
      : { inspection: { ...inspection, remark: translated(inspection.remark) } }),
  };
}
