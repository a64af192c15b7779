import { PHONE_TYPES } from '../../../../core/client.js';
import type { JSX } from 'preact';
import { choicesIn, Line, Select, Table, TextField, Button } from '../../parts/parts.js';
import { countryName, t, language, number } from '../../state/language.js';
import {
  type UseProps,
  type StepProps,
  isOfClient,
  isPhoneType,
  PAUSE_MS,
  phoneTypeText,
  targetName,
} from './editing.js';
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { ColumnEdit } from '../../../shared/routes.js';
import type { ColumnUse, Columns, Target } from '../../state/answers.js';
import { about } from '../../state/about.js';

/** What is done with the cells on their way, in words, and what can be changed of it. */
export function UseDetails(props: UseProps): JSX.Element {
  const { columns, column, editing, canEdit, use } = props;
  const { target, phoneType } = use;
  const tried = useSignal<Columns | null>(null);
  const place = { column: column.header, at: use.at };
  return (
    <div class="details">
      {use.columns.length > 1 && <p>{t('put together: {1}', use.columns.join(' + '))}</p>}
      {target === 'phones' && phoneType !== null && isPhoneType(phoneType) && (
        <Select
          label={t('Kind of phone')}
          value={phoneType}
          choices={PHONE_TYPES.map((value) => ({ value, label: t(phoneTypeText[value]) }))}
          disabled={!canEdit}
          onChoose={(type) =>
            void editing.edit({ kind: 'become', ...place, target, phoneType: type, keys: {} })
          }
        />
      )}
      <ReadAs {...props} />
      {use.steps.map((step) =>
        step.name === 'phone' ? (
          <PhoneCountry {...props} step={step} />
        ) : step.name === 'date' ? (
          <DatePattern {...props} step={step} tried={tried} />
        ) : step.name === 'number' ? (
          <NumberFormat {...props} step={step} />
        ) : (
          <Step {...props} step={step} />
        ),
      )}
      <Examples {...props} tried={tried.value} />
      <ValueMap {...props} />
      {(use.default !== null || isOfClient(target)) && (
        <ValueField
          label={t('Empty cells become')}
          target={columns.targets.find((one) => one.target === target) ?? { target, values: [] }}
          value={use.default}
          isOptional
          disabled={!canEdit}
          onSet={(value) => void editing.edit({ kind: 'default', ...place, value })}
        />
      )}
      {use.blank.length > 0 && <p>{t('taken as empty: {1}', use.blank.join(', '))}</p>}
      {/* What becomes of a wrong value is asked where there is one. */}
      {use.problems.length > 0 && (
        <Select
          label={t('A wrong value')}
          value={use.invalid}
          choices={[
            { value: 'reject', label: t('rejects its row') },
            { value: 'drop', label: t('is left out') },
          ]}
          disabled={!canEdit}
          onChoose={(invalid) => void editing.edit({ kind: 'invalid', ...place, invalid })}
        />
      )}
    </div>
  );
}

/** What is sent of the first cells, and why it is not: at once, whatever is chosen or typed above. */
function Examples({
  columns,
  use,
  tried,
}: UseProps & { readonly tried: Columns | null }): JSX.Element {
  const all = tried?.columns.flatMap(({ uses }) => uses) ?? [use];
  const { examples = [], mistake = null } =
    all.find(({ at }) => at.join('\n') === use.at.join('\n')) ?? {};
  return (
    <div aria-live="polite">
      {mistake !== null && <p class="warn">{mistake}</p>}
      {examples.length > 0 && (
        <Table
          class="values"
          label={t('{1}: {2}', t('What is sent'), targetName(use.target, columns.targets))}
          heads={[t('In the file'), t('Is sent as')]}
          rows={examples.map(({ from, to, message }) => ({
            cells: [
              from,
              <>
                {to ?? <span class="soft">{t('nothing')}</span>}
                {message !== null && <span class="warn under">{message}</span>}
              </>,
            ],
          }))}
        />
      )}
    </div>
  );
}

const formText = {
  text: 'text, as it is',
  date: 'a date',
  number: 'a number or an amount of money',
} as const;
type Form = keyof typeof formText;

/** What the cells of a field are read as, where no values of it are listed. */
function ReadAs(props: UseProps): JSX.Element | null {
  const { columns, column, editing, canEdit, use } = props;
  if (!use.target.startsWith('fields.') || use.map.length > 0) return null;
  if (use.columns.length > 1 || allowedFor(use, columns).length > 0) return null;
  const forms = (['date', 'number'] as const).filter((name) =>
    use.steps.some((step) => step.name === name),
  );
  const { type } = columns.targets.find(({ target }) => target === use.target) ?? {};
  const place = { column: column.header, at: use.at };
  const choose = (form: Form): void =>
    void editing.edit(
      ...forms.map((name): ColumnEdit => ({ kind: 'withoutStep', ...place, name })),
      ...(form === 'text' ? [] : [{ kind: 'step' as const, ...place, step: { [form]: {} } }]),
    );
  return (
    <Select
      label={t('Cells are read as')}
      value={forms[0] ?? 'text'}
      choices={choicesIn(formText, (form) => t(formText[form])).filter(
        ({ value }) => value !== 'date' || type !== 'Number',
      )}
      disabled={!canEdit}
      onChoose={choose}
    />
  );
}

