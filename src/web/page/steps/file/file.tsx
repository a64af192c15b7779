import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PageProblem } from '../../../shared/route.js';
import type { Preview, SourceChoice } from '../../../shared/list.js';
import { StepFrame, type PrimaryAction, type StepProps } from '../../frame/step-frame.js';
import { Link, ProblemNote, Waiting, Select, type Choice } from '../../parts/parts.js';
import { about, shownList } from '../../state/about.js';
import { go } from '../../state/address.js';
import { call, problemOf } from '../../state/call.js';
import { size, t } from '../../state/language.js';

/** The file as it is read: sheet, header, encoding and delimiter can be changed, and are shown again at once. */
export function FileView({ list }: StepProps): JSX.Element {
  const preview = useSignal<Preview | null>(null);
  const problem = useSignal<PageProblem | null>(null);
  const show = (found: Promise<Preview>): Promise<void> =>
    found.then(
      (value) => {
        preview.value = value;
        shownList.value = value.list;
        problem.value = null;
      },
      (error: unknown) => {
        problem.value = problemOf(error);
      },
    );
  useEffect(() => void show(call('GET /api/lists/:list/preview', { params: { list } })), [list]);
  const change = (body: Partial<SourceChoice>): void =>
    void show(call('PATCH /api/lists/:list/source', { params: { list }, body }));

  const found = preview.value;
  if (!found) return <NotReady problem={problem.value} />;
  return (
    <StepFrame
      title={found.list.name}
      facts={factsOf(found)}
      command={found.list.command}
      back={() => go({ kind: 'start' })}
      primary={nextOf(found)}
    >
      {problem.value && <ProblemNote problem={problem.value} />}
      {found.doubt && (
        <EncodingDoubt
          encoding={found.encoding ?? ''}
          {...found.doubt}
          onChoose={(encoding) => change({ encoding })}
        />
      )}
      <SourceChoices preview={found} onChange={change} />
      {found.headerProblem !== null && (
        <div class="problem" role="alert">
          <p>
            {found.header.length > 0 && <strong>{t('This header cannot be used.')}</strong>}{' '}
            {found.headerProblem}
          </p>
        </div>
      )}
      {found.rows.length === 0 ? (
        found.header.length > 0 && <p class="notice">{t('There are no rows below the header.')}</p>
      ) : (
        <RowTable
          caption={t('First rows: {1}', found.rows.length)}
          numberHeader={t('Row')}
          header={found.header}
          rows={found.rows}
        />
      )}
    </StepFrame>
  );
}

function NotReady({ problem }: { readonly problem: PageProblem | null }): JSX.Element {
  return (
    <StepFrame title={t('Which list is it about?')}>
      {problem === null ? (
        <Waiting />
      ) : (
        <ProblemNote problem={problem}>
          <p>
            <Link to={{ kind: 'start' }}>{t('Choose another file')}</Link>
          </p>
        </ProblemNote>
      )}
    </StepFrame>
  );
}

const factsOf = ({ list, formatName, packing, sheet, header, count }: Preview): string[] => [
  formatName + (packing === null ? '' : ` (${packing})`),
  ...(sheet === null ? [] : [sheet]),
  size(list.bytes),
  t('{1:column|columns}', header.length),
  ...(count === null ? [] : [t('{1:row|rows}', count)]),
  ...(list.likeLast ? [t('set up like the last file with these columns')] : []),
];

function nextOf({ list, header, headerProblem, rows }: Preview): PrimaryAction {
  return {
    label: t('Next: columns'),
    run: () => go({ kind: 'list', list: list.id, step: 'columns' }),
    blocked:
      about.value?.center === null
        ? t('Describe a contact center first: columns become its fields.')
        : headerProblem !== null && header.length > 0
          ? t('This header cannot be used.')
          : rows.length === 0
            ? t('There are no rows below the header.')
            : null,
  };
}

interface EncodingDoubtProps {
  readonly encoding: string;
  readonly word: string;
  readonly runnerUp: string;
  readonly otherWord: string;
  readonly onChoose: (encoding: string) => void;
}

/** Two encodings make sense: the person sees which word is right. */
function EncodingDoubt(props: EncodingDoubtProps): JSX.Element {
  const { encoding, word, runnerUp, otherWord, onChoose } = props;
  const choices = [
    [encoding, word],
    [runnerUp, otherWord],
  ] as const;
  return (
    <div
      class="notice"
      role="group"
      aria-label={t('The encoding is not sure. Which word is right?')}
    >
      <p>{t('The encoding is not sure. Which word is right?')}</p>
      <p class="buttons">
        {choices.map(([label, shown]) => (
          <button type="button" onClick={() => onChoose(label)}>
            {shown} <span class="soft">{label}</span>
          </button>
        ))}
      </p>
    </div>
  );
}

