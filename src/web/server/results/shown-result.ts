import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { RunResult } from '../../../app/runs/result/run-results.js';
import { GOOD_OUTCOMES, OUTCOMES } from '../../../core/outcome.js';
import { MODE_TRAITS } from '../../../core/mode.js';
import { REPORT_FORMATS, FORMATS } from '../../../report/formats.js';
import type { Reason } from '../../../report/reasons.js';
import type { Result, ResultReason } from '../../shared/result.js';
import { commandLine } from '../../../core/text.js';
import { ledgerWords } from '../lists/command.js';
import { maskedWords } from '../mask.js';
import type { Site } from '../site.js';
import { shownListFacts } from './shown-list-facts.js';
import { rejectsOf } from './rejects-of.js';

/** Reasons and remarks that are shown; the reports have all. */
const SHOWN = 100;

/** A result as the page sees it. */
export async function shownResult(found: RunResult, site: Site): Promise<Result> {
  const { run, index, next } = found;
  const { mask } = site.settings;
  const isUndoing = site.runs.isUndoing(run.run);
  const reasons = shownReasons(index.tally.reasons.list(), mask);
  const list = (await site.lists.all()).find((one) => one.run === run.run);
  return {
    run: run.run,
    list: list?.id ?? null,
    state: run.state,
    isHere: site.runs.isAtWork(run.run),
    isUndoing,
    mode: run.mode,
    next: {
      ...next,
      ...(isUndoing ? { kind: 'wait' as const } : {}),
      sentence: mask ? maskedNext(next.sentence, next.top) : next.sentence,
      more: mask ? maskedNext(next.more, next.top) : next.more,
      top: next.top && shownReason(next.top, mask),
    },
    inputs: found.files.map((input) => (list ? list.name : basename(input))),
    rejectsOf: await rejectsOf(found.files[0], site.settings),
    campaign: found.campaignName ?? run.campaignId?.toString() ?? null,
    sandbox: found.isSandbox,
    startedAt: new Date(run.createdAt).toISOString(),
    endedAt: run.endedAt === null ? null : new Date(run.endedAt).toISOString(),
    rows: index.rows,
    outcomes: OUTCOMES.map((outcome) => ({ outcome, count: index.tally.outcomes[outcome] })).filter(
      ({ count }) => count > 0,
    ),
    waiting: index.waiting,
    reasons: reasons.slice(0, SHOWN),
    moreReasons: Math.max(0, reasons.length - SHOWN) + index.tally.reasons.unlisted,
    remarks: index.remarks.slice(0, SHOWN).map(({ column, code, message }, id) => ({
      ...{ id, column, code, message },
      rows: index.count({ remark: id }),
    })),
    facts: shownListFacts(
      index.tally.quality,
      found.listChecks,
      found.files.map((file) => basename(file)),
    ),
    reports: mask ? [] : reportsOf(run.run),
    rejects: mask ? [] : await Promise.all(found.rejects.map(fileOf)),
    about: found.about,
    undos: [...found.undos],
    checks: [...found.checks],
    ...possibleWork(found),
    command: commandLine(['report', run.run, '--open', ...ledgerWords(site.settings)]),
  };
}

/** What can be done with the run. */
function possibleWork({
  run: { mode, state },
  isTakenBack,
}: RunResult): Pick<Result, 'isTakenBack' | 'canResume' | 'canReconcile' | 'notUndoable'> {
  const isUnderWay = state === 'running';
  const notNow = isUnderWay ? 'it is under way' : isTakenBack ? 'it was taken back' : null;
  return {
    isTakenBack,
    canResume: !isUnderWay && !isTakenBack && state !== 'finished',
    canReconcile: !isUnderWay && mode !== 'undo' && mode !== 'reconcile',
    notUndoable: MODE_TRAITS[mode].notUndoable ?? notNow,
  };
}

/** Those of rows that did not end well come first: they are what the person is here for. */
function shownReasons(reasons: readonly Reason[], mask: boolean): ResultReason[] {
  const isGood = ({ outcome }: Reason): boolean => GOOD_OUTCOMES.has(outcome);
  return [...reasons.filter((one) => !isGood(one)), ...reasons.filter(isGood)].map((reason) =>
    shownReason(reason, mask),
  );
}

function shownReason(
  { id, outcome, column, code, message, rows, from }: Reason,
  mask: boolean,
): ResultReason {
  const shown = mask && from === 'contact center' ? maskedWords(message) : message;
  return { id, outcome, column, code, message: shown, rows };
}

const maskedNext = (text: string, top: Reason | null): string =>
  top?.from === 'contact center' ? text.replace(/(?<=for one reason: ).*$/s, maskedWords) : text;

const reportsOf = (run: string): Result['reports'] =>
  REPORT_FORMATS.map((format) => ({
    id: `report${FORMATS[format].ending}`,
    name: `report-${run}${FORMATS[format].ending}`,
    bytes: null,
  }));

async function fileOf(path: string): Promise<Result['rejects'][number]> {
  return { id: basename(path), name: basename(path), bytes: (await stat(path)).size };
}
