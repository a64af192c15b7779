import type { Difference } from '../core/inspection.js';
import type { RowReport } from '../core/report.js';

/** What the report of a comparison tells of a row, in place of what became of it. */
export const VERDICT_COLUMNS = [
  'verdict',
  'clientId',
  'applicationStatus',
  'callsMade',
  'nextCall',
  'callback',
  'differences',
] as const;

/** The cells of these columns. */
export function verdictCells({ outcome, inspection }: RowReport): (string | number | null)[] {
  const { clientId = null, application = null, differences = [] } = inspection ?? {};
  const { status = null, calledCount = null, nextCall = null } = application ?? {};
  const callback = application && String(application.hasRecall);
  const differing = differences.map(differenceText).join('; ');
  return [outcome, clientId, status, calledCount, nextCall, callback, differing];
}

/** The same for a program: under their names, with values as they are. */
export function verdictValues({ outcome, inspection }: RowReport): object {
  const { clientId = null, application = null, differences = [], remark } = inspection ?? {};
  const { status = null, calledCount = null, nextCall = null } = application ?? {};
  return {
    verdict: outcome,
    clientId,
    applicationStatus: status,
    callsMade: calledCount,
    nextCall,
    callback: application && application.hasRecall,
    differences,
    remark: remark ?? null,
  };
}

/** What differs, as a person reads it. */
export function differenceText({ field, sheet, center }: Difference): string {
  return `${field}: ${JSON.stringify(sheet)} in the spreadsheet, ${JSON.stringify(center)} on the card`;
}
