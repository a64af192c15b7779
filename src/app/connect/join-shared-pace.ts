import { isPostgresAddress, type SharedPermits } from '../../core/ledger.js';
import { limitedCenter } from '../../core/center.js';
import type { Installation } from '../../installation/installation.js';
import type { RunOptions } from '../requests.js';
import { ledgerPath } from '../run/ledger-path.js';
import { patienceOf } from './patience.js';

/** Of runs that say nothing else. */
const DEFAULT_PRIORITY = 10;

type Asked = Pick<RunOptions, 'ledger' | 'baseUrl' | 'priority' | 'giveUpAfterMs' | 'onWarning'>;

/** A run that several processes work on: its weight is that of all of them together. */
interface OfRun {
  readonly run?: string;
}

/**
 * The permits of a contact center that all machines share with the ledger of a database; `undefined` for a ledger in a
 * file, and where nothing is limited.
 * @throws NoLedgerError for an address that cannot be read
 */
export async function joinSharedPace(
  request: Asked,
  installation: Pick<Installation, 'ledger' | 'baseUrl' | 'limits'>,
  { run }: OfRun = {},
): Promise<SharedPermits | undefined> {
  const ledger = ledgerPath(request.ledger, installation);
  const { requestsPerSecond, clientsPerSecond, concurrency } = installation.limits;
  const limits = { requestsPerSecond, clientsPerSecond, concurrency };
  const isLimited = Object.values(limits).some((limit) => limit !== undefined);
  if (!isPostgresAddress(ledger) || !isLimited) return undefined;
  // A ledger in a file needs neither.
  const [{ joinPace }, { openPaceRow }] = await Promise.all([
    import('../../fleet/pace/join-pace.js'),
    import('../../ledger/shared.js'),
  ]);
  const center = limitedCenter(request.baseUrl ?? installation.baseUrl);
  return joinPace(openPaceRow(ledger, center), {
    limits,
    group: run,
    weight: request.priority ?? DEFAULT_PRIORITY,
    giveUpAfterMs: patienceOf(request).later,
    onTrouble: (message) => request.onWarning?.(message),
  });
}