const stepWith = ({ column, use, step }: StepProps, options: object): ColumnEdit => ({
  ...{ kind: 'step', column: column.header, at: use.at },
  step: { [step.name]: options },
});

const setStep = (props: StepProps, options: object): void =>
  void props.editing.edit(stepWith(props, options));

function PhoneCountry(props: StepProps): JSX.Element {
  const { columns, canEdit, step } = props;
  const { country, ...others } = optionsOf(step);
  const choices = columns.countries
    .map((code) => ({ value: code, label: countryName(code) }))
    .sort((a, b) => a.label.localeCompare(b.label, language));
  return (
    <Select
      label={t('Numbers without a country code')}
      value={typeof country === 'string' ? country.toUpperCase() : ''}
      choices={[{ value: '', label: t('only with a country code') }, ...choices]}
      disabled={!canEdit}
      onChoose={(code) => setStep(props, code === '' ? others : { country: code, ...others })}
    />
  );
}

/** The signs of a number: `1.234,56`. */
const NUMBERS = [
  { decimal: ',', thousands: '.' },
  { decimal: '.', thousands: ',' },
  { decimal: '.', thousands: "'" },
] as const;

function NumberFormat(props: StepProps): JSX.Element {
  const { canEdit, step } = props;
  const { decimal, thousands, ...others } = optionsOf(step);
  const written = NUMBERS.findIndex(
    (one) => one.decimal === decimal && one.thousands === thousands,
  );
  const choose = (value: string): void => {
    const { decimal: point, thousands: group } = NUMBERS[Number(value)] ?? {};
    setStep(props, value === ANY ? others : { ...others, decimal: point, thousands: group });
  };
  return (
    <Select
      label={t('Numbers are written as')}
      value={written < 0 ? ANY : String(written)}
      choices={[
        { value: ANY, label: t('any form that is clear') },
        ...NUMBERS.map((one, index) => ({
          value: String(index),
          label: `1${one.thousands}234${one.decimal}56`,
        })),
      ]}
      disabled={!canEdit}
      onChoose={choose}
    />
  );
}

/** How dates are sent unless the mapping says otherwise. */
const STORED = 'yyyy-MM-dd';
const PATTERNS = ['dd.MM.yyyy', 'yyyy-MM-dd', 'MM/dd/yyyy', 'dd/MM/yyyy', 'd MMM yyyy'];
const ANY = '';
const OTHER = '…';

/** `tried`: the columns as they would be with the pattern that is being typed; `null`: none is. */
function DatePattern(props: StepProps & { readonly tried: Signal<Columns | null> }): JSX.Element {
  const { editing, canEdit, step, tried } = props;
  const { from, to = STORED, ...others } = optionsOf(step);
  const sent = to === STORED ? others : { ...others, to };
  const written = patternsOf(from).join(', ');
  const typed = useSignal<string | null>(null);
  const fromText = (text: string): object => {
    // Patterns of dates have no comma with a letter before it.
    const [only, ...more] = text
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean);
    if (only === undefined) return sent;
    return { from: more.length === 0 ? only : [only, ...more], ...sent };
  };
  const set = (text: string): void => {
    typed.value = null;
    setStep(props, fromText(text));
  };
  const all = [...new Set([...(written === '' ? [] : [written]), ...PATTERNS])];
  return (
    <>
      <Select
        label={t('Dates are written as')}
        value={typed.value === null ? written : OTHER}
        choices={[
          { value: ANY, label: t('any form that is clear') },
          ...all.map((value) => ({ value, label: value })),
          { value: OTHER, label: t('another pattern …') },
        ]}
        disabled={!canEdit}
        onChoose={(value) => (value === OTHER ? (typed.value = written) : set(value))}
      />
      {typed.value !== null && (
        <OwnPattern
          beginning={typed.value}
          tried={tried}
          onTry={(text) => editing.try(stepWith(props, fromText(text)))}
          onApply={set}
          onCancel={() => (typed.value = null)}
        />
      )}
      <Select
        label={t('Dates are sent as')}
        value={String(to)}
        choices={[...new Set([STORED, String(to), ...PATTERNS])].map((value) => ({
          value,
          label: value,
        }))}
        disabled={!canEdit}
        onChoose={(value) =>
          setStep(props, {
            ...(from !== undefined && { from }),
            ...others,
            ...(value !== STORED && { to: value }),
          })
        }
      />
    </>
  );
}

