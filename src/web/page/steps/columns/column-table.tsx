import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Column, ColumnUse } from '../../state/answers.js';
import { Combobox } from '../../parts/combobox.js';
import { countryName, number, t } from '../../state/language.js';
import {
  type ColumnProps,
  type EditProps,
  chosenTarget,
  isPhoneType,
  phoneTypeText,
  targetName,
  targetOptions,
} from './editing.js';
import { UseDetails, optionsOf, patternsOf, stepWords } from './use-details.js';
import { Heads, numbers, Table, unseen, Button } from '../../parts/parts.js';

/** What stands beside the columns: one of them by its index, or the text of the mapping. */
export type Opened = number | 'yaml' | null;

interface OpenProps extends EditProps {
  readonly opened: Signal<Opened>;
}

const isUsed = ({ uses }: Column): boolean => uses.length > 0;

/** Those that are not sure enough to be taken are asked about above the others that are not imported. */
const isOffered = (column: Column): boolean => !isUsed(column) && column.suggested.target !== null;

/** One line for each column that goes somewhere. The roles are written out: on a narrow screen they are cards. */
export function ColumnTable(props: OpenProps): JSX.Element {
  const { columns } = props;
  const shown = columns.columns.filter((column) => isUsed(column) || isOffered(column));
  return (
    <table class="columns" role="table" aria-label={t('Columns')}>
      <Heads
        hasRoles
        of={[
          ...[t('Column'), t('In the file'), t('Goes to'), t('Format')],
          ...[t('Fits, of {1}', columns.sampled), unseen(t('Details'))],
        ]}
      />
      <tbody role="rowgroup">
        {shown.map((column) => (
          <ColumnRow key={column.index} column={column} {...props} />
        ))}
      </tbody>
    </table>
  );
}

