/** What a program that imports `cardline` gets. */
export { checkFiles } from './app/check.js';
export { importFiles } from './app/import.js';
export { loadInstallation } from './app/installation.js';
export type {
  CampaignChoice,
  CheckRequest,
  CheckResult,
  FilesRequest,
  ImportRequest,
  ImportResult,
} from './app/requests.js';
export { readRows } from './app/rows.js';
export {
  type CallOptions,
  type ContactCenter,
  type ContactCenterOptions,
  createContactCenter,
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
export { type Outcome, type OutcomeCounts, OUTCOMES } from './core/outcome.js';
export type { Problem, ProblemCount } from './core/problem.js';
export type { Progress, RowReport, Summary } from './core/report.js';
export type { Cell, Row } from './core/row.js';
export type { SourceInfo, SourceOptions } from './core/source.js';
