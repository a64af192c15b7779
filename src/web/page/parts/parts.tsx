import type {
  JSX,
  ComponentChildren,
  ButtonHTMLAttributes,
  PartialInputHTMLAttributes,
} from 'preact';
import { t, dateTime, exactTime, number, outcomeName } from '../state/language.js';
import { OUTCOME_TRAITS, type Outcome } from '../../../core/outcome.js';
import type { Step } from '../../shared/page.js';
import type { RejectsOf, ListFacts as Facts, PageProblem } from '../state/answers.js';
import type { QualityPart } from '../../../core/quality.js';
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { about, shownList } from '../state/about.js';
import { guardLeaving, go, hrefOf, type Place, type Search } from '../state/address.js';
import { type Asked, call, useAttempt } from '../state/call.js';

export const Waiting = (): JSX.Element => (
  <p class="waiting soft" role="status">
    {t('Loading…')}
  </p>
);

/** A button that does something, by its word. */
export const Button = ({
  label,
  ...button
}: Omit<ButtonHTMLAttributes, 'label' | 'role' | 'type'> & { readonly label: string }) => (
  <button {...button} type="button">
    {label}
  </button>
);

/** What was asked for; before it is there, that it is waited for, or why it cannot be had. */
export function Loaded<T>(props: {
  readonly of: Asked<T>;
  /** What can be done where it is not there. */
  readonly help?: ComponentChildren;
  readonly children: (found: T) => ComponentChildren;
}): JSX.Element {
  const { of, help, children } = props;
  if (of.found !== null) return <>{children(of.found)}</>;
  return of.problem ? <ProblemNote problem={of.problem}>{help}</ProblemNote> : <Waiting />;
}

/** A time as the person's clock shows it; on the hover to the second, with its zone. */
export function LocalTime({ iso }: { readonly iso: string }): JSX.Element {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <time dateTime={iso} title={`${exactTime(iso)} (${zone})`}>
      {dateTime(iso)}
    </time>
  );
}

const isOutcome = (text: string): text is Outcome => text in OUTCOME_TRAITS;

interface Head {
  readonly name: ComponentChildren;
  /** Whether it has numbers, which stand at the right, as its name does. */
  readonly isNumber?: boolean;
  /** Whether its cells name their rows. */
  readonly isTitle?: boolean;
  /** What its cells look like. */
  readonly look?: string;
}

export const numbers = (name: ComponentChildren): Head => ({
  name,
  isNumber: true,
  look: 'number',
});
export const titles = (name: ComponentChildren, look = ''): Head => ({ name, isTitle: true, look });

/** A column that explains itself to who sees it. */
export const unseen = (name: string): Head => ({ name: <span class="hidden">{name}</span> });

type Heads = readonly (Head | string | false)[];

const shownHeads = (heads: Heads): Head[] =>
  heads.flatMap((one) => (one === false ? [] : typeof one === 'string' ? { name: one } : one));

interface HeadsProps {
  readonly of: Heads;
  /** Whether the roles are written out, since on a narrow screen the rows are drawn as cards. */
  readonly hasRoles?: boolean;
}

export const Heads = ({ of, hasRoles = false }: HeadsProps): JSX.Element => (
  <thead {...(hasRoles && { role: 'rowgroup' })}>
    <tr {...(hasRoles && { role: 'row' })}>
      {shownHeads(of).map(({ name, isNumber }) => (
        <th
          scope="col"
          class={isNumber ? 'number' : ''}
          {...(hasRoles && { role: 'columnheader' })}
        >
          {name}
        </th>
      ))}
    </tr>
  </thead>
);

interface TableProps {
  readonly heads: Heads;
  readonly rows: readonly {
    readonly key?: string | number;
    readonly look?: string;
    readonly cells: readonly ComponentChildren[];
  }[];
  readonly class?: string;
  readonly caption?: string;
  /** What its frame is called, in which it can be scrolled: a text, or the element with this id. Default: no frame. */
  readonly label?: string;
  readonly labelledBy?: string;
  /** What its frame looks like. */
  readonly frame?: string;
}

