import type { Outcome } from '../../src/core/outcome.js';
import type { RowReport } from '../../src/core/report.js';
import { type Books, MESSAGES } from './books.js';
import type { Input, InputRow } from './input.js';
import type { Scenario } from './scenario.js';

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
  { rows, books }: { readonly rows: readonly RowReport[]; readonly books: Books },
): string[] {
  const ordinals = rows.map(({ ordinal }) => ordinal);
  const all = input.rows.map((_, ordinal) => ordinal);
  if (JSON.stringify(ordinals) !== JSON.stringify(all))
    return [`the report has the rows ${ordinals.join()}, the file ${all.length}`];
  return input.rows.flatMap((row, ordinal) => checkRow(scenario, row, rows[ordinal]!, books));
}

function checkRow(scenario: Scenario, row: InputRow, report: RowReport, books: Books): string[] {
  const name = `row ${report.ordinal} (${row.kind})`;
  const card = row.offerId === null ? undefined : books.card(row.offerId);
  const wrong: string[] = [];
  const expect = (what: string, found: unknown, ...wanted: readonly unknown[]): void => {
    if (!wanted.includes(found))
      wrong.push(`${name}: ${what} is ${String(found)}, not ${wanted.map(String).join(' or ')}`);
  };
  if (row.kind === 'repeat' || row.offerId === null) {
    expect('outcome', report.outcome, row.kind === 'rejected' ? 'rejected' : 'skipped');
    return wrong;
  }
  const allowed = expectedOf(row, scenario);
  const expected = allowed.find(({ outcome }) => outcome === report.outcome);
  expect('outcome', report.outcome, ...allowed.map(({ outcome }) => outcome));
  if (!expected) return wrong;
  expect('creations', card?.creations ?? 0, expected.creations);
  expect('applications', card?.applications ?? 0, expected.applications);
  if (expected.message) expect('message', messageOf(report), expected.message);
  if (report.outcome === 'failed') expect('client id', report.createdClientId, null);
  // An answer may lack the id.
  else expect('client id', report.createdClientId, card?.ids[0], null);
  return wrong;
}

function messageOf({ outcome, createResult, enqueueResult }: RowReport): string | null {
  return outcome === 'failed' ? createResult : enqueueResult;
}

function expectedOf({ kind }: InputRow, scenario: Scenario): Expected[] {
  const { campaign, isNaive } = scenario;
  const good: Expected =
    campaign === 'none'
      ? { outcome: 'created', creations: 1, applications: 0 }
      : { outcome: 'enqueued', creations: 1, applications: 1 };
  const failed = (message: string): Expected => ({
    outcome: 'failed',
    creations: 0,
    applications: 0,
    message,
  });
  const unlessCampaign = (message: string): Expected =>
    campaign === 'none'
      ? good
      : { outcome: 'enqueue_failed', creations: 1, applications: 0, message };
  switch (kind) {
    case 'refused':
      return [failed(MESSAGES.refused)];
    case 'poison':
      // An error that has nothing to do with the client may be the last word on it.
      return [failed(MESSAGES.poison)];
    case 'enqueue_poison':
      return [unlessCampaign(MESSAGES.poison)];
    case 'blacklisted':
      return [unlessCampaign(MESSAGES.blacklisted)];
    case 'same_phone':
      return [campaign === 'phones_checked' ? unlessCampaign(MESSAGES.already) : good];
    case 'existing':
      return isNaive
        ? [good]
        : // After a lost answer nobody can tell the card of before from one's own.
          [failed(MESSAGES.exists), ...(isQuiet(scenario) ? [] : [{ ...good, creations: 0 }])];
    default:
      return [good];
  }
}

/** Whether nothing happens that could leave an answer out. */
function isQuiet({ fates, outages, crashes, brokenFlushes, refusal, rows }: Scenario): boolean {
  const isWhole = refusal !== 500 || !rows.includes('poison');
  const harmless = fates.every(({ kind }) => ['fine', 'busy', 'not_sent'].includes(kind));
  return isWhole && harmless && [outages, crashes, brokenFlushes].every((list) => list.length === 0);
}
