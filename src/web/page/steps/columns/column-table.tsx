import type { JSX } from 'preact';
import { t, number } from '../../state/language.js';
import {
  type EditProps,
  type ColumnProps,
  chosenTarget,
  targetName,
  targetOptions,
} from './editing.js';
import { useSignal } from '@preact/signals';
import type { Column, ColumnUse } from '../../../shared/columns.js';
import { UseDetails } from './use-details.js';
import { Combobox } from '../../parts/combobox.js';

/** One row for each column. The roles are written out: on a narrow screen the rows are no table to look at. */
export const ColumnTable = (props: EditProps): JSX.Element => (
  <table class="columns" role="table" aria-label={t('Columns')}>
    <thead role="rowgroup">
      <tr role="row">
        <th role="columnheader">{t('Column')}</th>
        <th role="columnheader">{t('Values in the file')}</th>
        <th role="columnheader">{t('Becomes')}</th>
        <th role="columnheader">{t('Sure')}</th>
      </tr>
    </thead>
    <tbody role="rowgroup">
      {props.columns.columns.map((column) => (
        <ColumnRow key={column.index} column={column} {...props} />
      ))}
    </tbody>
  </table>
);

function ColumnRow(props: ColumnProps): JSX.Element {
  const { column } = props;
  return (
    <tr role="row" class={column.uses.length === 0 ? 'unused' : ''}>
      <th role="rowheader" scope="row">
        {column.header}
      </th>
      <td role="cell">
        <Examples column={column} />
      </td>
      <td role="cell" class="becomes">
        <Uses {...props} />
      </td>
      <td role="cell">
        <Sureness {...props} />
      </td>
    </tr>
  );
}

/** Values shown of a column. */
const SHOWN = 3;

function Examples({ column: { examples, distinct, filled } }: { readonly column: Column }) {
  if (filled === 0) return <span class="soft">{t('empty')}</span>;
  return (
    <ul class="examples">
      {examples.slice(0, SHOWN).map(({ value, count }) => (
        <li>
          <span class="value">{value}</span>
          {count > 1 && <span class="soft">{number(count)}</span>}
        </li>
      ))}
      {distinct > SHOWN && <li class="soft">{t('{1} different', distinct)}</li>}
    </ul>
  );
}

/** What the column becomes, which may be several things. */
function Uses(props: ColumnProps): JSX.Element {
  const { column, canEdit } = props;
  const isAdding = useSignal(false);
  const { uses } = column;
  return (
    <>
      {(uses.length === 0 ? [null] : uses).map((use, index) => (
        // By its place in the row: what is focused stays so when the column becomes something else.
        <div class="use" key={index}>
          <TargetBox {...props} use={use} />
          {use && <UseDetails {...props} use={use} />}
        </div>
      ))}
      {isAdding.value && (
        <TargetBox {...props} use={null} isMore onDone={() => (isAdding.value = false)} />
      )}
      {uses.length > 0 && canEdit && !isAdding.value && (
        <button
          type="button"
          class="plain more"
          title={t('Use it once more')}
          aria-label={`${t('Use it once more')}: ${column.header}`}
          onClick={() => (isAdding.value = true)}
        >
          +
        </button>
      )}
    </>
  );
}

interface TargetBoxProps extends ColumnProps {
  /** `null`: the column becomes nothing yet, or one thing more. */
  readonly use: ColumnUse | null;
  readonly isMore?: boolean;
  readonly onDone?: () => void;
}