/** The others, out of the way: each can be given a place. */
export function NotImported(props: EditProps): JSX.Element | null {
  const others = props.columns.columns.filter((column) => !isUsed(column) && !isOffered(column));
  if (others.length === 0) return null;
  const names = others.map(({ header }) => header).join(', ');
  return (
    <details class="not-imported">
      <summary>
        {t('{1:column is|columns are} not imported', others.length)}
        <span class="soft">: {names}</span>
      </summary>
      <ul>
        {others.map((column) => (
          <li key={column.index}>
            <strong>{column.header}</strong>
            <Samples column={column} />
            <TargetBox {...props} column={column} use={null} />
            <span class="soft">{column.filled === 0 ? null : column.suggested.why}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function ColumnRow(props: ColumnProps & OpenProps): JSX.Element {
  const { column, columns, opened } = props;
  const [use = null, ...more] = column.uses;
  const isOpen = opened.value === column.index;
  const target = columns.targets.find((one) => one.target === use?.target);
  return (
    <tr role="row" class={isOpen ? 'open' : ''}>
      <th role="rowheader" scope="row">
        {column.header}
      </th>
      <td role="cell">
        <Samples column={column} />
      </td>
      <td role="cell" class="to">
        <div class="goes-to">
          <TargetBox {...props} use={use} />
          {target?.isIdentifier && <span class="tag">{t('identifier')}</span>}
          {more.length > 0 && <span class="tag">{t('and {1} more', more.length)}</span>}
        </div>
      </td>
      <td role="cell">{use && formatOf(use)}</td>
      <td role="cell">
        <Fits {...props} />
      </td>
      <td role="cell" class="opens">
        <Button
          class="plain icon"
          data-column={column.index}
          aria-expanded={isOpen}
          aria-label={t('Details of {1}', column.header)}
          onClick={() => (opened.value = isOpen ? null : column.index)}
          label="›"
        />
      </td>
    </tr>
  );
}

function Samples({ column: { examples, filled } }: { readonly column: Column }): JSX.Element {
  if (filled === 0) return <span class="soft">{t('empty')}</span>;
  const two = examples.slice(0, 2).map(({ value }) => value);
  return (
    <span class="samples soft" title={two.join(' · ')}>
      {two.join(' · ')}
    </span>
  );
}

interface TargetBoxProps extends ColumnProps {
  /** `null`: the column goes nowhere yet, or to one thing more. */
  readonly use: ColumnUse | null;
  readonly isMore?: boolean;
  readonly onDone?: () => void;
}

function TargetBox(props: TargetBoxProps): JSX.Element {
  const { columns, column, editing, canEdit, use, isMore = false, onDone } = props;
  const name = use ? targetName(use.target, columns.targets) : isMore ? '' : t('not imported');
  const phoneType = use?.phoneType ?? null;
  const choose = (value: string): void => {
    onDone?.();
    const { target, isJoined } = chosenTarget(value);
    if (target === null && isMore) return;
    const { phoneType: likely } = column.suggested;
    void editing.edit({
      ...{ kind: 'become', column: column.header, target },
      ...(isMore ? { at: 'new' } : use ? { at: use.at } : {}),
      ...(isJoined ? { join: true } : {}),
      ...(target === 'phones' && likely !== null ? { phoneType: likely } : {}),
    });
  };
  return (
    <Combobox
      label={t(isMore ? '{1} goes also to' : '{1} goes to', column.header)}
      value={use?.target ?? ''}
      shown={
        phoneType !== null && isPhoneType(phoneType)
          ? t('{1}, {2}', name, t(phoneTypeText[phoneType]))
          : name
      }
      options={() => targetOptions(columns, column.header)}
      disabled={!canEdit}
      onChoose={choose}
    />
  );
}

function formatOf(use: ColumnUse): string {
  const { columns, steps } = use;
  if (columns.length > 1) return columns.join(' + ');
  for (const step of steps) {
    const { country, from, decimal, thousands } = optionsOf(step);
    if (step.name === 'phone')
      return typeof country === 'string' ? countryName(country) : t('with a country code');
    if (step.name === 'date') return patternsOf(from).join(', ') || t('a date');
    if (step.name === 'number')
      return typeof decimal === 'string' && typeof thousands === 'string'
        ? `1${thousands}234${decimal}56`
        : t('a number');
  }
  const [first] = steps;
  if (use.map.length > 0) return t('{1:value|values} replaced', use.map.length);
  return first ? stepWords(first.name) : t('as it is');
}

/** How many of its cells can be used: what fits is said quietly. */
function Fits(props: ColumnProps & OpenProps): JSX.Element {
  const { column, columns, editing, canEdit, opened } = props;
  const { suggested, uses, header } = column;
  const [use] = uses;
  if (!use) {
    const name = targetName(suggested.target ?? '', columns.targets);
    return (
      <span class="soft">
        {t('perhaps {1}', name)}{' '}
        {canEdit && (
          <Button
            class="plain"
            aria-label={t('Use {1} for {2}', header, name)}
            onClick={() =>
              void editing.edit({
                ...{ kind: 'become', column: header, target: suggested.target },
                ...(suggested.phoneType === null ? {} : { phoneType: suggested.phoneType }),
              })
            }
            label={t('Use')}
          />
        )}
      </span>
    );
  }
  const { good = 0, filled = 0 } = use.good?.params ?? {};
  const isGuess = suggested.target === use.target && suggested.score < SURE;
  const sign = isGuess && (
    <span class="guess" title={suggested.why}>
      {t(suggested.score >= LIKELY ? 'likely' : 'a guess')}
    </span>
  );
  if (good >= filled)
    return (
      <span class="soft">
        <span class="fit-sign good" aria-hidden="true">
          ✓
        </span>{' '}
        {filled === columns.sampled || filled === 0 ? t('all') : t('{1} filled', filled)} {sign}
      </span>
    );
  return (
    <span class="warn">
      <span aria-hidden="true">▲</span> {number(good)}{' '}
      <Button
        class="plain warn"
        aria-label={`${header}: ${t('{1} do not fit', filled - good)}`}
        onClick={() => (opened.value = column.index)}
        label={t('{1} do not fit', filled - good)}
      />{' '}
      {sign}
    </span>
  );
}

/** From which score a suggestion is called sure or likely. They are those of the command `suggest`. */
const SURE = 0.85;
const LIKELY = 0.5;

/** A column as a whole: why it goes there, how its cells are read, and what its values become. */
export function ColumnPanel(props: OpenProps): JSX.Element | null {
  const { columns, opened, canEdit } = props;
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  const isAdding = useSignal(false);
  const at = columns.columns.findIndex(({ index }) => index === opened.value);
  const column = columns.columns[at];
  useEffect(() => {
    isAdding.value = false;
    panel.current?.focus({ preventScroll: true });
  }, [opened.value]);
  if (!column) return null;
  const close = (): void => {
    opened.value = null;
    document.querySelector<HTMLElement>(`[data-column="${column.index}"]`)?.focus();
  };
  const { uses, suggested } = column;
  return (
    <section
      class="panel"
      ref={panel}
      tabIndex={-1}
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) close();
      }}
    >
      <PanelHead id={id} title={column.header} onClose={close}>
        <Walk
          columns={columns.columns.filter((one) => isUsed(one) || isOffered(one))}
          opened={opened}
        />
      </PanelHead>
      {suggested.why !== '' && <p class="soft">{suggested.why}</p>}
      {uses.map((use, index) => (
        // By its place: what is focused stays so when the column goes somewhere else.
        <div class="use" key={`${column.index} ${index}`}>
          {uses.length > 1 && <TargetBox {...props} column={column} use={use} />}
          <UseDetails {...props} column={column} use={use} />
        </div>
      ))}
      {isAdding.value && (
        <TargetBox
          {...props}
          column={column}
          use={null}
          isMore
          onDone={() => (isAdding.value = false)}
        />
      )}
      {uses.length > 0 && canEdit && !isAdding.value && (
        <Button
          class="plain"
          onClick={() => (isAdding.value = true)}
          label={t('Use it once more')}
        />
      )}
      <Values column={column} />
    </section>
  );
}

interface PanelHeadProps {
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
  /** Buttons before the one that closes it. */
  readonly children?: ComponentChildren;
}

/** The head of what stands beside the columns. */
export const PanelHead = ({ id, title, onClose, children }: PanelHeadProps): JSX.Element => (
  <div class="panel-head">
    <h2 id={id}>{title}</h2>
    {children}
    <Button class="plain icon" aria-label={t('Close')} onClick={onClose} label="×" />
  </div>
);

function Walk({
  columns,
  opened,
}: {
  readonly columns: readonly Column[];
  readonly opened: Signal<Opened>;
}): JSX.Element {
  const at = columns.findIndex(({ index }) => index === opened.value);
  const to = (step: number, label: string, sign: string): JSX.Element => (
    <Button
      class="plain icon"
      aria-label={label}
      disabled={columns[at + step] === undefined}
      onClick={() => (opened.value = columns[at + step]?.index ?? null)}
      label={sign}
    />
  );
  return (
    <>
      {to(-1, t('The column above'), '↑')}
      {to(1, t('The column below'), '↓')}
    </>
  );
}

function Values({ column }: { readonly column: Column }): JSX.Element | null {
  const { examples, distinct, uses } = column;
  const wrong = uses.flatMap(({ problems }) =>
    problems.flatMap(({ message, values }) => values.map((one) => ({ ...one, message }))),
  );
  const right = examples.filter(({ value }) => !wrong.some((one) => one.value === value));
  if (wrong.length + right.length === 0) return null;
  const marked = wrong.map(({ value, count, message }) => ({
    count,
    value: (
      <>
        {value}
        <span class="warn under">{message}</span>
      </>
    ),
  }));
  return (
    <Table
      class="values"
      heads={[t('{1:value|values}', distinct), numbers(t('Rows'))]}
      rows={[...marked, ...right].map(({ value, count }) => ({ cells: [value, count] }))}
    />
  );
}
