import type { Column, Columns, ColumnUse } from '../../../shared/columns.js';
import type { Editing } from './editing.js';

/** What the parts of the step work with. */
export interface EditProps {
  readonly columns: Columns;
  readonly editing: Editing;
  readonly canEdit: boolean;
}

export interface ColumnProps extends EditProps {
  readonly column: Column;
}

export interface UseProps extends ColumnProps {
  readonly use: ColumnUse;
}

export interface StepProps extends UseProps {
  readonly step: ColumnUse['steps'][number];
}
