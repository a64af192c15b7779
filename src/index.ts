/** What a program that imports `cardline` gets. */
export * from './library/library.js';
export { loadInstallation } from './installation/installation.js';
export {
  appendCorrection,
  type AppendCorrectionOptions,
  type NewCorrection,
  type CellProblem,
  type CheckState,
  type Indexed,
  type Mend,
  type MendEdit,
  type PageRequest,
  type ProblemCell,
  type ProblemGroup,
  type ProblemPage,
  type ProblemRow,
  type ValueCount,
} from './run/start-check.js';
export type { CampaignChoice } from './run/requests.js';
export type { RecentReason, RunState } from './run/import.js';
export { suggestMapping, type SuggestRequest } from './setup/suggest.js';
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
export type { Address, Client, Email, Phone, PhoneType, SyncIdentifiers } from './core/client.js';
export {
  type CardlineErrorOptions,
  type ConfigMistake,
  type ContactCenterErrorOptions,
  type ExitCode,
  type ForeignAnswer,
  type InputPlace,
  CardlineError,
  ChangedSinceError,
  ConfigurationError,
  ContactCenterError,
  EXIT,
  InputError,
  LedgerError,
  LedgerInUseError,
  LostFactsError,
  NewerLedgerError,
  NoCampaignError,
  NoLedgerError,
  NotAuthorizedError,
  NotPermittedError,
  NotSentError,
  OutcomeUnknownError,
  RefusedError,
  RunInUseError,
  RunTakenError,
  StopRun,
  TemporaryFileError,
  TryLaterError,
  UsageError,
} from './core/errors.js';
export { OutputError } from './report/files.js';
export type { Difference, Inspection, Verdict } from './core/client.js';
export type { CardField, Installation, Limits, Transport } from './installation/installation.js';
export type { RunRecord } from './core/ledger.js';
export { type Mode, MODES, type RunMode } from './core/outcome.js';
export { type Outcome, type OutcomeCounts, OUTCOMES } from './core/outcome.js';
export type { ShownPayload } from './core/prepared.js';
export type { Problem, ProblemCount } from './core/outcome.js';
export type { Suspicion } from './mapping/column-uses.js';
export type { Repeated } from './core/duplicates.js';
export type { Progress, RowReport, Summary } from './core/report.js';
export type { Cell, Row, Dialect, SourceInfo, SourceOptions } from './core/table.js';
export { type LineFormat, REPORT_FORMATS, type ReportFormat } from './report/formats.js';
export type { RowPlace } from './report/reasons.js';
export type {
  ComparisonCounts,
  RejectReason,
  RowDifference,
  Trend,
  TrendPoint,
} from './history/history.js';
export type { SuggestTableRequest } from './suggest/suggest.js';
export type { ColumnSuggestion, Target } from './suggest/columns.js';
export type { Suggestion, Trial } from './suggest/suggest.js';
export type { Table, TableSource } from './suggest/read-file.js';
export { suggestTable } from './suggest/suggest.js';

declare global {
  // What the types of this package name of the platform. The DOM's library and @types/node declare both, and these merge
  // with theirs; a program that has neither can use the package's types all the same.
  /* eslint-disable @typescript-eslint/no-empty-object-type -- nothing is added to them */
  interface AbortSignal {}
  interface URL {}
  /* eslint-enable @typescript-eslint/no-empty-object-type */
}
