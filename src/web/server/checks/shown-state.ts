import { CORRECTED } from '../../../core/table.js';
import type { CheckState, ProblemGroup } from '../../shared/check.js';
import { masked } from '../mask.js';
import type { Site } from '../site.js';
import { checkProblem, NO_PROBLEM } from './check-problem.js';
import { type Group, keyOfGroup } from './group-key.js';
import type { CheckEnd, KeptCheck } from './kept-check.js';
import { commandOf, correctionsWords } from '../lists/command.js';
import { shownListFacts } from '../results/shown-list-facts.js';
import { shownList } from '../lists/shown-list.js';

/** Values that a group shows before it is chosen. */
const VALUES = 3;

type Running = ReturnType<KeptCheck['running']['state']>;

/** A check as the page sees it. `end`: set once it has ended. */
export function shownState(
  { list, rejectsOf, revision, mapping, corrections, sentences }: KeptCheck,
  state: Running,
  end: CheckEnd | undefined,
  { settings }: Pick<Site, 'settings'>,
): CheckState {
  const { phase, hasFirstRows, mode, share, secondsLeft } = state;
  const { rows, clients, rejected, skipped, duplicates } = state;
  const corrected = corrections.length === 0 ? [] : correctionsWords(list);
  const command = commandOf({ ...list, step: 'check' }, settings, corrected);
  const result = end && 'result' in end ? end.result : undefined;
  return {
    list: { ...shownList(list, { settings }), command },
    rejectsOf,
    ...{ revision, mapping, phase, hasFirstRows, mode, share, secondsLeft },
    ...{ rows, clients, rejected, skipped, duplicates },
    groups: state.groups.map((group) => shownGroup(group, settings.mask)),
    notShown: state.indexed.missing ?? null,
    corrections: corrections.length,
    // The corrected cells are listed by themselves.
    remarks: (result?.remarks ?? [])
      .filter(({ code }) => code !== CORRECTED)
      .map(({ count, ...remark }) => ({ ...remark, rows: count })),
    facts: shownListFacts(result?.quality, result?.checks ?? [], [list.name]),
    suspicions: result?.suspicions.map(({ message }) => message) ?? [],
    notes: [...sentences, ...(result?.notes ?? [])],
    ...(end && 'error' in end ? checkProblem(end.error, list) : NO_PROBLEM),
  };
}

const shownGroup = (group: Group, mask: boolean): ProblemGroup => ({
  key: keyOfGroup(group),
  column: group.column,
  code: group.code,
  message: group.message,
  rows: group.rows,
  values: group.values
    .slice(0, VALUES)
    .map(({ value, rows }) => ({ value: mask ? masked(value) : value, rows })),
});
