/** What a program that imports `cardline` gets. */
export { checkFiles } from './app/check/check.js';
export {
  compareRuns,
  type CompareRunsRequest,
  type RunPairRequest,
} from './app/runs/compare-runs.js';
export { importFile } from './app/import/import-file.js';
export { importFiles } from './app/import/import.js';
export { loadInstallation } from './installation/load.js';
export { reconcileFiles } from './app/reconcile/reconcile.js';
export { reconcileRun } from './app/reconcile/reconcile-run.js';
export {
  type ReportFileRequest,
  reportLines,
  type ReportRequest,
  writeReportFile,
} from './app/runs/report.js';
export type {
  CampaignChoice,
  CheckRequest,
  CheckResult,
  FilesRequest,
  ImportRequest,
  ImportResult,
  ReconcileRequest,
  ReconcileRunRequest,
  RunOptions,
  UndoRequest,
} from './app/requests.js';
export { readRows } from './app/inputs/rows.js';
export { mappingTrend } from './app/runs/run-trend.js';
export { listRuns, runRows, showRun } from './app/runs/runs.js';
export { suggestMapping, type SuggestRequest } from './app/suggest/suggest-mapping.js';
export { undoRun } from './app/undo/undo.js';
export {
  type CallOptions,
  ContactCenter,
  type ContactCenterOptions,
  createContactCenter,
  type ExchangeEvent,
} from './client/contact-center.js';
export { openApiDocument } from './contract/openapi.js';
export {
  type OperationInput,
  type OperationName,
  type OperationOutput,
  operations,
} from './contract/operations.js';
export type { Address, Client, Email, Phone } from './core/client/card.js';
export * from './core/errors.js';
export type { Difference, Inspection, Verdict } from './core/inspection.js';
export type { SyncIdentifiers } from './core/client/identifiers.js';
export type { CardField, Installation, Limits, Transport } from './installation/installation.js';
export type { RunRecord } from './core/ledger.js';
export { type Mode, MODES, type RunMode } from './core/mode.js';
export { type Outcome, type OutcomeCounts, OUTCOMES } from './core/outcome.js';
export type { ShownPayload } from './core/client/prepared.js';
export type { Problem, ProblemCount } from './core/problem.js';
export type { Suspicion } from './mapping/suspicions.js';
export type { Repeated } from './core/duplicates/repeated.js';
export type { Progress, RowReport, Summary } from './core/report.js';
export type { Cell, Row } from './core/row.js';
export type { SourceInfo, SourceOptions } from './core/source.js';
export type { ComparisonCounts, RowDifference } from './report/compare/compare.js';
export { type LineFormat, REPORT_FORMATS, type ReportFormat } from './report/formats.js';
export type { RowPlace } from './report/reasons.js';
export type { RejectReason, Trend, TrendPoint } from './report/compare/trend.js';
export type {
  ColumnSuggestion,
  PhoneType,
  Suggestion,
  SuggestTableRequest,
  Table,
  TableSource,
  Target,
  Trial,
} from './suggest/suggestion.js';
export { suggestTable } from './suggest/suggest.js';

declare global {
  // What the types of this package name of the platform. The DOM's library and @types/node declare both, and these merge
  // with theirs; a program that has neither can use the package's types all the same.
  /* eslint-disable @typescript-eslint/no-empty-object-type -- nothing is added to them */
  interface AbortSignal {}
  interface URL {}
  /* eslint-enable @typescript-eslint/no-empty-object-type */
}
