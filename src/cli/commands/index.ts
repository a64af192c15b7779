import type { Command } from '../command.js';
import { addressesCommand } from './addresses.js';
import { applicationsCommand } from './applications.js';
import { callbacksCommand } from './callbacks.js';
import { campaignsCommand } from './campaigns.js';
import { checkCommand } from './check.js';
import { clientsCommand } from './clients.js';
import { demoCommand } from './demo.js';
import { emailsCommand } from './emails.js';
import { groupsCommand } from './groups.js';
import { importCommand } from './import.js';
import { openapiCommand } from './openapi.js';
import { phonesCommand } from './phones.js';
import { reportCommand } from './report.js';
import { reconcileCommand } from './reconcile.js';
import { resumeCommand } from './resume.js';
import { rowsCommand } from './rows.js';
import { runsCommand } from './runs.js';
import { sandboxCommand } from './sandbox.js';
import { schemaCommand } from './schema.js';
import { undoCommand } from './undo.js';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  importCommand,
  checkCommand,
  reconcileCommand,
  resumeCommand,
  runsCommand,
  reportCommand,
  undoCommand,
  rowsCommand,
  clientsCommand,
  phonesCommand,
  emailsCommand,
  addressesCommand,
  applicationsCommand,
  campaignsCommand,
  groupsCommand,
  callbacksCommand,
  sandboxCommand,
  demoCommand,
  schemaCommand,
  openapiCommand,
];
