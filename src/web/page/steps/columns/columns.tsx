import { useSignal } from '@preact/signals';
import type { JSX, RefObject } from 'preact';
import { useId, useRef, useEffect } from 'preact/hooks';
import type { ColumnEdit, Condition } from '../../../shared/routes.js';
import type { Columns, Decision, Mistake, Missing, Target } from '../../state/answers.js';
import { choicesIn, Select, Button, ProblemNote, TextField } from '../../parts/parts.js';
import { countryName, language, t } from '../../state/language.js';
import {
  type EditProps,
  targetName,
  type Editing,
  useEditing,
  isPhoneType,
  canBeSame,
  isOfCard,
  isOfClient,
  phoneTypeText,
} from './editing.js';
import { optionsOf, ValueField } from './use-details.js';
import { NotReady, StepFrame, type PrimaryAction, type StepProps } from '../../frame/step-frame.js';
import { about } from '../../state/about.js';
import { go } from '../../state/address.js';
import { ColumnPanel, ColumnTable, NotImported, type Opened, PanelHead } from './column-table.js';

interface Possible {
  readonly label: string;
  /** Whether it is how it is now. */
  readonly isNow: boolean;
  readonly edits: readonly ColumnEdit[];
}

interface Question {
  readonly text: string;
  readonly evidence: string;
  readonly choices: readonly Possible[];
  /** Where there is more to choose from than a few. */
  readonly more?: JSX.Element;
}

/** What only a person can decide, each with what there is to choose from. An answer can be changed. */
function Decisions(props: EditProps): JSX.Element | null {
  const { decisions } = props.columns;
  if (decisions.length === 0 || !props.canEdit) return null;
  return (
    <section class="decisions" aria-label={t('Questions')}>
      {decisions.map((decision) => (
        <AskedQuestion key={decision.id} decision={decision} {...props} />
      ))}
    </section>
  );
}

function AskedQuestion({
  decision,
  ...props
}: EditProps & { readonly decision: Decision }): JSX.Element {
  const { id, isAnswered } = decision;
  const { text, evidence, choices, more } = questionOf(decision, props);
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
              onChange={() => void props.editing.answer(id, edits)}
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
  switch (decision.kind) {
    case 'filter':
      return filterQuestion(decision, props.columns);
    case 'value':
      return valueQuestion(decision, props.columns);
    case 'country':
      return countryQuestion(decision, props);
  }
}

type Of<Kind extends Decision['kind']> = Extract<Decision, { kind: Kind }>;

const quoted = (text: string): string => t('“{1}”', text);

const MAX_ANSWERS = 4;

function filterQuestion(
  { column, answers, condition }: Of<'filter'>,
  { conditions: all, sampled }: Columns,
): Question {
  const conditions = all ?? [];
  const filled = answers.filter(({ text }) => text !== '');
  const rows = countOf(filled.filter(({ says }) => says === 'forbids'));
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
      ...offered.map((wanted): Possible => {
        const { is, values } = wanted;
        const count = countOf(
          answers.filter(({ text }) =>
            is === 'empty' || is === 'filled' ? text === '' : values.includes(text),
          ),
        );
        const kept = is === 'in' || is === 'empty' ? count : sampled - count;
        return {
          label: t('{1}: {2:row|rows}', conditionWords(wanted, false), kept),
          isNow: conditions.some((one) => isSame(one, wanted)),
          edits: [{ kind: 'conditions', conditions: [...others, wanted] }],
        };
      }),
      {
        label: t('All rows'),
        isNow: conditions.every((one) => one.column !== column),
        edits: [{ kind: 'conditions', conditions: others }],
      },
    ],
  };
}

const countOf = (answers: Of<'filter'>['answers']): number =>
  answers.reduce((sum, { count }) => sum + count, 0);

const isSame = (one: Condition, other: Condition): boolean =>
  one.column === other.column &&
  one.is === other.is &&
  one.values.length === other.values.length &&
  one.values.every((value) => other.values.includes(value));

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

