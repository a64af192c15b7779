import type { Outcome } from '../../src/core/outcome.js';
import type { RowReport } from '../../src/core/report.js';
import { type Books, MESSAGES } from './books.js';
import type { Input, InputRow } from './input.js';
import type { Fate, RowKind, Scenario } from './scenario.js';

/** How a row may end, and what the contact center's books then hold of its client. */
interface Expected {
  readonly outcome: Outcome;
  readonly creations: number;
  readonly applications: number;
  readonly message?: string;
}

/** What is wrong at the end of a run in which every row has ended; nothing, if all is well. */
export function checkEnd(
  scenario: Scenario,
  input: Input,
  rows: readonly RowReport[],
  books: Books,
): string[] {
  const ordinals = rows.map(({ ordinal }) => ordinal);
  const all = input.rows.map((_, ordinal) => ordinal);
  if (JSON.stringify(ordinals) !== JSON.stringify(all))
    return [`the report has the rows ${ordinals.join()}, the file ${all.length}`];
  return input.rows.flatMap((row, ordinal) => checkRow(scenario, row, rows[ordinal]!, books));
}

function checkRow(scenario: Scenario, row: InputRow, report: RowReport, books: Books): string[] {
  const name = `row ${report.ordinal} (${row.kind})`;
  const wrong: string[] = [];
  const expect = (what: string, found: unknown, ...wanted: readonly unknown[]): void => {
    if (!wanted.includes(found))
      wrong.push(`${name}: ${what} is ${String(found)}, not ${wanted.map(String).join(' or ')}`);
  };
  if (row.kind === 'repeat' || row.offerId === null) {
    expect('outcome', report.outcome, row.kind === 'rejected' ? 'rejected' : 'skipped');
    return wrong;
  }
  const cards = books.cards.filter(({ client }) => client === row.offerId);
  const enqueued = books.effectsOn(row.offerId).filter(({ operation }) => operation === 'enqueue');
  const allowed = expectedOf(row, scenario);
  const wanted = allowed.filter(({ outcome }) => outcome === report.outcome);
  const message = messageOf(report);
  expect('outcome', report.outcome, ...allowed.map(({ outcome }) => outcome));
  const expected = wanted.find((one) => one.message === message) ?? wanted[0];
  if (!expected) return wrong;
  expect('creations', cards.filter(({ madeBy }) => madeBy !== null).length, expected.creations);
  expect('applications', enqueued.length, expected.applications);
  if (expected.message) expect('message', message, expected.message);
  if (report.outcome === 'failed') expect('client id', report.createdClientId, null);
  // An answer may lack the id.
  else expect('client id', report.createdClientId, cards[0]?.id, null);
  return wrong;
}

function messageOf({ outcome, createResult, enqueueResult }: RowReport): string | null {
  return outcome === 'failed' ? createResult : enqueueResult;
}

function expectedOf({ kind }: InputRow, scenario: Scenario): Expected[] {
  const { campaign, isNaive } = scenario;
  const failed = (message: string): Expected => ({ ...NOTHING, outcome: 'failed', message });
  /** How a client ends whose card exists. */
  const created = (creations: number, refusal?: string): Expected[] => {
    if (campaign === 'none') return [{ ...NOTHING, outcome: 'created', creations }];
    const refused = (message: string): Expected => ({
      ...NOTHING,
      outcome: 'enqueue_failed',
      creations,
      message,
    });
    const end: Expected = { outcome: 'enqueued', creations, applications: 1 };
    return [
      refusal === undefined ? end : refused(refusal),
      ...(canRepeatErrors(scenario, kind) ? [refused(MESSAGES.broken)] : []),
    ];
  };
  const broken = canRepeatErrors(scenario, kind) ? [failed(MESSAGES.broken)] : [];
  switch (kind) {
    case 'refused':
      return [failed(MESSAGES.refused), ...broken];
    case 'poison':
      return [failed(MESSAGES.poison), ...broken];
    case 'enqueue_poison':
      return [...created(1, MESSAGES.poison), ...broken];
    case 'blacklisted':
      return [...created(1, MESSAGES.blacklisted), ...broken];
    case 'same_phone':
      return [
        ...created(1, campaign === 'phones_checked' ? MESSAGES.already : undefined),
        ...broken,
      ];
    case 'existing':
      if (isNaive) return [...created(1), ...broken];
      // After a lost answer nobody can tell the card of before from one's own.
      return [failed(MESSAGES.exists), ...(isQuiet(scenario) ? [] : created(0))];
    default:
      return [...created(1), ...broken];
  }
}

const NOTHING = { creations: 0, applications: 0 } as const;

/** Whether one client can meet two server errors in a row, which are then taken for its own. */
function canRepeatErrors({ fates, outages, refusal }: Scenario, kind: RowKind): boolean {
  const isServerError = ({ kind }: Fate): boolean => kind === 'server_error';
  const own = refusal === 500 && kind.endsWith('poison') ? 1 : 0;
  const passing = fates.filter(isServerError).length;
  return own + passing > 1 || outages.some(({ fate }) => isServerError(fate));
}

/** Whether nothing happens that could leave an answer out. */
function isQuiet({
  fates,
  outages,
  crashes,
  stops,
  brokenFlushes,
  refusal,
  rows,
}: Scenario): boolean {
  const isWhole = refusal !== 500 || !rows.includes('poison');
  const harmless = fates.every(({ kind }) => ['fine', 'busy', 'not_sent'].includes(kind));
  return (
    isWhole &&
    harmless &&
    [outages, crashes, stops, brokenFlushes].every((list) => list.length === 0)
  );
}
