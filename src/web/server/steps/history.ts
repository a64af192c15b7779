import { type RunMode, MODE_TRAITS } from '../../../core/mode.js';
import { basename } from 'node:path';
import {
  type ListedRun,
  countRun,
  findRuns,
  sourceTrend,
  watchComparison,
} from '../../../history/history.js';
import type { historyRoutes, PastRun } from '../../shared/history.js';
import type { Handlers, Site } from '../handler.js';
import { commandLine } from '../../../core/text.js';
import { ledgerWords } from '../lists/shown-list.js';
import type { StoredList } from '../lists/lists.js';
import { shownOrigin, outcomesOf, noSuchRun } from '../runs/runs.js';
import {
  LedgerError,
  LedgerInUseError,
  NewerLedgerError,
  NoLedgerError,
} from '../../../core/errors.js';
import { Refusal } from '../problem.js';

/** Why a ledger cannot be looked at, the more special first. */
const REASONS = [
  [
    LedgerInUseError,
    'ledger_in_use',
    'Another program has the ledger for itself at this moment.',
    'Try again in a moment.',
  ],
  [
    NewerLedgerError,
    'newer_ledger',
    'A later version of cardline has written the ledger.',
    'Use that version, or start "cardline ui" with another --ledger.',
  ],
  [
    NoLedgerError,
    'no_ledger',
    'What lies at the place of the ledger is none.',
    'Start "cardline ui" with another --ledger.',
  ],
  [
    LedgerError,
    'ledger_unread',
    'The ledger cannot be read.',
    'Look at its disk and its permissions, and try again.',
  ],
] as const;

export const historyHandlers: Handlers<keyof typeof historyRoutes> = {
  'GET /api/runs': async ({ query: { mode, ...query } }, { site }) => {
    const { ledger } = site.settings;
    const wanted = mode !== undefined && isRunMode(mode) ? { mode } : {};
    const { runs, ...counts } = await found(findRuns({ ledger, ...query, ...wanted }));
    const lists = await site.lists.all();
    return {
      ...counts,
      offset: query.offset,
      runs: runs.map((run) => pastRun(run, lists, site)),
      command: commandLine(['runs', ...ledgerWords(site.settings)]),
    };
  },
  'GET /api/runs/:run/counts': async ({ params }, { site, signal }) => {
    const { rows, outcomes } = await found(countRun(site.settings.ledger, params.run, signal));
    return { rows, outcomes: outcomesOf(outcomes) };
  },
  'GET /api/runs/:run/compared/:other': async function* ({ params }, { site, signal }) {
    const { ledger } = site.settings;
    const lists = await site.lists.all();
    try {
      for await (const state of watchComparison(ledger, [params.run, params.other], signal)) {
        const pair = [state.earlier, state.later] as const;
        const [earlier, later] = pair.map((run) => pastRun(run, lists, site));
        if (!earlier || !later) return;
        const words = [
          'report',
          '--compare',
          earlier.run,
          later.run,
          ...ledgerWords(site.settings),
        ];
        const ways = state.ways.map((way) => ({
          ...way,
          examples: way.examples.map((example) => ({ ...example, file: basename(example.file) })),
        }));
        yield { ...state, earlier, later, ways, command: commandLine(words) };
      }
    } catch (error) {
      throw viewRefusal(error);
    }
  },
  'GET /api/runs/:run/trend': async ({ params }, { site, signal }) => {
    const { points, mapping, ...trend } = await found(
      sourceTrend(site.settings.ledger, params.run, signal),
    );
    return {
      ...trend,
      points: points.map(({ createdAt, file, outcomes, ...point }) => ({
        ...point,
        startedAt: new Date(createdAt).toISOString(),
        file: basename(file),
        outcomes: outcomesOf(outcomes),
      })),
      command:
        mapping === null
          ? null
          : commandLine(['runs', '--trend', mapping, ...ledgerWords(site.settings)]),
    };
  },
};

async function found<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw viewRefusal(error);
  }
}

/** A run as the page shows it. */
function pastRun(run: ListedRun, lists: readonly StoredList[], site: Site): PastRun {
  const { mode, state, inputs, campaignId, campaignName, rows, outcomes, endedAt } = run;
  const { center } = site.settings;
  const sandbox = run.isSandbox === true;
  const isOther = center !== undefined && run.center !== center.name;
  // The sandbox has the name of the contact center that it stands for.
  const isElsewhere = isOther || sandbox !== (center?.kind === 'sandbox');
  const isAtWork = state === 'running';
  const isUndoing = site.runs.isUndoing(run.run);
  const isFree = !isAtWork && !isUndoing;
  const canAct = center !== undefined && !isElsewhere && isFree && !site.settings.readOnly;
  const list = lists.find((one) => one.run === run.run || inputs.includes(one.file));
  return {
    run: run.run,
    startedAt: new Date(run.createdAt).toISOString(),
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
    ...{ mode, state, isHere: site.runs.isAtWork(run.run) },
    isUndoing,
    files: run.files.map((file) => basename(file)),
    rejectsOf: shownOrigin(run.rejectsOf),
    campaign: campaignName ?? (campaignId === null ? null : String(campaignId)),
    otherCenter: isOther ? run.center : null,
    sandbox,
    ...{ rows, outcomes: outcomes === null ? [] : outcomesOf(outcomes) },
    ...{ worksOn: run.worksOn, undos: [...run.undos], list: list?.id ?? null },
    canResume: canAct && run.canResume,
    canUndo: canAct && !run.isTakenBack && MODE_TRAITS[mode].notUndoable === null,
    canReconcile: canAct && mode !== 'undo' && mode !== 'reconcile',
  };
}

/** What is thrown where runs could not be looked at. */
function viewRefusal(error: unknown): unknown {
  const found = REASONS.find(([Kind]) => error instanceof Kind);
  if (!found) return noSuchRun(error);
  const [, code, sentence, next] = found;
  return new Refusal(422, { code, sentence, next });
}

/** Whether a word is what a run can do. */
export const isRunMode = (word: string): word is RunMode => word in MODE_TRAITS;
