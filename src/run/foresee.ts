import { MODE_TRAITS, type RunMode } from '../core/mode.js';
import { identifiersOf } from '../core/prepared.js';
import { defined } from '../core/text.js';
import { createSeenKeys } from '../lists/seen.js';
import { identifyingOptions } from '../options/kept-options.js';
import { hasLedger, ledgerPath } from '../options/places.js';
import { knownRows } from '../delivery/import.js';
import { openLedger } from '../ledger/ledger.js';
import type { EarlierRun, RunIdentity } from '../core/ledger.js';
import { centerKey } from '../core/center.js';
import type { Foreseen, Ledger, RunRequest } from '../ledger/port.js';
import { rowsOnRecord } from './earlier-rows.js';
import { openFiles } from './of-files.js';
import { knownClients, REPEATS } from './repeats.js';
import type { ImportRequest } from './requests.js';
import type { FileRows } from './rows.js';
import { type Closing, scoped } from './scoped.js';
import { identityOf } from './settings.js';

/** What an import would do about rows that earlier runs have had. */
export interface ForeseenImport {
  /** `done`: the same import has come to its end, and nothing is sent; `continue`: a run of it goes on. */
  readonly kind: 'new' | 'continue' | 'done';
  /** The run that is done or goes on; `null` for a new one. */
  readonly run: string | null;
  /** Rows that a new run leaves out, since earlier ones have done what they ask for. */
  readonly leftOut: number;
  /** Rows whose card is there, and which are only added to the campaign. */
  readonly cards: number;
  /** Rows whose client was deleted, as by an undo: a contact center that keeps it refuses to create it anew. */
  readonly deleted: number;
}

const NOTHING: ForeseenImport = { kind: 'new', run: null, leftOut: 0, cards: 0, deleted: 0 };

/**
 * What `importFiles` would make of rows that earlier runs have had, decided as it does: nothing is opened, and nothing is
 * sent. `null` where the mapping sends what has changed alone, which only a run finds out.
 * @param campaignId the campaign that clients would be added to; `null`: none
 * @throws ConfigurationError, InputError, UsageError, LedgerInUseError as `importFiles` does
 */
export async function foreseeImport(
  request: ImportRequest,
  campaignId: number | null,
): Promise<ForeseenImport | null> {
  return scoped(async (closing) => {
    const rows = await openFiles(request, closing);
    const { sections, mode } = rows.mapping;
    if ('delta' in sections && sections.delta !== undefined) return null;
    const file = ledgerPath(request.ledger, rows.installation);
    if (!hasLedger(file)) return NOTHING;
    const ledger = await openLedger(file);
    closing(() => ledger.close());
    const rule = REPEATS[mode];
    const asked = runRequest(request, rows, campaignId);
    let found: Foreseen = await ledger.foresee(asked);
    if (found.kind === 'digest') {
      const content = (await rows.content?.digest(request.signal)) ?? asked.identity.content;
      const identity = { ...asked.identity, content };
      found = await ledger.foresee({ ...asked, identity, isContentFinal: true });
    }
    if (found.kind === 'done' || found.kind === 'continue')
      return { ...NOTHING, kind: found.kind, run: found.run };
    const gather = async (runs: readonly EarlierRun[], by: typeof rule): Promise<Known | null> => {
      if (!by || runs.length === 0) return null;
      const known = await knownClients({
        ...{ runs, rule: by, campaignId, keys: createSeenKeys(), notesDeleted: true },
        ...{ factsOf: (run: string) => ledger.factsOf(run), signal: request.signal },
      });
      closing(() => known.close());
      return known;
    };
    const known = await gather(found.relies, rule);
    const runs = MODE_TRAITS[mode].creates ? await sinceDeletion(ledger, asked.identity) : [];
    const ofAll = await gather(runs, REPEATS.create);
    if (!known && !ofAll) return NOTHING;
    return { ...NOTHING, ...(await countKnown(request, rows, { known, ofAll }, closing)) };
  });
}

function runRequest(request: ImportRequest, rows: FileRows, campaignId: number | null): RunRequest {
  const { mode, campaign: own } = rows.mapping;
  const { maxCallCount = 1, disableDuplicatePhonesValidation } = own ?? {};
  const campaign =
    campaignId === null
      ? null
      : { id: campaignId, name: undefined, maxCallCount, disableDuplicatePhonesValidation };
  const wanted = defined(identifyingOptions(request, 'import'));
  const identity = identityOf(rows, campaign, wanted, request.baseUrl !== undefined);
  return { identity, settings: {}, knows: REPEATS[mode], out: (run) => run };
}

const CREATES_OR_DELETES: ReadonlySet<RunMode> = new Set(['create', 'upsert', 'delete']);

/** Rows of runs that are read at most to find out who was deleted: it takes seconds. */
const MAX_ROWS = 1_000_000;

/**
 * Runs of this contact center, whatever their files, from the first on that was taken back or deleted clients: who was
 * deleted, and not created again since. The latest first, as many as are read in time.
 */
async function sinceDeletion(
  ledger: Pick<Ledger, 'runs' | 'undosOf'>,
  { installation }: RunIdentity,
): Promise<EarlierRun[]> {
  const all = (await ledger.runs()).filter(
    (run) =>
      CREATES_OR_DELETES.has(run.mode) && centerKey(run.installation) === centerKey(installation),
  );
  const undos = await ledger.undosOf(all.map(({ run }) => run));
  let rows = 0;
  const enough = all.findIndex((run) => (rows += run.rows ?? 0) > MAX_ROWS);
  const recent = all.slice(0, enough < 0 ? all.length : enough);
  const first = recent.findLastIndex(({ run, mode }) => mode === 'delete' || undos.has(run));
  return recent.slice(0, first + 1).map((run) => {
    const none = { reliesOnUndone: false, list: null };
    return { ...run, ...none, undos: undos.get(run.run) ?? [] };
  });
}

type Known = Awaited<ReturnType<typeof knownClients>>;

interface Earlier {
  /** By the runs that a new one relies on. */
  readonly known: Known | null;
  /** By all that may have deleted clients, or created them anew since. */
  readonly ofAll: Known | null;
}

/** Counts the rows that are no duplicates and of which earlier runs did something, as a run does when it admits them. */
async function countKnown(
  request: ImportRequest,
  rows: FileRows,
  { known, ofAll }: Earlier,
  closing: Closing,
): Promise<Pick<ForeseenImport, 'leftOut' | 'cards' | 'deleted'>> {
  const onRecord = () => rowsOnRecord(request, rows.preparation);
  const screen = await rows.screen(onRecord, request.signal, closing);
  const found = { leftOut: 0, cards: 0, deleted: 0 };
  for await (const chunk of rows.chunks()) {
    request.signal?.throwIfAborted();
    const { passed } = screen(chunk);
    const before = known ? knownRows(known, chunk, passed) : [];
    for (const [, { kind }] of before)
      if (kind === 'done' || kind === 'unchanged') found.leftOut++;
      else if (kind === 'created' || kind === 'enqueue_unknown') found.cards++;
    if (!ofAll) continue;
    const { clients } = chunk;
    const areKnown = new Set(before.map(([at]) => at));
    for (const index of passed)
      if (!areKnown.has(clients.at[index] ?? 0) && ofAll.isDeleted(identifiersOf(clients, index)))
        found.deleted++;
  }
  return found;
}
