import type { ComponentType } from 'preact';
import type { Step } from '../../shared/steps.js';
import { ColumnsView } from './columns/columns.js';
import { CheckView } from './check/check.js';
import { FileView } from './file/file.js';
import { ImportView } from './import/import.js';
import { ResultView } from './result/result.js';
import type { StepProps } from './step-props.js';

/** The views of the steps. One that has none cannot be gone to. */
export const stepViews: Readonly<Partial<Record<Step, ComponentType<StepProps>>>> = {
  file: FileView,
  import: ImportView,
  columns: ColumnsView,
  check: CheckView,
  result: ResultView,
};
