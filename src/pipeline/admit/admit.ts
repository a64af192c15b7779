import type { Fact } from '../../core/facts.js';
import { foldChunk } from '../../core/facts.js';
import { outcomeOf } from '../../core/facts.js';
import type { RunLedger } from '../../core/ledger.js';
import type { PreparedChunk } from '../../core/prepared.js';
import type { AdmitContext } from './admit-context.js';
import { knownFacts } from './known-rows.js';
import { type RecordedScreen, type Screened, screenChunk } from './screen.js';
import { type HeldRows, holdRelisted } from './hold-relisted.js';
import { type Admitted, cutOpen, takeUp } from './take-up.js';

/**
 * Screens a chunk and puts its rows on record. Where the ledger has facts of it already, only what they leave open is
 * to be done.
 * @throws UsageError when the rows are not those that the run recorded.
 */
export async function admitChunk(
  context: AdmitContext,
  chunk: PreparedChunk,
  number: number,
): Promise<Admitted> {
  const { ledger } = context;
  const recorded = ledger.continued ? await ledger.factsOf(number) : [];
  return recorded.length > 0
    ? admitAgain(context, chunk, number, recorded)
    : admitNew(context, chunk, number);
}

async function admitNew(
  context: AdmitContext,
  chunk: PreparedChunk,
  number: number,
): Promise<Admitted> {
  const { ledger, onOutcome } = context;
  const { passed, duplicates } = screenChunk(context, chunk, number);
  context.onPassed?.(passed);
  onOutcome('rejected', chunk.rejected);
  onOutcome('skipped', chunk.skipped + duplicates.length);
  const read = { kind: 'read', data: chunk.read } as const;
  const left: Fact[] = duplicates.length > 0 ? [{ kind: 'duplicates', rows: duplicates }] : [];
  const known = knownFacts(context.known, chunk, passed);
  const facts = [read, ...left, ...known];
  await ledger.record(number, facts);
  const screened = { chunk, number, passed };
  return known.length === 0 && !ledger.settlesAll
    ? cutOpen(context, screened, 'new', passed)
    : takeUp(context, screened, facts, false);
}

/** Admits a chunk that an earlier part of the run has put on record. */
async function admitAgain(
  context: AdmitContext,
  chunk: PreparedChunk,
  number: number,
  recorded: readonly Fact[],
): Promise<Admitted> {
  const { ledger } = context;
  const relisted = holdRelisted(context, recorded, chunk.read);
  const before = screenOf(recorded, ledger, relisted);
  const screened = screenChunk(context, chunk, number, before);
  const { passed, duplicates } = screened;
  context.onPassed?.(passed);
  const since = duplicates.filter(([at]) => !before.held.has(at));
  const sent: Fact[] = since.length > 0 ? [{ kind: 'duplicates', rows: since }] : [];
  const facts = context.isForOthers ? [] : [...sent, ...(relisted?.facts ?? [])];
  if (facts.length > 0) await ledger.record(number, facts);
  const all = [...recorded, ...facts];
  countLeftOut(context, chunk, screened, relisted ? all : null);
  if (isUntouched(recorded) && !ledger.settlesAll)
    return cutOpen(context, { chunk, number, passed }, 'new', passed);
  return takeUp(context, { chunk, number, passed }, all, true);
}

/** `facts`: of the chunk, where they alone say how rows have ended that are no clients any more. */
function countLeftOut(
  { onOutcome }: AdmitContext,
  { clients, rejected, skipped }: PreparedChunk,
  { passed, duplicates }: Screened,
  facts: readonly Fact[] | null,
): void {
  if (!facts) {
    onOutcome('rejected', rejected, true);
    onOutcome('skipped', skipped + duplicates.length, true);
    return;
  }
  const goOn = new Set(passed.map((index) => clients.at[index]));
  for (const [at, state] of (foldChunk(facts)?.states ?? []).entries())
    if (!goOn.has(at)) onOutcome(outcomeOf(state), 1, true);
}

/** Whether nothing has been done about any row of a chunk since it was put on record. */
const isUntouched = (recorded: readonly Fact[]): boolean =>
  recorded.every(({ kind }) => kind === 'read' || kind === 'duplicates');

/** Rows that were held back when their chunk was put on record, and those for which nothing was sent. */
function screenOf(
  recorded: readonly Fact[],
  { settlesAll }: RunLedger,
  relisted: HeldRows | null,
): RecordedScreen {
  const held = recorded.flatMap((fact) => (fact.kind === 'duplicates' ? fact.rows : []));
  const waiting = new Set<number>();
  // Where facts were lost, nobody knows for which rows nothing was sent.
  const states = settlesAll ? [] : (foldChunk(recorded)?.states ?? []);
  for (const [at, { stage }] of states.entries()) if (stage === 'pending') waiting.add(at);
  return { held: new Map([...held, ...(relisted?.held ?? [])]), waiting };
}
