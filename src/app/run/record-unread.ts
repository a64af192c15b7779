import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { noOutcomes } from '../../core/outcome.js';
import { loadInstallation } from '../../installation/load.js';
import { openLedger } from '../../ledger/ledger.js';
import { centerOf } from '../repeats/run-identity.js';
import type { ImportRequest } from '../requests.js';
import { ledgerPath } from './ledger-path.js';
import { filesSettings } from './run-settings.js';

/** A file that could not be read, and why, in a sentence. */
export interface UnreadFile {
  readonly name: string;
  readonly reason: string;
}

/**
 * Puts a file on record that could not be read, as a run without rows: whoever lists the runs sees that it came.
 * @returns the id of the run
 * @throws ConfigurationError for the installation, LedgerError
 */
export async function recordUnread(
  request: Omit<ImportRequest, 'files'>,
  { name, reason }: UnreadFile,
): Promise<string> {
  const installation = await loadInstallation(request.installation);
  const ledger = await openLedger(ledgerPath(request.ledger, installation));
  try {
    const opened = await ledger.openRun({
      identity: {
        // Nobody knows what it holds: it is never the same as another one.
        ...{ inputs: [name], content: `unread ${randomUUID()}`, mapping: resolve(request.mapping) },
        ...{ installation: centerOf(installation, false), campaignId: null },
      },
      settings: {
        ...filesSettings({ ...request, files: [name] }, request.mode ?? 'create', null, undefined),
        unread: reason,
      },
      out: (id) => resolve(request.out ?? join('runs', id)),
      again: true,
    });
    if (opened.kind !== 'open') throw new Error('A run was asked for anew, and is none.');
    try {
      await opened.ledger.end({ state: 'finished', rows: 0, outcomes: noOutcomes() });
      return opened.ledger.run;
    } finally {
      await opened.close();
    }
  } finally {
    await ledger.close();
  }
}
