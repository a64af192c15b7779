import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { CheckState, Mends as Found, ProblemGroup, Remedies } from '../../../shared/check.js';
import { number, t } from '../../state/language.js';
import { call } from '../../state/call.js';
import type { Mending } from './mending.js';
import { Heads } from '../../parts/parts.js';

interface MendsProps {
  readonly state: CheckState;
  readonly group: ProblemGroup;
  readonly mending: Mending;
}

/** What mends rows of a group: changes for all of them, each as it was tried, and below them one for each value. */
export function Mends({ state, group, mending }: MendsProps): JSX.Element {
  const { values, remedies } = useMends(state, group.key);
  const mendable = values?.values.filter(({ replace, blank }) => replace || blank) ?? [];
  const isNone = values && remedies && mendable.length + remedies.remedies.length === 0;
  return (
    <div class="mends">
      {!remedies && (
        <p class="remedies soft" role="status">
          {t('Trying what mends these rows…')}
        </p>
      )}
      {remedies && remedies.remedies.length > 0 && (
        <ul class="remedies">
          {remedies.remedies.map((one) => (
            <RemedyLine
              key={one.rule}
              remedy={one}
              tried={remedies}
              group={group}
              onRule={mending.makeRule}
            />
          ))}
        </ul>
      )}
      {values && mendable.length > 0 && (
        <Values values={mendable} hasMore={values.hasMoreValues} onRule={mending.makeRule} />
      )}
      {isNone && (
        <p class="soft">
          {t(
            'No rule mends these rows: correct the cells below, or change the mapping in the step Columns.',
          )}
        </p>
      )}
    </div>
  );
}

interface Mendable {
  readonly values: Found | null;
  /** `null` while they are tried. */
  readonly remedies: Remedies | null;
}

/** What is offered, at first for what has been read, and then for all of it. */
function useMends(
  { list: { id: list }, revision, phase, hasFirstRows }: CheckState,
  group: string,
): Mendable {
  const values = useSignal<Found | null>(null);
  const remedies = useSignal<Remedies | null>(null);
  useEffect(() => {
    if (!hasFirstRows) return;
    const controller = new AbortController();
    const ask = { params: { list }, query: { group }, signal: controller.signal };
    remedies.value = null;
    // Without rules, cells can be corrected all the same.
    const none = (): void => undefined;
    call('GET /api/lists/:list/check/mends', ask).then((answer) => {
      values.value = answer;
    }, none);
    call('GET /api/lists/:list/check/remedies', ask).then((answer) => {
      remedies.value = answer;
    }, none);
    return () => controller.abort();
  }, [list, revision, phase, hasFirstRows, group]);
  return { values: values.value, remedies: remedies.value };
}

type Remedy = Remedies['remedies'][number];
type OnRule = Mending['makeRule'];

interface RemedyLineProps {
  readonly remedy: Remedy;
  readonly tried: Remedies;
  readonly group: ProblemGroup;
  readonly onRule: OnRule;
}

/** What a remedy does, what it gains, and the button that has it done, where it gains anything. */
function RemedyLine({ remedy, tried, group, onRule }: RemedyLineProps): JSX.Element {
  const { rule, gain } = remedy;
  const [title, more] = wordsOf(remedy, group);
  const isUseless = gain <= 0 && tried.isAll;
  const ready = tried.isAll
    ? t('{1:more row is|more rows are} ready', gain)
    : t('{1:more row is|more rows are} ready, of the first {2}', gain, tried.rows);
  return (
    <li class={isUseless ? 'soft' : ''}>
      <span>
        <strong>{title}</strong> <span class="soft">{more}</span>
      </span>
      <span class="gain">
        {isUseless ? t('mends no row') : ready}
        <progress max={group.rows} value={Math.max(0, gain)} aria-hidden="true" />
      </span>
      {!isUseless && (
        <button
          type="button"
          aria-label={`${t('Apply')}: ${title}`}
          onClick={() => void onRule(rule)}
        >
          {t('Apply')}
        </button>
      )}
    </li>
  );
}

