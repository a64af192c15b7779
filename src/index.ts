/** What a program that imports `cardline` gets. */
export { checkFiles } from './app/check.js';
export { importFile } from './app/import-file.js';
export { importFiles } from './app/import.js';
export { loadInstallation } from './app/installation.js';
export type {
  CampaignChoice,
  CheckRequest,
  CheckResult,
  FilesRequest,
  ImportRequest,
  ImportResult,
  RunOptions,
  UndoRequest,
} from './app/requests.js';
export { readRows } from './app/rows.js';
export { listRuns, runRows, showRun } from './app/runs.js';
export { undoRun } from './app/undo.js';
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
export type { Address, Client, Email, Phone } from './core/card.js';
export * from './core/errors.js';
export type { SyncIdentifiers } from './core/identifiers.js';
export type { CardField, Installation, Limits, Transport } from './core/installation.js';
export type { RunRecord } from './core/ledger.js';
export { type Mode, MODES, type RunMode } from './core/mode.js';
export { type Outcome, type OutcomeCounts, OUTCOMES } from './core/outcome.js';
export type { ShownPayload } from './core/prepared.js';
export type { Problem, ProblemCount } from './core/problem.js';
export type { Progress, RowReport, Summary } from './core/report.js';
export type { Cell, Row } from './core/row.js';
export type { SourceInfo, SourceOptions } from './core/source.js';
