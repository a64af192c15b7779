import type { Command } from '../command.js';
import { addressesCommand } from '../operations/commands/addresses.js';
import { applicationsCommand } from '../operations/commands/applications.js';
import { callbacksCommand } from '../operations/commands/callbacks.js';
import { campaignsCommand } from '../operations/commands/campaigns.js';
import { checkCommand } from './check.js';
import { clientsCommand } from '../operations/commands/clients.js';
import { demoCommand } from './demo.js';
import { doctorCommand } from './doctor.js';
import { emailsCommand } from '../operations/commands/emails.js';
import { fleetCommand } from './fleet/fleet.js';
import { groupsCommand } from '../operations/commands/groups.js';
import { importCommand } from './import.js';
import { initCommand } from './init.js';
import { ledgerCommand } from './ledger/index.js';
import { notifyCommand } from './notify/index.js';
import { openapiCommand } from './openapi.js';
import { phonesCommand } from '../operations/commands/phones.js';
import { reportCommand } from './report.js';
import { reconcileCommand } from './reconcile.js';
import { resumeCommand } from './resume.js';
import { rowsCommand } from './rows.js';
import { runsCommand } from './runs.js';
import { sandboxCommand } from './sandbox.js';
import { scheduleCommand } from './schedule/index.js';
import { schemaCommand } from './schema.js';
import { templateCommand } from './template.js';
import { suggestCommand } from './suggest.js';
import { uiCommand } from './ui.js';
import { suppressCommand } from './suppress.js';
import { undoCommand } from './undo.js';
import { watchCommand } from './watch.js';
import { workerCommand } from './fleet/worker.js';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  initCommand,
  doctorCommand,
  uiCommand,
  templateCommand,
  importCommand,
  checkCommand,
  suggestCommand,
  reconcileCommand,
  resumeCommand,
  watchCommand,
  workerCommand,
  fleetCommand,
  scheduleCommand,
  notifyCommand,
  runsCommand,
  reportCommand,
  undoCommand,
  ledgerCommand,
  rowsCommand,
  suppressCommand,
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
