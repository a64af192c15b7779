import { defined } from '../core/text.js';
import { createSeenKeys, seenKeysOf } from '../lists/seen.js';
import { identifyingOptions } from '../options/kept-options.js';
import { hasLedger, ledgerPath } from '../options/places.js';
import { knownRows, screenChunk } from '../delivery/import.js';
import { openLedger } from '../ledger/ledger.js';
import type { Foreseen, RunRequest } from '../ledger/port.js';
import { comparedRows, laterRows } from './count-rows.js';
import { rowsOnRecord } from './earlier-rows.js';
import { rereadPlan, type ImportSetup } from './inputs.js';
import { withInputs } from './prepared.js';
import { knownClients, REPEATS } from './repeats.js';
import type { ImportRequest } from './requests.js';
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
}

const NOTHING: ForeseenImport = { kind: 'new', run: null, leftOut: 0, cards: 0 };

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
  return withInputs(request, async (setup) => {
    const { sections, mode } = setup.mapping;
    if ('delta' in sections && sections.delta !== undefined) return null;
    const file = ledgerPath(request.ledger, setup.installation);
    if (!hasLedger(file)) return NOTHING;
    const ledger = await openLedger(file);
    try {
      const rule = REPEATS[mode];
      const asked = runRequest(setup, campaignId);
      let found: Foreseen = await ledger.foresee(asked);
      if (found.kind === 'digest') {
        const content = (await setup.content.digest(request.signal)) ?? asked.identity.content;
        const identity = { ...asked.identity, content };
        found = await ledger.foresee({ ...asked, identity, isContentFinal: true });
      }
      if (found.kind === 'done' || found.kind === 'continue')
        return { ...NOTHING, kind: found.kind, run: found.run };
      if (!rule || found.relies.length === 0) return NOTHING;
      const known = await knownClients({
        ...{ runs: found.relies, rule, campaignId, keys: createSeenKeys() },
        ...{ factsOf: (run: string) => ledger.factsOf(run), signal: request.signal },
      });
      try {
        return { ...NOTHING, ...(await countKnown(setup, known)) };
      } finally {
        known.close();
      }
    } finally {
      await ledger.close();
    }
  });
}

function runRequest(setup: ImportSetup, campaignId: number | null): RunRequest {
  const { request, inputs, content, installation, mapping, corrections } = setup;
  const { maxCallCount = 1, disableDuplicatePhonesValidation } = mapping.campaign ?? {};
  const campaign =
    campaignId === null
      ? null
      : { id: campaignId, name: undefined, maxCallCount, disableDuplicatePhonesValidation };
  const identity = identityOf({
    ...{ files: inputs.files, content, digests: mapping.digests, installation, campaign },
    wanted: defined(identifyingOptions(request, 'import')),
    source: request.source ?? {},
    elsewhere: request.baseUrl !== undefined,
    corrections,
  });
  return { identity, settings: {}, knows: REPEATS[mapping.mode], out: (run) => run };
}

type Known = Awaited<ReturnType<typeof knownClients>>;

/** Counts the rows that are no duplicates and of which earlier runs did something, as a run does when it admits them. */
async function countKnown(
  setup: ImportSetup,
  known: Known,
): Promise<Pick<ForeseenImport, 'leftOut' | 'cards'>> {
  const { request, preparation } = setup;
  const { duplicates, asOf } = preparation;
  const compared = await comparedRows(duplicates, {
    earlier: () => rowsOnRecord(request, preparation),
    later: (earlier) =>
      laterRows(duplicates, { ...rereadPlan(setup), asOf }, earlier, request.signal),
  });
  const seen = seenKeysOf(duplicates.by);
  const inputs = preparation.inputs.map(({ name }) => name);
  const found = { leftOut: 0, cards: 0 };
  let number = 0;
  try {
    for await (const chunk of preparation.chunks()) {
      request.signal?.throwIfAborted();
      const { passed } = screenChunk({ ...compared, duplicates, inputs, seen }, chunk, number++);
      for (const [, { kind }] of knownRows(known, chunk, passed))
        if (kind === 'done' || kind === 'unchanged') found.leftOut++;
        else if (kind === 'created' || kind === 'enqueue_unknown') found.cards++;
    }
    return found;
  } finally {
    seen.close();
    compared.close();
  }
}
