import type { SourceOptions } from '../../../core/table.js';
import { defined } from '../../../core/defined.js';
import type { SourceChoice } from '../../shared/list.js';

/** How a list's file is read, as previews, checks and imports take it. What is not chosen is found out. */
export const sourceOptions = ({
  sheet,
  headerRow,
  encoding,
  delimiter,
}: SourceChoice): SourceOptions =>
  defined({
    sheet: sheet ?? undefined,
    headerRow: headerRow ?? undefined,
    encoding: encoding ?? undefined,
    delimiter: delimiter ?? undefined,
  });
