import { type Command, lazyGroup } from '../command.js';
import {
  checkCommand,
  rowsCommand,
  suggestCommand,
  importCommand,
  reconcileCommand,
  resumeCommand,
  undoCommand,
} from './files.js';
import { reportCommand, runsCommand } from './records.js';
import {
  demoCommand,
  fleetCommand,
  sandboxCommand,
  uiCommand,
  watchCommand,
  workerCommand,
  doctorCommand,
  initCommand,
  openapiCommand,
  schemaCommand,
  templateCommand,
} from './setup.js';

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
  lazyGroup(
    'schedule',
    'Run imports on a schedule.',
    async () => (await import('./groups.js')).scheduleGroup,
  ),
  lazyGroup(
    'notify',
    'Send test notices of "cardline watch".',
    async () => (await import('./groups.js')).notifyGroup,
  ),
  runsCommand,
  reportCommand,
  undoCommand,
  lazyGroup(
    'ledger',
    'Make a ledger, or copy its runs into another one.',
    async () => (await import('./groups.js')).ledgerGroup,
  ),
  rowsCommand,
  lazyGroup(
    'suppress',
    'Numbers that must not be called: change a list, ask for one.',
    async () => (await import('./groups.js')).suppressGroup,
  ),
  operationGroup('clients', 'Client cards, one operation at a time.'),
  operationGroup('phones', 'Phones of a client card: add one, or set its status.'),
  operationGroup('emails', 'E-mail addresses of a client card: add one, or set its status.'),
  operationGroup('addresses', 'Addresses of a client card: add one, or set its status.'),
  operationGroup('applications', 'Call applications of clients in campaigns.'),
  operationGroup('campaigns', 'Telemarketing campaigns: create, list, start, stop, delete.'),
  operationGroup('groups', 'Agent groups: assign the task of a campaign.'),
  operationGroup('callbacks', 'TM callbacks: create one for a client of a campaign.'),
  sandboxCommand,
  demoCommand,
  schemaCommand,
  openapiCommand,
];

/**
 * A group of single operations. Its commands and their options come from the contract and a table of commands, which take
 * time to load: that is done when the command line names the group.
 */
function operationGroup(name: string, describe: string): Command {
  return lazyGroup(name, describe, async () => {
    const { loadGroup } = await import('../operations/operations.js');
    return loadGroup(name);
  });
}