/** What a column becomes: a list that can be searched. */
function TargetBox(props: TargetBoxProps): JSX.Element {
  const { columns, column, editing, canEdit, use, isMore = false, onDone } = props;
  const choose = (value: string): void => {
    onDone?.();
    const { target, isJoined } = chosenTarget(value);
    if (target === null && isMore) return;
    const { phoneType } = column.suggested;
    void editing.edit({
      ...{ kind: 'become', column: column.header, target },
      ...(isMore ? { at: 'new' } : use ? { at: use.at } : {}),
      ...(isJoined ? { join: true } : {}),
      ...(target === 'phones' && phoneType !== null ? { phoneType } : {}),
    });
  };
  return (
    <Combobox
      label={t(isMore ? '{1} becomes also' : '{1} becomes', column.header)}
      value={use?.target ?? ''}
      shown={use ? targetName(use.target, columns.targets) : isMore ? '' : t('not imported')}
      options={() => targetOptions(columns, column.header)}
      disabled={!canEdit}
      onChoose={choose}
    />
  );
}

/** How sure a suggestion is, in dots and words, why, and what the rows say of it. */
function Sureness(props: ColumnProps): JSX.Element {
  const { column, columns, editing, canEdit } = props;
  const { suggested, uses, header } = column;
  const isSuggested = uses.some(({ target }) => target === suggested.target);
  const isUsed = uses.length > 0;
  const isOpen = !isUsed && suggested.target === null;
  const suggestion =
    suggested.target === null ? null : targetName(suggested.target, columns.targets);
  return (
    <>
      {isSuggested && <Dots score={suggested.score} />}
      {!isSuggested && isUsed && <p>{t('your choice')}</p>}
      {isOpen && <p aria-hidden="true">–</p>}
      {uses.map((use) => (
        <Good use={use} />
      ))}
      {!isSuggested && suggestion !== null && (
        <p>
          {t(isUsed ? 'Suggested: {1}' : 'not sure; suggested: {1}', suggestion)}{' '}
          {canEdit && (
            <button
              type="button"
              class="plain"
              aria-label={t('Use {1} for {2}', header, suggestion)}
              onClick={() =>
                void editing.edit({
                  ...{ kind: 'become', column: header, target: suggested.target },
                  ...(suggested.phoneType === null ? {} : { phoneType: suggested.phoneType }),
                })
              }
            >
              {t('Use')}
            </button>
          )}
        </p>
      )}
      {(isSuggested || suggestion !== null || isOpen) && <p class="soft">{suggested.why}</p>}
    </>
  );
}

/** From which score a suggestion has how many dots. They are those of the command `suggest`. */
const SURE = 0.85;
const LIKELY = 0.5;

function Dots({ score }: { readonly score: number }): JSX.Element {
  const dots = score >= SURE ? 3 : score >= LIKELY ? 2 : 1;
  const words = { 3: 'sure', 2: 'likely', 1: 'a guess' } as const;
  return (
    <p>
      <span class="dots" aria-hidden="true">
        {'●'.repeat(dots)}
        {'○'.repeat(3 - dots)}
      </span>{' '}
      {t(words[dots])}
    </p>
  );
}

function Good({ use: { good, problems } }: { readonly use: ColumnUse }): JSX.Element | null {
  if (!good || !isGoodCode(good.code)) return null;
  const { good: count, filled } = good.params;
  return (
    <>
      <p class={count < filled ? 'warn' : ''}>{t(goodText[good.code], count, filled)}</p>
      {problems.slice(0, 2).map((problem) => (
        <p class="soft">{valueProblem(problem)}</p>
      ))}
    </>
  );
}

const isGoodCode = (code: string): code is keyof typeof goodText => Object.hasOwn(goodText, code);

/** What is wrong with values of a column, after the most frequent of them. */
function valueProblem({ message, values }: ColumnUse['problems'][number]): string {
  const shown = values.slice(0, 3).map(({ value, count }) => `${value} ${number(count)}`);
  return `${shown.join(' · ')}: ${message}`;
}

const goodText = {
  good_phones: '{1} of {2} are valid numbers',
  good_emails: '{1} of {2} are e-mail addresses',
  good_numbers: '{1} of {2} are numbers',
  good_dates: '{1} of {2} are dates',
  good_values: '{1} of {2} can be used',
} as const satisfies Readonly<Record<string, string>>;