/** A table. Its frame can be reached by keys, so that what does not fit can be seen without a mouse. */
export function Table(props: TableProps): JSX.Element {
  const { heads, rows, class: look = '', caption, label, labelledBy, frame = 'scroll' } = props;
  const columns = shownHeads(heads);
  const table = (
    <table class={look}>
      {caption !== undefined && <caption>{caption}</caption>}
      <Heads of={heads} />
      <tbody>
        {rows.map((row, index) => (
          <tr key={row.key ?? index} class={row.look ?? ''}>
            {columns.map((column, at) =>
              column.isTitle ? (
                <th scope="row" class={column.look ?? ''}>
                  {shownCell(row.cells[at])}
                </th>
              ) : (
                <td class={column.look ?? ''}>{shownCell(row.cells[at])}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (label === undefined && labelledBy === undefined) return table;
  return (
    <div class={frame} tabIndex={0} role="region" aria-label={label} aria-labelledby={labelledBy}>
      {table}
    </div>
  );
}

/** Numbers are written as the language has them. */
const shownCell = (cell: ComponentChildren): ComponentChildren =>
  typeof cell === 'number' ? number(cell) : cell;

interface PagerProps {
  /** From 1. */
  readonly page: number;
  readonly last: number;
  /** Which page it is; or which rows. */
  readonly children: ComponentChildren;
  readonly onChoose: (page: number) => void;
}

/** One page back or on; nothing where one page has all. The buttons stay where they are, so that one can click on. */
export function Pager({ page, last, children, onChoose }: PagerProps): JSX.Element | null {
  if (last <= 1) return null;
  const to = (label: string, wanted: number): JSX.Element => {
    const isThere = wanted >= 1 && wanted <= last;
    return (
      <Button
        aria-disabled={!isThere}
        onClick={() => {
          if (isThere) onChoose(wanted);
        }}
        label={label}
      />
    );
  };
  return (
    <nav class="pager" aria-label={t('Pages')}>
      {to(t('Previous'), page - 1)}
      <span class="number">{children}</span>
      {to(t('Next'), page + 1)}
    </nav>
  );
}

type InputProps = Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'label' | 'role' | 'type'>;

interface LineProps extends Omit<InputProps, 'value'> {
  readonly isNumber?: boolean;
  readonly value: string;
  /** Called with what was typed when the line is left. @returns `false` where it cannot be so: `value` stands again */
  readonly onLeave: (text: string) => unknown;
}

/** A line that counts when it is left. What is typed stays meanwhile, whatever is drawn anew around it. */
export function Line({ isNumber = false, value, onLeave, ...input }: LineProps): JSX.Element {
  const typed = useSignal<string | null>(null);
  useEffect(() => void (typed.value = null), [value]);
  type On = { readonly currentTarget: HTMLInputElement };
  const line = {
    ...{ ...input, value: typed.value ?? value },
    onInput: ({ currentTarget }: On) => (typed.value = currentTarget.value),
    onChange: ({ currentTarget }: On) => {
      if (onLeave(currentTarget.value) === false) typed.value = null;
    },
  };
  return isNumber ? <input {...line} type="number" /> : <input {...line} />;
}

interface TextFieldProps extends InputProps {
  readonly label: string;
  /** What is typed. Default: `value` and what follows a change are given. */
  readonly text?: Signal<string>;
}

/** A labelled line to type in. */
export function TextField({ label, text, ...input }: TextFieldProps): JSX.Element {
  const typing = text && {
    value: text.value,
    onInput: (event: { readonly currentTarget: HTMLInputElement }) =>
      (text.value = event.currentTarget.value),
  };
  return (
    <label class="field">
      <span>{label}</span>
      <input {...input} {...typing} />
    </label>
  );
}

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

export interface Choice<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
}

/** What a table has words for, to choose one of. */
export const choicesIn = <Value extends string>(
  table: Readonly<Record<Value, string>>,
  labelOf: (value: Value) => string,
): Choice<Value>[] =>
  // Object.keys forgets what the keys are.
  (Object.keys(table) as Value[]).map((value) => ({ value, label: labelOf(value) }));

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly disabled?: boolean;
  readonly onChoose: (value: Value) => void;
}

/** A labelled list to choose one of. */
export const Select = <Value extends string>(props: SelectProps<Value>): JSX.Element => (
  <label class="field">
    <span>{props.label}</span>
    <select
      value={props.value}
      disabled={props.disabled ?? false}
      onChange={({ currentTarget: { selectedIndex } }) => {
        const chosen = props.choices[selectedIndex];
        if (chosen) props.onChoose(chosen.value);
      }}
    >
      {props.choices.map(({ value, label }) => (
        <option value={value} selected={value === props.value}>
          {label}
        </option>
      ))}
    </select>
  </label>
);

/** How good a list is, and what the checks of its mapping came to; nothing where neither was looked for. */
export function ListFacts({ facts }: { readonly facts: Facts }): JSX.Element | null {
  const { quality, checks } = facts;
  if (!quality && checks.length === 0) return null;
  const whole = quality?.whole;
  const { doubts = 0, notes = 0 } = whole ?? {};
  const found = [
    ...(doubts > 0 ? [t('{1:doubt|doubts}', doubts)] : []),
    ...(notes > 0 ? [t('{1:note|notes}', notes)] : []),
  ];
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
      {quality && (
        <>
          <p>
            <strong>{t('Quality {1} of 100', quality.score)}</strong>{' '}
            <span class="soft">
              {quality.outside === 0
                ? t('{1} of {2:row|rows} rejected or skipped', quality.lost, quality.rows)
                : t(
                    '{1} of {2:row|rows} rejected or skipped; the mapping does not take {3} more',
                    quality.lost,
                    quality.rows,
                    quality.outside,
                  )}
            </span>
          </p>
          <Table
            class="result-counts"
            labelledBy="list-facts"
            heads={[
              titles(t('What counts')),
              numbers(t('Points')),
              numbers(t('Rows that lose points')),
            ]}
            rows={[
              ...quality.parts.map(({ part, points, of, rows }) => ({
                cells: [t(partText[part]), t('{1} of {2}', points, of), rows],
              })),
              ...(whole
                ? [{ cells: [t('the list as a whole'), t('−{1}', whole.points), found.join(', ')] }]
                : []),
            ]}
          />
        </>
      )}
    </section>
  );
}

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
  const { problem, attempt } = useAttempt();
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
    const saved = await call('POST /api/lists/:list/mapping/save', { params: { list }, body });
    shownList.value = saved.list;
    onSaved?.();
  };
  return (
    <div class="notice">
      <p>{t('The mapping “{1}” does not have what was changed in this list.', name)}</p>
      {problem.value && <ProblemNote problem={problem.value} />}
      <button type="button" onClick={() => void attempt(save)}>
        {t('Save')}: {name}
      </button>
    </div>
  );
}

/** What went wrong, in a sentence, with the next step; `children`: what can be done about it right here. */
export function ProblemNote({
  problem: { sentence, next, place },
  children,
}: {
  readonly problem: PageProblem;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const { sheet, line, row } = place ?? {};
  const where = [
    ...(sheet === undefined ? [] : [t('sheet “{1}”', sheet)]),
    ...(line === undefined ? [] : [t('line {1}', String(line))]),
    ...(row === undefined ? [] : [t('row {1}', String(row))]),
  ].join(', ');
  return (
    <div class="problem" role="alert">
      <p>
        {/* Such as `Sheet "Leads", row 7:`. */}
        {place && `${where.slice(0, 1).toUpperCase()}${where.slice(1)}: `}
        <strong>{sentence}</strong> {next}
      </p>
      {children}
    </div>
  );
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
