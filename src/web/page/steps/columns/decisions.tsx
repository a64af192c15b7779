import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { ColumnEdit, Condition } from '../../../shared/routes.js';
import type { Columns, Decision } from '../../state/answers.js';
import { choicesIn, Select, Button } from '../../parts/parts.js';
import { countryName, language, t } from '../../state/language.js';
import { type EditProps, targetName } from './editing.js';
import { optionsOf } from './use-details.js';

interface Choice {
  readonly label: string;
  /** Whether it is how it is now. */
  readonly isNow: boolean;
  readonly edits: readonly ColumnEdit[];
}

interface Question {
  readonly id: string;
  readonly isAnswered: boolean;
  readonly text: string;
  readonly evidence: string;
  readonly choices: readonly Choice[];
  /** Where there is more to choose from than a few. */
  readonly more?: JSX.Element;
}

/** What only a person can decide, each with what there is to choose from. An answer can be changed. */
export function Decisions(props: EditProps): JSX.Element | null {
  const { columns, canEdit } = props;
  const questions = columns.decisions.map((one) => questionOf(one, props));
  if (questions.length === 0 || !canEdit) return null;
  return (
    <section class="decisions" aria-label={t('Questions')}>
      {questions.map((question) => (
        <AskedQuestion key={question.id} question={question} {...props} />
      ))}
    </section>
  );
}

function AskedQuestion({
  question,
  editing,
}: EditProps & { readonly question: Question }): JSX.Element {
  const { id, isAnswered, text, evidence, choices, more } = question;
  const name = useId();
  return (
    <fieldset class={isAnswered ? 'decision answered' : 'decision'}>
      <legend>
        <span class="decision-sign" aria-hidden="true">
          {isAnswered ? '✓' : '?'}
        </span>
        {text}
      </legend>
      <p class="soft">{evidence}</p>
      <div class="choices">
        {choices.map(({ label, isNow, edits }) => (
          <label class="choice">
            <input
              type="radio"
              name={name}
              checked={isAnswered && isNow}
              onChange={() => void editing.answer(id, edits)}
            />
            <span>{label}</span>
          </label>
        ))}
        {more}
      </div>
    </fieldset>
  );
}

function questionOf(decision: Decision, props: EditProps): Question {
  const { id, isAnswered } = decision;
  const asked = { id, isAnswered };
  switch (decision.kind) {
    case 'filter':
      return { ...asked, ...filterQuestion(decision, props.columns) };
    case 'value':
      return { ...asked, ...valueQuestion(decision, props.columns) };
    case 'country':
      return { ...asked, ...countryQuestion(decision, props) };
  }
}

type Asked = Omit<Question, 'id' | 'isAnswered'>;
type Of<Kind extends Decision['kind']> = Extract<Decision, { kind: Kind }>;

const quoted = (text: string): string => t('“{1}”', text);

const MAX_ANSWERS = 4;

function filterQuestion({ column, answers, condition }: Of<'filter'>, columns: Columns): Asked {
  const conditions = columns.conditions ?? [];
  const filled = answers.filter(({ text }) => text !== '');
  const forbidding = filled.filter(({ says }) => says === 'forbids');
  const rows = forbidding.reduce((sum, { count }) => sum + count, 0);
  const asks = (wanted: Condition): Choice => ({
    label: t(
      '{1}: {2:row|rows}',
      conditionWords(wanted, false),
      keptBy(wanted, answers, columns.sampled),
    ),
    isNow: conditions.some((one) => isSame(one, wanted)),
    edits: [{ kind: 'conditions', conditions: [...others, wanted] }],
  });
  const offered = condition
    ? [condition]
    : filled.slice(0, 2).map(({ text }): Condition => ({ column, is: 'in', values: [text] }));
  // What the person has set beside the answers stays.
  const others = conditions.filter((one) => !offered.some((wanted) => isSame(one, wanted)));
  const named = answers
    .slice(0, MAX_ANSWERS)
    .map(({ text, count }) => t('{1} {2}', text === '' ? t('empty') : quoted(text), count));
  return {
    text:
      rows > 0
        ? t('{1} forbids calls in {2:row|rows}. Import these people?', column, rows)
        : t('{1} says who may be called. Which rows are imported?', column),
    evidence: [...named, ...(answers.length > MAX_ANSWERS ? ['…'] : [])].join(' · '),
    choices: [
      ...offered.map(asks),
      {
        label: t('All rows'),
        isNow: conditions.every((one) => one.column !== column),
        edits: [{ kind: 'conditions', conditions: [...others] }],
      },
    ],
  };
}

