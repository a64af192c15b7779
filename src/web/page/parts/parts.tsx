import type { JSX, ComponentChildren } from 'preact';
import { t, dateTime, language, number, outcomeName } from '../state/language.js';
import { OUTCOME_TRAITS, type Outcome } from '../../../core/outcome.js';
import type { Step } from '../../shared/in-browser.js';
import type { RejectsOf } from '../../shared/list.js';
import type { ShownListFacts, PageProblem } from '../../shared/route.js';
import type { QualityPart } from '../../../core/quality.js';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { about, shownList } from '../state/about.js';
import { guardLeaving, go, hrefOf, type Place, type Search } from '../state/address.js';
import { call, problemOf } from '../state/call.js';

export const Waiting = (): JSX.Element => (
  <p class="waiting soft" role="status">
    {t('Loading…')}
  </p>
);

/** A time as the person's clock shows it; on the hover to the second, with its zone. */
export function LocalTime({ iso }: { readonly iso: string }): JSX.Element {
  const exact = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'long',
  }).format(new Date(iso));
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <time dateTime={iso} title={`${exact} (${zone})`}>
      {dateTime(iso)}
    </time>
  );
}

const isOutcome = (text: string): text is Outcome => text in OUTCOME_TRAITS;

interface HeadsProps {
  readonly of: readonly (ComponentChildren | { readonly number: string })[];
}

const isOfNumbers = (head: HeadsProps['of'][number]): head is { readonly number: string } =>
  typeof head === 'object' && head !== null && 'number' in head;

/** The head of a table with the names of its columns; those of numbers stand above them. */
export const Heads = ({ of }: HeadsProps): JSX.Element => (
  <thead>
    <tr>
      {of.map((head) =>
        isOfNumbers(head) ? (
          <th scope="col" class="number">
            {head.number}
          </th>
        ) : (
          head !== false && <th scope="col">{head}</th>
        ),
      )}
    </tr>
  </thead>
);

/** What an outcome is called, and what it means. In English its name is that of the reports. */
export function outcomeWords(outcome: string): { readonly name: string; readonly meaning: string } {
  if (!isOutcome(outcome)) return { name: outcome, meaning: '' };
  return { name: outcomeName(outcome), meaning: t(OUTCOME_TRAITS[outcome].meaning) };
}

/** An outcome with its colour beside it, as reports show it; what it means stands on the hover. */
export function OutcomeName({ outcome }: { readonly outcome: string }): JSX.Element {
  const { name, meaning } = outcomeWords(outcome);
  return (
    <span class="outcome" title={meaning}>
      <span class="mark" style={{ background: `var(--outcome-${outcome})` }} aria-hidden="true" />
      {name}
    </span>
  );
}

/** A part of all rows, with the outcome whose colour it has. */
export interface Share {
  readonly outcome: string;
  readonly label: string;
  readonly rows: number;
  /** Said below the label. */
  readonly more?: string | undefined;
}

/** What has become of the rows, or would: a bar, and the numbers in words below it. */
export const OutcomeBar = ({ shares }: { readonly shares: readonly Share[] }): JSX.Element => (
  <>
    <div class="outcome-bar" aria-hidden="true">
      {shares.map(({ outcome, rows }) => (
        <span
          style={{ flexGrow: String(rows), background: `var(--outcome-${outcome})` }}
          hidden={rows === 0}
        />
      ))}
    </div>
    <dl class="counts">
      {shares.map(({ outcome, label, rows, more }) => (
        <div class={outcome}>
          <dt>
            <span
              class="mark"
              style={{ background: `var(--outcome-${outcome})` }}
              aria-hidden="true"
            />
            {label}
          </dt>
          <dd>{number(rows)}</dd>
          {more !== undefined && <dd class="soft">{more}</dd>}
        </div>
      ))}
    </dl>
  </>
);

interface RejectsNoteProps {
  /** Name of the file whose rows are shown. */
  readonly name: string;
  /** Where they come from; `null`: from that file alone. */
  readonly from: RejectsOf | null;
}

/** Says of which file the row numbers are, where the rows come from another one. */
export const RejectsNote = ({ name, from }: RejectsNoteProps): JSX.Element | null =>
  from && (
    <p class="soft">
      {t('Row numbers are those of {1}, which holds the rejects of', name)}{' '}
      <Link to={{ kind: 'run', run: from.run }}>{from.file}</Link>
    </p>
  );

/** What a file of rejects is called: whose rows it has, and not how the folder of their run calls it. */
export const mendedRows = ({ file }: RejectsOf): string => t('{1}, mended rows', file);

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly disabled?: boolean;
  readonly onChoose: (value: string) => void;
}

/** A labelled list to choose one of. */
export const Select = ({ label, value, choices, disabled, onChoose }: SelectProps): JSX.Element => (
  <label class="field">
    <span>{label}</span>
    <select
      value={value}
      disabled={disabled ?? false}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {choices.map((choice) => (
        <option value={choice.value} selected={choice.value === value}>
          {choice.label}
        </option>
      ))}
    </select>
  </label>
);

/** How good a list is, and what the checks of its mapping came to; nothing where neither was looked for. */
export function ListFacts({ facts }: { readonly facts: ShownListFacts }): JSX.Element | null {
  const { quality, checks } = facts;
  if (!quality && checks.length === 0) return null;
  return (
    <section>
      <h2 id="list-facts">{t('The list as a whole')}</h2>
      {checks.length > 0 && (
        <ul class="remarks">
          {checks.map(({ holds, isStop, sentence }) => (
            <li>
              <strong>{t(holds ? 'holds' : isStop ? 'stops the import' : 'warns')}</strong>{' '}
              {sentence}
            </li>
          ))}
        </ul>
      )}
      {quality && <Quality quality={quality} />}
    </section>
  );
}