export const patternsOf = (from: unknown): string[] =>
  [from].flat().filter((one): one is string => typeof one === 'string');

interface OwnPatternProps {
  readonly beginning: string;
  readonly tried: Signal<Columns | null>;
  readonly onTry: (text: string) => Promise<Columns | null>;
  readonly onApply: (text: string) => void;
  readonly onCancel: () => void;
}

function OwnPattern(props: OwnPatternProps): JSX.Element {
  const { beginning, tried, onTry, onApply, onCancel } = props;
  const id = useId();
  const text = useSignal(beginning);
  useEffect(() => {
    let isOver = false;
    const show = (found: Columns | null): void => {
      if (!isOver) tried.value = found;
    };
    const timer = setTimeout(() => void onTry(text.value).then(show), PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text.value]);
  useEffect(() => () => void (tried.value = null), []);
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault();
        onApply(text.value);
      }}
    >
      <TextField label={t('Pattern of the dates')} text={text} aria-describedby={id} />
      <p class="soft" id={id}>
        {t('d day, M month, y year, H hour, m minute; several with a comma')}
      </p>
      <div class="buttons">
        <button type="submit">{t('Apply')}</button>
        <Button class="plain" onClick={onCancel} label={t('Cancel')} />
      </div>
    </form>
  );
}

/** The options of a transform by their names; none where it is written as a bare name or a single word. */
export function optionsOf({ options }: ColumnUse['steps'][number]): Record<string, unknown> {
  return typeof options === 'object' && options !== null && !Array.isArray(options)
    ? Object.fromEntries(Object.entries(options))
    : {};
}

const isKnown = (name: string): name is keyof typeof stepText => Object.hasOwn(stepText, name);

/** What a transform does, in words. */
export const stepWords = (name: string): string => (isKnown(name) ? t(stepText[name]) : name);

/** A transform in words. It can be taken out; its options are changed in the text. */
function Step({ column, editing, canEdit, use, step }: StepProps): JSX.Element {
  const words = stepWords(step.name);
  const more = moreOf(step);
  return (
    <p class="step">
      <span>
        {words}
        {more !== '' && <code> {more}</code>}
      </span>
      {canEdit && (
        <Button
          class="plain"
          aria-label={t('Remove: {1}', words)}
          onClick={() =>
            void editing.edit({
              ...{ kind: 'withoutStep', column: column.header, at: use.at },
              name: step.name,
            })
          }
          label="×"
        />
      )}
    </p>
  );
}

/** The options that say what is done, as they are written. */
function moreOf(step: ColumnUse['steps'][number]): string {
  if (typeof step.options === 'string') return step.options;
  const { pattern, with: by, file } = optionsOf(step);
  if (typeof pattern === 'string')
    return `${pattern} → ${typeof by === 'string' && by !== '' ? by : '∅'}`;
  return typeof file === 'string' ? (file.split(/[\\/]/).at(-1) ?? '') : '';
}

/** Columns of more values have no list of them. */
const FEW = 12;
const AS_IT_IS = '\0';
const BLANK = '\0blank';

interface Occurring {
  readonly value: string;
  readonly count: number;
  /** What it becomes; `null`: the map does not say. */
  readonly to: string | null;
  /** Whether it is wrong as it is now. */
  readonly isWrong: boolean;
}

/** The values that occur with what each becomes, where the card allows some values alone or the mapping has a map. */
function ValueMap(props: UseProps): JSX.Element | null {
  const { columns, column, use } = props;
  const allowed = allowedFor(use, columns);
  if (use.map.length === 0 && (allowed.length === 0 || column.distinct > FEW)) return null;
  const bad = new Set(use.problems.flatMap(({ values }) => values.map(({ value }) => value)));
  const found = (column.distinct <= FEW ? column.examples : [])
    .filter(({ value }) => !use.blank.some((word) => same(word, value)))
    .map(({ value, count }) => {
      const pair = use.map.find(({ from }) => same(from, value));
      return { value, count, to: pair?.to ?? null, isWrong: bad.has(value) };
    });
  const others = use.map
    .filter(({ from }) => !found.some(({ value }) => same(from, value)))
    .map(({ from, to, count }) => ({ value: from, count, to, isWrong: false }));
  const values: Occurring[] = [...found, ...others];
  const changed = values.filter(({ to, value }) => to !== null && to !== value).length;
  const unknown = values.filter(({ isWrong }) => isWrong).length;
  return (
    <details class="map" open={unknown > 0}>
      <summary>
        {changed > 0 ? t('{1:value|values} replaced', changed) : t('Values')}
        {unknown > 0 && <span class="warn"> · {t('{1:value|values} not known', unknown)}</span>}
      </summary>
      <ul>
        {values.map((one) => (
          <MapLine {...props} one={one} allowed={allowed} />
        ))}
      </ul>
    </details>
  );
}

