import type { JSX, ComponentChildren } from 'preact';
import { frameText } from '../messages/frame.js';
import {
  t,
  dateTime,
  language,
  number,
  counted,
  type Message,
  type Messages,
} from '../state/language.js';
import { outcomeWords } from '../messages/outcomes.js';
import type { RejectsOf } from '../../shared/list.js';
import type { ShownListFacts, PageProblem } from '../../shared/route.js';
import type { QualityPart } from '../../../core/quality.js';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { checkText } from '../messages/check.js';
import { columnsText } from '../messages/columns.js';
import { about, shownList } from '../state/about.js';
import { guardLeaving, go, hrefOf, type Place, type Search } from '../state/address.js';
import { call, problemOf } from '../state/call.js';

export const Waiting = (): JSX.Element => (
  <p class="waiting soft" role="status">
    {t(frameText.loading)}
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
      {t(frameText.rejectsOf, name)} <Link to={{ kind: 'run', run: from.run }}>{from.file}</Link>
    </p>
  );

/** What a file of rejects is called: whose rows it has, and not how the folder of their run calls it. */
export const mendedRows = ({ file }: RejectsOf): string => t(frameText.mendedRows, file);

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
      <h2 id="list-facts">{t(listText.title)}</h2>
      {checks.length > 0 && (
        <ul class="remarks">
          {checks.map(({ holds, isStop, sentence }) => (
            <li>
              <strong>
                {t(holds ? listText.holds : isStop ? listText.stops : listText.warns)}
              </strong>{' '}
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
      <strong>{t(listText.score, quality.score)}</strong>{' '}
      <span class="soft">{t(listText.lost, quality.lost, quality.rows, quality.outside)}</span>
    </p>
    <div class="scroll" tabIndex={0} role="region" aria-labelledby="list-facts">
      <table class="result-counts">
        <thead>
          <tr>
            <th scope="col">{t(listText.part)}</th>
            <th scope="col" class="number">
              {t(listText.points)}
            </th>
            <th scope="col" class="number">
              {t(listText.rows)}
            </th>
          </tr>
        </thead>
        <tbody>
          {quality.parts.map(({ part, points, of, rows }) => (
            <tr key={part}>
              <th scope="row">{t(partText[part])}</th>
              <td class="number">{t(listText.of, points, of)}</td>
              <td class="number">{number(rows)}</td>
            </tr>
          ))}
          {quality.whole && (
            <tr>
              <th scope="row">{t(listText.whole)}</th>
              <td class="number">{t(listText.minus, quality.whole.points)}</td>
              <td class="number">{t(listText.found, quality.whole.doubts, quality.whole.notes)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  </>
);

const listText = {
  title: { en: 'The list as a whole', ru: 'Список в целом' },
  score: {
    en: (score: number) => `Quality ${number(score)} of 100`,
    ru: (score: number) => `Качество ${number(score)} из 100`,
  },
  lost: {
    en: (lost: number, rows: number, outside: number) =>
      `${number(lost)} of ${counted(rows, { one: 'row', other: 'rows' })} rejected or skipped` +
      (outside === 0 ? '' : `; the mapping does not take ${number(outside)} more`),
    ru: (lost: number, rows: number, outside: number) =>
      `отклонено или пропущено строк: ${number(lost)} из ${number(rows)}` +
      (outside === 0 ? '' : `; ещё не взято правилами: ${number(outside)}`),
  },
  part: { en: 'What counts', ru: 'Что учитывается' },
  points: { en: 'Points', ru: 'Баллы' },
  of: {
    en: (points: number, of: number) => `${number(points)} of ${number(of)}`,
    ru: (points: number, of: number) => `${number(points)} из ${number(of)}`,
  },
  whole: { en: 'the list as a whole', ru: 'список в целом' },
  minus: {
    en: (points: number) => `−${number(points)}`,
    ru: (points: number) => `−${number(points)}`,
  },
  found: {
    en: (doubts: number, notes: number) =>
      [
        ...(doubts > 0 ? [counted(doubts, { one: 'doubt', other: 'doubts' })] : []),
        ...(notes > 0 ? [counted(notes, { one: 'note', other: 'notes' })] : []),
      ].join(', '),
    ru: (doubts: number, notes: number) =>
      [
        ...(doubts > 0 ? [`сомнений: ${number(doubts)}`] : []),
        ...(notes > 0 ? [`примечаний: ${number(notes)}`] : []),
      ].join(', '),
  },
  rows: { en: 'Rows that lose points', ru: 'Строк, теряющих баллы' },
  holds: { en: 'holds', ru: 'выполнено' },
  warns: { en: 'warns', ru: 'внимание' },
  stops: { en: 'stops the import', ru: 'импорт не начнётся' },
} as const satisfies Messages;

const partText = {
  phones: { en: 'phones valid', ru: 'телефоны верны' },
  unique: { en: 'unique', ru: 'без повторов' },
  suppressed: { en: 'not suppressed', ru: 'можно звонить' },
  zone: { en: 'time zone certain', ru: 'часовой пояс известен' },
  fresh: { en: 'fresh', ru: 'свежие' },
  complete: { en: 'complete', ru: 'заполнены' },
} as const satisfies Record<QualityPart, Message>;

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
    const question = `${t(columnsText.notIn, name)} ${t(columnsText.anyway)}`;
    guardLeaving((to) => (to.kind === 'list' && to.list === list) || confirm(question), false);
    return () => guardLeaving(null);
  }, [list, name]);
  if (name === null)
    return isOpen && hasRule ? (
      <p class="notice">
        {t(columnsText.keptHere)}{' '}
        <Link to={{ kind: 'list', list, step: 'columns' }}>{t(checkText.toColumns)}</Link>
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
      <p>{t(columnsText.notIn, name)}</p>
      {problem.value && <ProblemNote problem={problem.value} />}
      <button type="button" onClick={() => void save()}>
        {t(columnsText.save)}: {name}
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
    sheet === undefined ? '' : t(placeText.sheet, sheet),
    line === undefined ? '' : t(placeText.line, line),
    row === undefined ? '' : t(placeText.row, row),
  ].filter((part) => part !== '');
  const text = parts.join(', ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}:`;
}

/** Places in a file. */
const placeText = {
  sheet: { en: (name: string) => `sheet “${name}”`, ru: (name: string) => `лист «${name}»` },
  line: { en: (line: number) => `line ${line}`, ru: (line: number) => `строка ${line}` },
  row: { en: (row: number) => `row ${row}`, ru: (row: number) => `строка ${row}` },
} as const satisfies Messages;

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