type ShownQuality = NonNullable<ShownListFacts['quality']>;

const Quality = ({ quality }: { readonly quality: ShownQuality }): JSX.Element => (
  <>
    <p>
      <strong>{t('Quality {1} of 100', quality.score)}</strong>{' '}
      <span class="soft">{lostRows(quality)}</span>
    </p>
    <div class="scroll" tabIndex={0} role="region" aria-labelledby="list-facts">
      <table class="result-counts">
        <Heads
          of={[t('What counts'), { number: t('Points') }, { number: t('Rows that lose points') }]}
        />
        <tbody>
          {quality.parts.map(({ part, points, of, rows }) => (
            <tr key={part}>
              <th scope="row">{t(partText[part])}</th>
              <td class="number">{t('{1} of {2}', points, of)}</td>
              <td class="number">{number(rows)}</td>
            </tr>
          ))}
          {quality.whole && (
            <tr>
              <th scope="row">{t('the list as a whole')}</th>
              <td class="number">{t('−{1}', quality.whole.points)}</td>
              <td class="number">{foundIn(quality.whole)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  </>
);

function lostRows({ lost, rows, outside }: ShownQuality): string {
  return outside === 0
    ? t('{1} of {2:row|rows} rejected or skipped', lost, rows)
    : t(
        '{1} of {2:row|rows} rejected or skipped; the mapping does not take {3} more',
        lost,
        rows,
        outside,
      );
}

const foundIn = ({ doubts, notes }: NonNullable<ShownQuality['whole']>): string =>
  [
    ...(doubts > 0 ? [t('{1:doubt|doubts}', doubts)] : []),
    ...(notes > 0 ? [t('{1:note|notes}', notes)] : []),
  ].join(', ');

const partText = {
  phones: 'phones valid',
  unique: 'unique',
  suppressed: 'not suppressed',
  zone: 'time zone certain',
  fresh: 'fresh',
  complete: 'complete',
} as const satisfies Record<QualityPart, string>;

interface UnsavedMappingProps {
  readonly list: string;
  /** Whether a rule has just been made: then one that has no name yet is spoken of too. */
  readonly hasRule?: boolean;
  readonly onSaved?: () => void;
}

/** Says that the mapping of a name lacks what was changed in this list, saves it, and asks before the list is left. */
export function UnsavedMapping(props: UnsavedMappingProps): JSX.Element | null {
  const { list, hasRule = false, onSaved } = props;
  const problem = useSignal<PageProblem | null>(null);
  const shown = shownList.value;
  const isOpen = shown?.id === list && shown.isUnsaved && about.value?.readOnly === false;
  const name = isOpen ? shown.mapping : null;
  useEffect(() => {
    if (name === null) return;
    const question = `${t('The mapping “{1}” does not have what was changed in this list.', name)} ${t('Leave all the same?')}`;
    guardLeaving((to) => (to.kind === 'list' && to.list === list) || confirm(question), false);
    return () => guardLeaving(null);
  }, [list, name]);
  if (name === null)
    return isOpen && hasRule ? (
      <p class="notice">
        {t('Kept with this list, not yet saved under a name.')}{' '}
        <Link to={{ kind: 'list', list, step: 'columns' }}>{t('To the step Columns')}</Link>
      </p>
    ) : null;
  const save = async (): Promise<void> => {
    const body = { revision: null, name, overwrite: true };
    try {
      const saved = await call('POST /api/lists/:list/mapping/save', { params: { list }, body });
      shownList.value = saved.list;
      onSaved?.();
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
  return (
    <div class="notice">
      <p>{t('The mapping “{1}” does not have what was changed in this list.', name)}</p>
      {problem.value && <ProblemNote problem={problem.value} />}
      <button type="button" onClick={() => void save()}>
        {t('Save')}: {name}
      </button>
    </div>
  );
}

interface ProblemNoteProps {
  readonly problem: PageProblem;
  /** What can be done about it right here. */
  readonly children?: ComponentChildren;
}

/** What went wrong, in a sentence, with the next step. */
export function ProblemNote({ problem, children }: ProblemNoteProps): JSX.Element {
  const { sentence, next, place } = problem;
  return (
    <div class="problem" role="alert">
      <p>
        {place && <>{whereOf(place)} </>}
        <strong>{sentence}</strong> {next}
      </p>
      {children}
    </div>
  );
}

/** Such as `Sheet "Leads", row 7:`. */
function whereOf({ sheet, line, row }: NonNullable<PageProblem['place']>): string {
  const parts = [
    sheet === undefined ? '' : t('sheet “{1}”', sheet),
    line === undefined ? '' : t('line {1}', String(line)),
    row === undefined ? '' : t('row {1}', String(row)),
  ].filter((part) => part !== '');
  const text = parts.join(', ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}:`;
}

interface LinkProps {
  readonly to: Place;
  /** What the query of its address says. */
  readonly search?: Search | undefined;
  readonly class?: string;
  /** Whether it is where the person is. */
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

/** A link within the page: a real one, so that it can be opened in another tab too. */
export function Link({ to, search, current = false, children, ...rest }: LinkProps): JSX.Element {
  const follow = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(to, search);
  };
  return (
    <a
      {...rest}
      href={hrefOf(to, search)}
      aria-current={current ? 'page' : undefined}
      onClick={follow}
    >
      {children}
    </a>
  );
}

export const stepText = {
  file: 'File',
  columns: 'Columns',
  check: 'Check',
  import: 'Import',
  result: 'Result',
} as const satisfies Record<Step, string>;