interface RowTableProps {
  /** Says what the table shows. */
  readonly caption: string;
  readonly numberHeader: string;
  readonly header: readonly string[];
  readonly rows: readonly { readonly row: number; readonly cells: readonly (string | null)[] }[];
}

/** Rows of a spreadsheet with their numbers. Cells are text, whatever they hold. */
function RowTable({ caption, numberHeader, header, rows }: RowTableProps): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table class="rows">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              {numberHeader}
            </th>
            {header.map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, cells }) => (
            <tr key={row}>
              <th scope="row" class="number">
                {row}
              </th>
              {header.map((_, column) => (
                <td>{cells[column]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Stands for what is found out. */
const AUTO = '';
const NO_HEADER = 'none';

const ENCODINGS = [
  ...['utf-8', 'windows-1251', 'windows-1252', 'windows-1250', 'koi8-r', 'ibm866', 'utf-16le'],
  ...['utf-16be', 'iso-8859-1', 'iso-8859-2', 'iso-8859-5', 'windows-1254', 'gb18030', 'shift_jis'],
];

const DELIMITERS = {
  ';': 'semicolon ;',
  ',': 'comma ,',
  '\t': 'tab',
  '|': 'bar |',
  ':': 'colon :',
} as const;

interface SourceChoicesProps {
  readonly preview: Preview;
  readonly onChange: (change: Partial<SourceChoice>) => void;
}

/** How the file is read. What a format does not have is not asked for. */
function SourceChoices({ preview, onChange }: SourceChoicesProps): JSX.Element {
  const { sheets, sheet, encoding, delimiter, headerRow, list } = preview;
  const disabled = about.value?.readOnly ?? true;
  const orAuto = (value: string): string | null => (value === AUTO ? null : value);
  return (
    <div class="fields" role="group" aria-label={t('Read as')}>
      {sheets.length > 0 && (
        <Select
          label={t('Sheet')}
          value={sheet ?? ''}
          choices={sheets.map((name) => ({ value: name, label: name }))}
          disabled={disabled}
          onChoose={(value) => onChange({ sheet: value })}
        />
      )}
      {headerRow !== null && preview.header.length > 0 && (
        <Select
          label={t('Header')}
          value={list.source.headerRow === null ? AUTO : String(headerRow)}
          choices={headerChoices(preview)}
          disabled={disabled}
          onChoose={(value) => onChange({ headerRow: headerOf(value) })}
        />
      )}
      {encoding !== null && (
        <Select
          label={t('Encoding')}
          value={list.source.encoding ?? AUTO}
          choices={withFound(encoding, list.source.encoding, encodingsWith(preview))}
          disabled={disabled}
          onChoose={(value) => onChange({ encoding: orAuto(value) })}
        />
      )}
      {delimiter !== null && (
        <Select
          label={t('Delimiter')}
          value={list.source.delimiter ?? AUTO}
          choices={withFound(
            delimiter,
            list.source.delimiter,
            Object.keys(DELIMITERS),
            delimiterName,
          )}
          disabled={disabled}
          onChoose={(value) => onChange({ delimiter: orAuto(value) })}
        />
      )}
    </div>
  );
}

const headerOf = (value: string): SourceChoice['headerRow'] =>
  value === AUTO ? null : value === NO_HEADER ? NO_HEADER : Number(value);

/** Rows that could be the header, with how they begin. */
function headerChoices({ above, rows, headerRow, list }: Preview): Choice[] {
  const isFound = list.source.headerRow === null;
  const named = [...above, ...rows].slice(0, 40).map(({ row, cells }) => {
    const beginning = cells.filter(Boolean).slice(0, 3).join(', ');
    return { value: String(row), label: `${t('Row {1}', row)}: ${shortened(beginning)}` };
  });
  const none = { value: NO_HEADER, label: t('No header') };
  const all = [...named, none];
  if (!isFound) return all;
  const found = all.find(({ value }) => value === String(headerRow)) ?? none;
  return [{ value: AUTO, label: t('{1} (found)', found.label) }, ...all.filter((c) => c !== found)];
}

const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);

const encodingsWith = ({ encoding, doubt }: Preview): string[] => [
  ...new Set([
    ...(doubt ? [doubt.runnerUp] : []),
    ...ENCODINGS,
    ...(encoding === null ? [] : [encoding]),
  ]),
];

const delimiterName = (delimiter: string): string =>
  delimiter in DELIMITERS ? t(DELIMITERS[delimiter as keyof typeof DELIMITERS]) : delimiter;

/** What was found comes first, as the choice of having it found out. */
function withFound(
  inForce: string,
  chosen: string | null,
  all: readonly string[],
  nameOf: (value: string) => string = (value) => value,
): Choice[] {
  const others = all.map((value) => ({ value, label: nameOf(value) }));
  if (chosen !== null) return others;
  const found = { value: AUTO, label: t('{1} (found)', nameOf(inForce)) };
  return [found, ...others.filter(({ value }) => value !== inForce)];
}