const isSame = (one: Condition, other: Condition): boolean =>
  one.column === other.column &&
  one.is === other.is &&
  one.values.length === other.values.length &&
  one.values.every((value) => other.values.includes(value));

function keptBy({ is, values }: Condition, answers: Of<'filter'>['answers'], rows: number): number {
  const named = answers.filter(({ text }) =>
    is === 'empty' || is === 'filled' ? text === '' : values.includes(text),
  );
  const count = named.reduce((sum, one) => sum + one.count, 0);
  return is === 'in' || is === 'empty' ? count : rows - count;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What stands beside a column, as far as the ways to read it differ by it. */
function formLabel(keys: Readonly<Record<string, unknown>>): string {
  const steps: unknown[] = [keys['transform']].flat();
  for (const step of steps) {
    if (typeof step !== 'object' || step === null) continue;
    const { date, number, replace }: { date?: unknown; number?: unknown; replace?: unknown } = step;
    if (typeof replace === 'object' && replace !== null) {
      if ('pattern' in replace) return t('years before 2000');
      if ('text' in replace) return t('without “{1}”', textOf(replace.text));
    }
    if (typeof date === 'object' && date !== null && 'from' in date)
      return [date.from].flat().map(textOf).join(', ');
    if (typeof number === 'object' && number !== null && 'decimal' in number)
      return t(
        number.decimal === ',' ? 'a comma before decimals: 12,5' : 'a point before decimals: 12.5',
      );
  }
  if (Array.isArray(keys['blank'])) return t('they mean nothing: an empty cell');
  return t('as they stand');
}

const namesStep = (keys: Readonly<Record<string, unknown>>, name: string): boolean =>
  JSON.stringify(keys['transform'] ?? null).includes(`"${name}"`);

function valueQuestion({ column, target, choices, chosen }: Of<'value'>, columns: Columns): Asked {
  const { keys = {} } = choices[0] ?? {};
  const { examples = [] } = columns.columns.find(({ header }) => header === column) ?? {};
  const shown = examples.slice(0, 3).map(({ value }) => quoted(value));
  const name = targetName(target, columns.targets);
  const twin = choices.find((one) => one.column !== column)?.column;
  const isCentury = choices.some((one) => namesStep(one.keys, 'pattern'));
  return {
    text: twin
      ? t('{1} and {2} both fit {3}. Which one is taken?', column, twin, name)
      : isCentury
        ? t('Of which century are the years in {1}?', column)
        : namesStep(keys, 'date')
          ? t('What comes first in the dates of {1}: the day or the month?', column)
          : namesStep(keys, 'number')
            ? t('How are the numbers in {1} written?', column)
            : t('How is {1} read?', column),
    evidence: [...shown, t('goes to {1}', name)].join(' · '),
    choices: choices.map((one, index) => ({
      label: twin ? one.column : formLabel(one.keys),
      isNow: index === chosen,
      edits: [{ kind: 'become', column: one.column, target, keys: one.keys }],
    })),
  };
}

function countryQuestion({ columns: phones, country }: Of<'country'>, props: EditProps): Asked {
  const { columns, editing } = props;
  const uses = columns.columns.flatMap(({ header, uses: own }) =>
    own
      .filter(({ target }) => target === 'phones')
      .map(({ at, steps }) => ({
        use: { column: header, at },
        // What else is said of its numbers stays.
        others: steps.filter(({ name }) => name === 'phone').map(optionsOf)[0],
      })),
  );
  const toCountry = (code: string): ColumnEdit[] =>
    uses.map(({ use, others }) => ({
      ...{ kind: 'step', ...use },
      step: { phone: { ...others, country: code } },
    }));
  const now = columns.columns
    .flatMap(({ uses: own }) => own.flatMap(({ steps }) => steps))
    .find(({ name }) => name === 'phone')?.options;
  const isOf =
    typeof now === 'object' && now !== null && 'country' in now ? textOf(now.country) : '';
  const { examples = [] } = columns.columns.find(({ header }) => header === phones[0]) ?? {};
  const shown = examples.slice(0, 3).map(({ value }) => quoted(value));
  const choices = [...new Set([country, isOf].filter((code) => code !== null && code !== ''))];
  const others = columns.countries.map((code) => ({ value: code, label: countryName(code) }));
  return {
    text: t('Which country do numbers in {1} without a plus belong to?', phones.join(', ')),
    evidence: shown.join(' · '),
    choices: choices.map((code) => ({
      label: countryName(String(code)),
      isNow: isOf.toUpperCase() === String(code).toUpperCase(),
      edits: toCountry(String(code)),
    })),
    more: (
      <Select
        label={t('Another country')}
        value=""
        choices={[
          { value: '', label: t('Another country') },
          ...others.sort((a, b) => a.label.localeCompare(b.label, language)),
        ]}
        onChoose={(code) => void editing.answer('country', toCountry(code))}
      />
    ),
  };
}

/** A condition as it is said: `only rows where Consent is “yes”`. */
function conditionWords({ column, is, values }: Condition, isWhole = true): string {
  const list = values.map(quoted).join(', ');
  switch (is) {
    case 'in':
      return isWhole ? t('Only rows where {1} is {2}', column, list) : t('Only {1}', list);
    case 'notIn':
      return isWhole ? t('No rows where {1} is {2}', column, list) : t('All but {1}', list);
    case 'empty':
      return isWhole ? t('Only rows where {1} is empty', column) : t('Only empty cells');
    case 'filled':
      return isWhole ? t('Only rows where {1} is filled', column) : t('Only filled cells');
  }
}

/** Which rows are taken: each condition can be taken out, and others added. */
export function Conditions(props: EditProps): JSX.Element {
  const { columns, editing, canEdit } = props;
  const isAdding = useSignal(false);
  const { conditions } = columns;
  if (conditions === null)
    return <p class="soft">{t('Which rows are taken is said in the text of the mapping.')}</p>;
  const set = (next: readonly Condition[]): void => {
    isAdding.value = false;
    void editing.edit({ kind: 'conditions', conditions: [...next] });
  };
  return (
    <div class="conditions">
      {conditions.map((condition) => {
        const words = conditionWords(condition);
        return (
          <span class="chip">
            {words}
            {canEdit && (
              <Button
                class="plain icon"
                aria-label={t('Remove: {1}', words)}
                onClick={() => set(conditions.filter((one) => one !== condition))}
                label="×"
              />
            )}
          </span>
        );
      })}
      {canEdit && !isAdding.value && (
        <button type="button" class="plain" onClick={() => (isAdding.value = true)}>
          + {t('Condition')}
        </button>
      )}
      {isAdding.value && (
        <NewCondition
          columns={columns}
          onAdd={(condition) => set([...conditions, condition])}
          onCancel={() => (isAdding.value = false)}
        />
      )}
    </div>
  );
}

interface NewConditionProps {
  readonly columns: Columns;
  readonly onAdd: (condition: Condition) => void;
  readonly onCancel: () => void;
}

const kindText = {
  in: 'is',
  notIn: 'is not',
  filled: 'is filled',
  empty: 'is empty',
} as const satisfies Record<Condition['is'], string>;

function NewCondition({ columns, onAdd, onCancel }: NewConditionProps): JSX.Element {
  const id = useId();
  const column = useSignal(columns.columns[0]?.header ?? '');
  const is = useSignal<Condition['is']>('in');
  const text = useSignal('');
  const { examples = [] } = columns.columns.find(({ header }) => header === column.value) ?? {};
  const hasValues = is.value === 'in' || is.value === 'notIn';
  const values = text.value
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  return (
    <form
      class="new-condition"
      onSubmit={(event) => {
        event.preventDefault();
        if (hasValues && values.length === 0) return;
        onAdd({ column: column.value, is: is.value, values: hasValues ? values : [] });
      }}
    >
      <Select
        label={t('Column')}
        value={column.value}
        choices={columns.columns.map(({ header }) => ({ value: header, label: header }))}
        onChoose={(value) => (column.value = value)}
      />
      <Select
        label={t('Condition')}
        value={is.value}
        choices={choicesIn(kindText, (kind) => t(kindText[kind]))}
        onChoose={(value) => (is.value = value)}
      />
      {hasValues && (
        <label class="field">
          <span>{t('Values, with commas between them')}</span>
          <input
            type="text"
            list={id}
            required
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
          <datalist id={id}>
            {examples.map(({ value }) => (
              <option value={value} />
            ))}
          </datalist>
        </label>
      )}
      <button type="submit">{t('Add')}</button>
      <Button class="plain" onClick={onCancel} label={t('Cancel')} />
    </form>
  );
}
