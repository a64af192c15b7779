import type { RunMode } from '../../../../core/outcome.js';
import type { PastRun } from '../../state/answers.js';
import { mendedRows, OutcomeName } from '../../parts/parts.js';
import { dateTime, t, number } from '../../state/language.js';
import type { JSX } from 'preact';
import { call, useAsked } from '../../state/call.js';
import { pageInQuery, query, setQuery } from '../../state/address.js';

/** What a run is called: the name of its file, and what it does with an earlier run of that. */
export function nameOf({ files: [first, ...others], rejectsOf, worksOn, mode }: PastRun): string {
  const file = (rejectsOf ? mendedRows(rejectsOf) : first) ?? worksOn ?? t('no file');
  const name = others.length === 0 ? file : t('{1} and {2} more', file, others.length);
  const what = modeWord(mode);
  return worksOn === null ? name : `${what.slice(0, 1).toUpperCase()}${what.slice(1)}: ${name}`;
}

/** Name and time: what distinguishes the controls of one run from those of another. */
export const namesOf = (run: PastRun): [name: string, when: string] => [
  nameOf(run),
  dateTime(run.startedAt),
];

const isMode = (mode: string): mode is keyof typeof modeText => mode in modeText;

export const modeWord = (mode: string): string => (isMode(mode) ? t(modeText[mode]) : mode);

export const stateWord = (state: PastRun['state']): string => t(stateText[state]);

type Outcomes = PastRun['outcomes'];

/** The cells with the rows of a run and how they ended. Where no process could count them, they are counted now. */
export function RunCounts({ run }: { readonly run: PastRun }): JSX.Element {
  if (run.rows === null && run.state !== 'running') return <Counted run={run.run} />;
  return <Counts rows={run.rows === null ? '' : number(run.rows)} outcomes={run.outcomes} />;
}

function Counted({ run }: { readonly run: string }): JSX.Element {
  const load = (signal: AbortSignal) =>
    call('GET /api/runs/:run/counts', { params: { run }, signal });
  const { found, isLoading } = useAsked(load, run);
  if (found) return <Counts rows={number(found.rows)} outcomes={found.outcomes} />;
  return <Counts rows={isLoading ? t('counting…') : t('not counted')} outcomes={[]} />;
}

const Counts = ({ rows, outcomes }: { readonly rows: string; readonly outcomes: Outcomes }) => (
  <>
    <td role="cell" class="number count">
      <span class="label soft">{t('Rows')}</span> {rows}
    </td>
    <td role="cell" class="ends">
      <OutcomeCounts outcomes={outcomes} />
    </td>
  </>
);

const OutcomeCounts = ({ outcomes }: { readonly outcomes: Outcomes }): JSX.Element => (
  <ul class="outcomes">
    {outcomes.map(({ outcome, count }) => (
      <li key={outcome}>
        <OutcomeName outcome={outcome} /> <span class="number">{number(count)}</span>
      </li>
    ))}
  </ul>
);

/** The same in one line. */
export const RunCountsLine = ({ run }: { readonly run: PastRun }): JSX.Element => (
  <div>
    {run.rows !== null && <span>{t('{1:row|rows}', run.rows)}</span>}
    <OutcomeCounts outcomes={run.outcomes} />
  </div>
);

/** How the runs are filtered, which page is shown, and which are chosen: all of it is in the address. */
export interface Choices {
  readonly text: string;
  readonly state: string;
  readonly mode: string;
  /** From 1. */
  readonly page: number;
  /** Ids of the runs that are to be compared. */
  readonly chosen: readonly string[];
}

export function choices(): Choices {
  const read = (name: string): string => query.value.get(name) ?? '';
  return {
    text: read('text'),
    state: read('state'),
    mode: read('mode'),
    page: pageInQuery(),
    chosen: read('chosen').split(',').filter(Boolean),
  };
}

const orNone = (text: string): string | null => (text === '' ? null : text);

/** Another filter begins with its first page. */
export const filter = (changes: Partial<Pick<Choices, 'text' | 'state' | 'mode'>>): void =>
  setQuery({
    page: null,
    ...Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, orNone(value)])),
  });

export const choose = (chosen: readonly string[]): void =>
  setQuery({ chosen: orNone(chosen.join(',')) });

/** The query of another page with the same filter. */
export function searchOf(page: number): Record<string, string> {
  const { text, state, mode, chosen } = choices();
  const all = { text, state, mode, chosen: chosen.join(','), page: page === 1 ? '' : String(page) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

export const stateText = {
  running: 'running',
  finished: 'finished',
  open: 'some unknown',
  stopped: 'stopped',
  broken_off: 'broken off',
} as const satisfies Record<PastRun['state'], string>;

export const modeText = {
  create: 'create',
  upsert: 'create or update',
  update: 'update',
  enqueue: 'add to campaign',
  dequeue: 'take out of campaign',
  contacts: 'contact statuses',
  callbacks: 'callbacks',
  rekey: 'change identifiers',
  delete: 'delete',
  undo: 'undo',
  reconcile: 'comparison',
} as const satisfies Record<RunMode, string>;