function allowedFor(use: ColumnUse, { targets }: Columns): readonly string[] {
  return targets.find(({ target }) => target === use.target)?.values ?? [];
}

const same = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

interface MapLineProps extends UseProps {
  readonly one: Occurring;
  readonly allowed: readonly string[];
}

function MapLine({ column, editing, canEdit, use, one, allowed }: MapLineProps): JSX.Element {
  const place = { column: column.header, at: use.at };
  // A first map keeps the values that are right as they are, where all of them are known.
  const isFirst = use.map.length === 0 && allowed.length > 0 && column.distinct <= FEW;
  const right = column.examples.filter(({ value }) => allowed.includes(value.trim()));
  const keep = isFirst ? right.map(({ value }) => value) : undefined;
  const set = (to: string | null): void =>
    void editing.edit({ kind: 'mapValue', ...place, from: one.value, to, keep });
  const choose = (value: string): void => {
    if (value === BLANK)
      void editing.edit({ kind: 'blank', ...place, words: [...use.blank, one.value] });
    else set(value === AS_IT_IS ? null : value);
  };
  const choices = [...new Set([...allowed, ...(one.to === null ? [] : [one.to])])];
  return (
    <li>
      <span class="value">{one.value}</span>
      <span class="soft number">{number(one.count)}</span>
      <span aria-hidden="true">→</span>
      {allowed.length === 0 ? (
        <Line
          aria-label={t('{1} becomes', one.value)}
          value={one.to ?? ''}
          placeholder={t('as it is')}
          disabled={!canEdit || isMasked()}
          onLeave={(value) => set(value === '' ? null : value)}
        />
      ) : (
        <select
          aria-label={t('{1} becomes', one.value)}
          class={one.isWrong ? 'wrong' : ''}
          disabled={!canEdit || isMasked()}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value={AS_IT_IS} selected={one.to === null}>
            {t(one.isWrong ? 'choose …' : 'as it is')}
          </option>
          {choices.map((value) => (
            <option value={value} selected={value === one.to}>
              {value}
            </option>
          ))}
          <option value={BLANK}>{t('take as empty')}</option>
        </select>
      )}
    </li>
  );
}

/** What a cell says is not known to the page then. */
const isMasked = (): boolean => about.value?.mask === true;

interface ValueFieldProps {
  readonly label: string;
  /** What the value is for: some take certain values alone. */
  readonly target: Pick<Target, 'target' | 'values'>;
  readonly value: string | null;
  /** What it says where there is no value. */
  readonly none?: string;
  readonly isOptional: boolean;
  readonly disabled: boolean;
  readonly onSet: (value: string | null) => void;
}

/** A value that many rows have: chosen where few are allowed, else typed. An empty one takes it away. */
export function ValueField(props: ValueFieldProps): JSX.Element {
  const { label, target, value, none = '', isOptional, disabled, onSet } = props;
  const allowed =
    target.target === 'timeZone'
      ? ['UTC', ...Intl.supportedValuesOf('timeZone')].filter(({ length }) => length <= ZONE_LENGTH)
      : target.values;
  const set = (text: string): void => onSet(text === '' ? null : text);
  if (allowed.length === 0)
    return (
      <label class="field">
        <span>{label}</span>
        <Line value={value ?? ''} disabled={disabled} onLeave={set} />
      </label>
    );
  const words = new Set([...(value === null ? [] : [value]), ...allowed]);
  return (
    <Select
      label={label}
      value={value ?? ''}
      choices={[
        ...(isOptional || value === null ? [{ value: '', label: none }] : []),
        ...[...words].map((word) => ({ value: word, label: word })),
      ]}
      disabled={disabled}
      onChoose={set}
    />
  );
}

/** Longest time zone that a client may have. */
const ZONE_LENGTH = 25;

const stepText = {
  trim: 'without spaces at the ends',
  collapse: 'several spaces become one',
  upper: 'in capitals',
  lower: 'in small letters',
  title: 'Each Word With a Capital',
  digits: 'digits alone',
  replace: 'parts are replaced',
  split: 'one part of the cell',
  date: 'a date',
  number: 'a number',
  boolean: 'yes or no',
  phone: 'a phone number',
  map: 'values are replaced',
  lookup: 'looked up in a table',
  default: 'a value for empty cells',
  template: 'put into a text',
} as const satisfies Readonly<Record<string, string>>;
