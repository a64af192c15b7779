import type { JSX } from 'preact';
import type { Column, ColumnUse, Columns } from '../../../shared/columns.js';
import { columnsText } from '../../messages/columns.js';
import { number, t } from '../../state/language.js';
import { about } from '../../state/about.js';
import type { UseProps } from './props.js';

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
export function ValueMap(props: UseProps): JSX.Element | null {
  const { columns, column, use } = props;
  const allowed = allowedFor(use, columns);
  if (use.map.length === 0 && (allowed.length === 0 || column.distinct > FEW)) return null;
  const values = occurring(column, use);
  const changed = values.filter(({ to, value }) => to !== null && to !== value).length;
  const unknown = values.filter(({ isWrong }) => isWrong).length;
  return (
    <details class="map" open={unknown > 0}>
      <summary>
        {changed > 0 ? t(columnsText.mapCount, changed) : t(columnsText.map)}
        {unknown > 0 && <span class="warn"> · {t(columnsText.mapUnknown, unknown)}</span>}
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

function occurring(
  { examples, distinct }: Column,
  { map, problems, blank }: ColumnUse,
): Occurring[] {
  const bad = new Set(problems.flatMap(({ values }) => values.map(({ value }) => value)));
  const found = (distinct <= FEW ? examples : [])
    .filter(({ value }) => !blank.some((word) => same(word, value)))
    .map(({ value, count }) => {
      const pair = map.find(({ from }) => same(from, value));
      return { value, count, to: pair?.to ?? null, isWrong: bad.has(value) };
    });
  const others = map
    .filter(({ from }) => !found.some(({ value }) => same(from, value)))
    .map(({ from, to, count }) => ({ value: from, count, to, isWrong: false }));
  return [...found, ...others];
}

interface MapLineProps extends UseProps {
  readonly one: Occurring;
  readonly allowed: readonly string[];
}

function MapLine({ column, editing, canEdit, use, one, allowed }: MapLineProps): JSX.Element {
  const place = { column: column.header, at: use.at };
  const set = (to: string | null): void =>
    void editing.edit({
      kind: 'mapValue',
      ...place,
      from: one.value,
      to,
      keep: keepOf(column, use, allowed),
    });
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
        <input
          type="text"
          aria-label={t(columnsText.mapOf, one.value)}
          value={one.to ?? ''}
          placeholder={t(columnsText.asItIs)}
          disabled={!canEdit || isMasked()}
          onChange={({ currentTarget: { value } }) => set(value === '' ? null : value)}
        />
      ) : (
        <select
          aria-label={t(columnsText.mapOf, one.value)}
          class={one.isWrong ? 'wrong' : ''}
          disabled={!canEdit || isMasked()}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value={AS_IT_IS} selected={one.to === null}>
            {t(one.isWrong ? columnsText.decide : columnsText.asItIs)}
          </option>
          {choices.map((value) => (
            <option value={value} selected={value === one.to}>
              {value}
            </option>
          ))}
          <option value={BLANK}>{t(columnsText.isEmpty)}</option>
        </select>
      )}
    </li>
  );
}

/** What a cell says is not known to the page then. */
const isMasked = (): boolean => about.value?.mask === true;

/** A first map keeps the values that are right as they are, where all of them are known. */
function keepOf(
  { examples, distinct }: Column,
  { map }: ColumnUse,
  allowed: readonly string[],
): string[] | undefined {
  if (map.length > 0 || allowed.length === 0 || distinct > FEW) return undefined;
  return examples.map(({ value }) => value).filter((value) => allowed.includes(value.trim()));
}