function wordsOf({ kind, choice, example }: Remedy, group: ProblemGroup): [string, string] {
  const column = group.column ?? '';
  const value = example ?? group.values[0]?.value ?? '';
  switch (kind) {
    case 'number':
      return [
        t('Read “{1}” as a number', value),
        choice === '' ? '' : t('“{1}” stands before the decimals.', choice),
      ];
    case 'date':
      return [t('Read “{1}” as a date', value), choice];
    case 'small':
      return [t('Read capital letters as small ones'), ''];
    case 'capital':
      return [t('Read small letters as capitals'), ''];
    case 'split':
      return [t('Read several values from one cell'), t('“{1}” stands between them.', choice)];
    case 'optional':
      return [t('Send these rows without {1}', column), ''];
    case 'drop':
      return [t('Leave {1} empty where it is wrong', column), t('The rest of the row is sent.')];
  }
}

/** Values that are shown at first. */
const FEW = 5;

interface ValuesProps {
  readonly values: Found['values'];
  readonly hasMore: boolean;
  readonly onRule: OnRule;
}

/** What single values become, in all rows that have them. */
function Values({ values, hasMore, onRule }: ValuesProps): JSX.Element {
  const isAll = useSignal(false);
  const shown = isAll.value ? values : values.slice(0, FEW);
  return (
    <>
      <div class="scroll">
        <table class="values">
          <Heads of={[t('Value'), { number: t('Rows') }, t('Becomes')]} />
          <tbody>
            {shown.map((one) => (
              <ValueRow key={one.value} one={one} onRule={onRule} />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < values.length && (
        <button type="button" class="plain" onClick={() => (isAll.value = true)}>
          {t('Show {1:more value|more values}', values.length - shown.length)}
        </button>
      )}
      {isAll.value && hasMore && <p class="soft">{t('There are more values than these.')}</p>}
    </>
  );
}

interface ValueRowProps {
  readonly one: Found['values'][number];
  readonly onRule: OnRule;
}

function ValueRow({ one, onRule }: ValueRowProps): JSX.Element {
  const { value, rows, replace, blank } = one;
  const isOpen = useSignal(false);
  return (
    <tr>
      <th scope="row">
        <q>{value}</q>
      </th>
      <td class="number">{number(rows)}</td>
      <td>
        {replace && (replace.choices || isOpen.value) && (
          <Replace value={value} offer={replace} onRule={onRule} isFocused={isOpen.value} />
        )}
        {replace && !replace.choices && !isOpen.value && (
          <button
            type="button"
            class="plain"
            aria-label={`${t('Another value…')} ${value}`}
            onClick={() => (isOpen.value = true)}
          >
            {t('Another value…')}
          </button>
        )}
        {blank && !isOpen.value && (
          <button
            type="button"
            class="plain"
            aria-label={`${t('An empty cell')}: ${value}`}
            onClick={() => void onRule(blank.rule)}
          >
            {t('An empty cell')}
          </button>
        )}
      </td>
    </tr>
  );
}

interface ReplaceProps {
  readonly value: string;
  readonly offer: NonNullable<Found['values'][number]['replace']>;
  readonly onRule: OnRule;
  readonly isFocused: boolean;
}

/** Another value in the place of one, in all rows that have it. */
function Replace({ value, offer, onRule, isFocused }: ReplaceProps): JSX.Element {
  const to = useSignal('');
  const label = t('Replace “{1}” by', value);
  const choose = (event: { readonly currentTarget: { readonly value: string } }): void => {
    to.value = event.currentTarget.value;
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (to.value !== '') void onRule(offer.rule, to.value);
  };
  return (
    <form class="replace" onSubmit={submit}>
      {offer.choices ? (
        <select aria-label={label} value={to.value} onChange={choose} required>
          <option value="">{t('choose…')}</option>
          {offer.choices.map((choice) => (
            <option value={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          aria-label={label}
          value={to.value}
          autocomplete="off"
          ref={(input) => {
            if (isFocused && to.peek() === '') input?.focus();
          }}
          onInput={choose}
          required
        />
      )}
      <button type="submit">
        {offer.isMin
          ? t('Replace in ≥ {1:row|rows}', offer.rows)
          : t('Replace in {1:row|rows}', offer.rows)}
      </button>
    </form>
  );
}