function valueQuestion(
  { column, target, choices, chosen }: Of<'value'>,
  columns: Columns,
): Question {
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

function countryQuestion(
  { columns: phones, country }: Of<'country'>,
  { columns, editing }: EditProps,
): Question {
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
function Conditions(props: EditProps): JSX.Element {
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

const kindText = {
  in: 'is',
  notIn: 'is not',
  filled: 'is filled',
  empty: 'is empty',
} as const satisfies Record<Condition['is'], string>;

interface NewConditionProps {
  readonly columns: Columns;
  readonly onAdd: (condition: Condition) => void;
  readonly onCancel: () => void;
}

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

function YamlEditor(props: EditProps & { readonly onClose: () => void }): JSX.Element {
  const { columns, editing, canEdit, onClose } = props;
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const { yaml, mistakes, isBroken } = columns;
  const text = editing.typed.value ?? yaml;
  const state =
    mistakes.length > 0
      ? t('{1:mistake|mistakes}', mistakes.length)
      : `${t('In step with the columns')} · ${t('No mistakes')}`;
  return (
    <section class="panel yaml">
      <PanelHead id={id} title={t('Mapping as YAML')} onClose={onClose} />
      {text === null ? (
        <p class="notice">
          {t('The text is hidden with --mask: its maps and comments hold words of clients.')}
        </p>
      ) : (
        <TextArea {...props} id={id} text={text} area={area} />
      )}
      <p class="soft" id={`${id}-state`} role="status">
        {editing.typed.value === null ? state : t('Typing …')}
      </p>
      {editing.isConflict.value && (
        <div class="problem" role="alert">
          <p>
            {t(
              'The mapping was changed in another tab while you were typing. The columns show what is there now; your text is kept here.',
            )}
          </p>
          <div class="buttons">
            <Button onClick={() => void editing.keep()} label={t('Use my text')} />
            <Button onClick={() => editing.drop()} label={t('Show what is there now')} />
          </div>
        </div>
      )}
      {isBroken && (
        <div class="notice">
          <p>
            {t('The text cannot be read at the moment. The columns are shown as they were before.')}
          </p>
          {canEdit && (
            <Button
              onClick={() => void editing.use({ kind: 'readable' })}
              label={t('Take the text back to then')}
            />
          )}
        </div>
      )}
      <ul class="wrong-places">
        {mistakes.map((mistake) => (
          <li>
            {mistake.line !== null && (
              <Button
                class="plain"
                onClick={() => goTo(area.current, mistake)}
                label={t('Line {1}, column {2}', mistake.line, mistake.column ?? 1)}
              />
            )}{' '}
            {mistake.message} {mistake.suggestion}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface TextAreaProps extends EditProps {
  readonly id: string;
  readonly text: string;
  readonly area: RefObject<HTMLTextAreaElement | null>;
}

function TextArea({ columns, editing, canEdit, id, text, area }: TextAreaProps): JSX.Element {
  const numbers = useRef<HTMLPreElement>(null);
  const wrong = new Set(columns.mistakes.map(({ line }) => line));
  return (
    <div class="editor">
      <pre ref={numbers} aria-hidden="true">
        {text.split('\n').map((_, index) => (
          <span class={wrong.has(index + 1) ? 'wrong' : ''}>
            {`${wrong.has(index + 1) ? '!' : ''}${index + 1}\n`}
          </span>
        ))}
      </pre>
      <textarea
        ref={area}
        aria-labelledby={id}
        aria-describedby={`${id}-state`}
        aria-invalid={columns.mistakes.length > 0}
        spellcheck={false}
        wrap="off"
        readOnly={!canEdit}
        value={text}
        onInput={(event) => editing.type(event.currentTarget.value)}
        onBlur={() => void editing.send()}
        onScroll={(event) => {
          if (numbers.current) numbers.current.scrollTop = event.currentTarget.scrollTop;
        }}
      />
    </div>
  );
}

/** Height of a line of the text, in pixels, as the style sheet has it. */
const LINE_PX = 18;

function goTo(area: HTMLTextAreaElement | null, { line, column }: Mistake): void {
  if (!area || line === null) return;
  const before = area.value.split('\n').slice(0, line - 1);
  const at = before.reduce((sum, one) => sum + one.length + 1, 0) + (column ?? 1) - 1;
  area.focus();
  area.setSelectionRange(at, at);
  area.scrollTop = Math.max(0, (line - 5) * LINE_PX);
}

/** Where each column goes: one line each, and beside them what is looked at closer, a column or the text of the mapping. */
export function ColumnsView({ list }: StepProps): JSX.Element {
  const editing = useEditing(list);
  const opened = useSignal<Opened>(null);
  const columns = editing.shown.value;
  // What has no column yet is told above, and mended in the table.
  const isWrong =
    columns !== null &&
    (columns.isBroken || (columns.mistakes.length > 0 && columns.missing.length === 0));
  useEffect(() => {
    // What is wrong in the text is mended there. It stays open then, so that nothing jumps.
    if (isWrong) opened.value = 'yaml';
  }, [isWrong]);
  const back = (): void => go({ kind: 'list', list, step: 'file' });
  if (!columns)
    return <NotReady title={t('Columns')} back={back} problem={editing.problem.value} />;
  const canEdit = about.value?.readOnly !== true;
  const props = { columns, editing, canEdit: canEdit && !columns.isBroken };
  const { likeLast, name, command } = columns.list;
  const shown = opened.value;
  return (
    <StepFrame
      title={t('Columns')}
      facts={[
        name,
        ...(columns.sheet === null ? [] : [columns.sheet]),
        lookedAt(columns),
        ...(likeLast ? [t('set up like the last file with these columns')] : []),
      ]}
      command={command}
      back={back}
      primary={nextOf(columns, editing)}
    >
      {editing.problem.value && !editing.isConflict.value && (
        <ProblemNote problem={editing.problem.value} />
      )}
      <MissingNotes {...props} />
      <Decisions {...props} />
      <div class="tools">
        <Conditions {...props} />
        <MappingBar columns={columns} editing={editing} canEdit={canEdit} />
        <Button
          aria-expanded={shown === 'yaml'}
          onClick={() => (opened.value = shown === 'yaml' ? null : 'yaml')}
          label={t(shown === 'yaml' ? 'Hide the YAML' : 'Show as YAML')}
        />
      </div>
      <div class={shown === null ? 'mapping' : 'mapping open'}>
        <ColumnTable {...props} opened={opened} />
        {shown === 'yaml' ? (
          <YamlEditor {...{ columns, editing, canEdit }} onClose={() => (opened.value = null)} />
        ) : (
          shown !== null && <ColumnPanel {...props} opened={opened} />
        )}
      </div>
      <NotImported {...props} />
      <ForAll {...props} />
      <Cards columns={columns} />
    </StepFrame>
  );
}

function lookedAt({ sampled, rows, beginning }: Columns): string {
  if (rows !== null && sampled >= rows) return t('all {1:row|rows} looked at', rows);
  if (rows !== null) return t('{1} of {2:row|rows} looked at', sampled, rows);
  if (beginning !== null) return t('{1} of the first {2:row|rows} looked at', sampled, beginning);
  return t('{1:row|rows} from all over the file looked at', sampled);
}

function nextOf(columns: Columns, editing: Editing): PrimaryAction {
  const { decisions, missing, mistakes, targets, isBroken } = columns;
  const lacks = isBroken ? undefined : missing[0];
  const wrong =
    mistakes.length > 0 ? t('The mapping has {1:mistake|mistakes}', mistakes.length) : null;
  const open = decisions.filter(({ isAnswered }) => !isAnswered).length;
  return {
    label: t('Next: check'),
    run: () =>
      void editing.send().then(() => go({ kind: 'list', list: columns.list.id, step: 'check' })),
    blocked: lacks ? t('{1} has no column yet', targetName(lacks.target, targets)) : wrong,
    // Questions that nobody has answered do not hold an import up: what is taken then is said with each.
    hint: open === 0 ? null : t('{1:question is|questions are} open', open),
  };
}

const Cards = ({ columns }: Pick<EditProps, 'columns'>): JSX.Element | null =>
  columns.cards.length === 0 ? null : (
    <section aria-label={t('What the contact center gets')}>
      <h2>{t('What the contact center gets')}</h2>
      <ul class="cards">
        {columns.cards.map(({ row, problems, parts }) => (
          <li key={row}>
            <strong>{t('Row {1}', row)}</strong>
            {problems.map(({ column, message }) => (
              <p class="warn">
                {column} {message}
              </p>
            ))}
            <dl>
              {parts.map(({ target, text, marks }) => (
                <>
                  <dt>{targetName(target, columns.targets)}</dt>
                  <dd>
                    {text}{' '}
                    <span class="soft">
                      {marks
                        .map((mark) => (isPhoneType(mark) ? t(phoneTypeText[mark]) : mark))
                        .join(', ')}
                    </span>
                  </dd>
                </>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </section>
  );

function MissingNotes({ columns, editing, canEdit }: EditProps): JSX.Element {
  return (
    <ul class="missing notice" aria-label={t('Missing')}>
      {columns.missing.map((missing) => {
        const name = targetName(missing.target, columns.targets);
        const proposal = missing.columns.length > 0 ? missing.columns.join(' + ') : missing.value;
        return (
          <li>
            <p>
              <strong>
                {t(
                  missing.isIdentifier
                    ? '{1} has no column yet. It is required: clients are told apart by it.'
                    : '{1} is required and has no column yet.',
                  name,
                )}
              </strong>{' '}
              {sentenceFor(missing, columns.targets)}
            </p>
            {proposal !== null && canEdit && (
              <Button
                aria-label={t('Use {1} for {2}', proposal, name)}
                onClick={() => void editing.edit({ kind: 'propose', target: missing.target })}
                label={t('Use')}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function sentenceFor(missing: Missing, targets: readonly Target[]): string {
  if (missing.columns.length > 0) return t('Suggested: {1}.', missing.columns.join(' + '));
  if (missing.value !== null) return t('Suggested: {1} for all rows.', missing.value);
  const target = targets.find((one) => one.target === missing.target);
  const isSame = target && isOfCard(target.target) && canBeSame(target, targets);
  return t(
    isSame
      ? 'Choose it at one of the columns below, or fill it in under “The same for all rows”.'
      : 'Choose it at one of the columns below.',
  );
}

/** What is the same for all rows: parts of the client and fields of the card that no column fills. */
function ForAll({ columns, editing, canEdit }: EditProps): JSX.Element {
  const added = useSignal<readonly string[]>([]);
  const nameOf = ({ target }: Target): string => targetName(target, columns.targets);
  const open = columns.targets.filter(
    (one) => one.columns.length === 0 && canBeSame(one, columns.targets),
  );
  const missing = new Set(columns.missing.map(({ target }) => target));
  const isShown = ({ target, constant }: Target): boolean =>
    isOfClient(target) ||
    constant !== null ||
    (missing.has(target) && isOfCard(target)) ||
    added.value.includes(target);
  const others = open.filter((one) => isOfCard(one.target) && !isShown(one));
  return (
    <section class="fields for-all" aria-label={t('The same for all rows')}>
      <h2>{t('The same for all rows')}</h2>
      {open
        .filter(isShown)
        // Parts of every client come before fields of the card.
        .toSorted((one, other) => Number(isOfClient(other.target)) - Number(isOfClient(one.target)))
        .map((one) => (
          <ValueField
            key={one.target}
            label={nameOf(one)}
            target={one}
            value={one.constant}
            none={one.isFilled ? t('as the YAML says') : ''}
            isOptional={!isOfClient(one.target)}
            disabled={!canEdit}
            onSet={(value) => void editing.edit({ kind: 'constant', target: one.target, value })}
          />
        ))}
      {canEdit && others.length > 0 && (
        <Select
          label={t('Another field')}
          value=""
          choices={[
            { value: '', label: '' },
            ...others.map((one) => ({ value: one.target, label: nameOf(one) })),
          ]}
          onChoose={(target) => (added.value = [...added.value, target])}
        />
      )}
    </section>
  );
}

const NOW = '';
const SUGGESTED = 'suggested';
const SAVED = 'saved:';

/** Which mapping it is, another one to begin with, and a name to save it under. */
function MappingBar({ columns, editing, canEdit }: EditProps): JSX.Element {
  const { saved, list } = columns;
  const asked = useSignal<string | null>(null);
  const nameOf = (value: string): string =>
    value === SUGGESTED ? t('what is suggested') : value.slice(SAVED.length);
  const take = (value: string): void => {
    asked.value = null;
    void editing.use(
      value === SUGGESTED
        ? { kind: 'suggested' }
        : { kind: 'saved', name: value.slice(SAVED.length) },
    );
  };
  const choose = (value: string): void => {
    if (value === NOW) asked.value = null;
    // What is saved under a name can be chosen again, and so can a suggestion; anything else would be lost.
    else if (list.isUnsaved && !columns.isDraft) asked.value = value;
    else take(value);
  };
  const now =
    list.mapping === null
      ? t(list.likeLast ? 'as for the last list' : 'made for this list')
      : list.isUnsaved
        ? t('{1}, changed', list.mapping)
        : list.mapping;
  return (
    <section class="mapping-bar" aria-label={t('Mapping')}>
      <Select
        label={t('Mapping')}
        value={asked.value ?? NOW}
        choices={[
          { value: NOW, label: now },
          ...[SUGGESTED, ...saved.map((name) => SAVED + name)].map((value) => ({
            value,
            label: `${t('Begin with')} ${nameOf(value)}`,
          })),
        ]}
        disabled={!canEdit}
        onChoose={choose}
      />
      {canEdit && <SaveForm columns={columns} editing={editing} />}
      {asked.value !== null && (
        <div class="notice" role="alert">
          <p>
            {t(
              'Replace the mapping by “{1}”? What was changed here and not saved under a name is lost.',
              nameOf(asked.value),
            )}
          </p>
          <div class="buttons">
            <Button onClick={() => take(asked.value ?? NOW)} label={t('Replace')} />
            <Button class="plain" onClick={() => (asked.value = null)} label={t('Cancel')} />
          </div>
        </div>
      )}
    </section>
  );
}

/** Saves the mapping under a name. One that is there already is replaced only when the person says so. */
function SaveForm({ columns, editing }: Pick<EditProps, 'columns' | 'editing'>): JSX.Element {
  const { mapping, isUnsaved } = columns.list;
  const name = useSignal(mapping ?? '');
  const taken = useSignal<string | null>(null);
  const trimmed = name.value.trim();
  const save = async (overwrite: boolean): Promise<void> => {
    taken.value = null;
    await editing.save(trimmed, overwrite);
    if (editing.problem.value?.code !== 'name_taken') return;
    editing.problem.value = null;
    taken.value = trimmed;
  };
  return (
    <>
      <p class="soft" role="status">
        {isUnsaved || mapping === null
          ? isUnsaved && t('Kept with this list, not yet saved under a name.')
          : t('Saved as {1}.', mapping)}
      </p>
      <details class="menu">
        <summary class="button">{t('Save mapping…')}</summary>
        <form
          class="save"
          onSubmit={(event) => {
            event.preventDefault();
            if (trimmed !== '') void save(false);
          }}
        >
          <TextField label={t('Name of the mapping')} text={name} maxLength={100} required />
          <button type="submit">{t('Save')}</button>
          {taken.value !== null && (
            <div class="notice" role="alert">
              <p>{t('There is a mapping named {1} already. Replace it?', taken.value)}</p>
              <div class="buttons">
                <Button onClick={() => void save(true)} label={t('Replace')} />
                <Button class="plain" onClick={() => (taken.value = null)} label={t('Cancel')} />
              </div>
            </div>
          )}
        </form>
      </details>
    </>
  );
}
