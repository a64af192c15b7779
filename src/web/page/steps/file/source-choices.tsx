import type { JSX } from 'preact';
import type { Preview, SourceChoice } from '../../../shared/list.js';
import { fileText } from '../../messages/file.js';
import { Select, type Choice } from '../../parts/select.js';
import { about } from '../../state/about.js';
import { t } from '../../state/language.js';

/** Stands for what is found out. */
const AUTO = '';
const NO_HEADER = 'none';

const ENCODINGS = [
  ...['utf-8', 'windows-1251', 'windows-1252', 'windows-1250', 'koi8-r', 'ibm866', 'utf-16le'],
  ...['utf-16be', 'iso-8859-1', 'iso-8859-2', 'iso-8859-5', 'windows-1254', 'gb18030', 'shift_jis'],
];

const DELIMITERS = {
  ';': fileText.semicolon,
  ',': fileText.comma,
  '\t': fileText.tab,
  '|': fileText.bar,
  ':': fileText.colon,
} as const;

interface SourceChoicesProps {
  readonly preview: Preview;
  readonly onChange: (change: Partial<SourceChoice>) => void;
}

/** How the file is read. What a format does not have is not asked for. */
export function SourceChoices({ preview, onChange }: SourceChoicesProps): JSX.Element {
  const { sheets, sheet, encoding, delimiter, headerRow, list } = preview;
  const disabled = about.value?.readOnly ?? true;
  const orAuto = (value: string): string | null => (value === AUTO ? null : value);
  return (
    <div class="fields" role="group" aria-label={t(fileText.readAs)}>
      {sheets.length > 0 && (
        <Select
          label={t(fileText.sheet)}
          value={sheet ?? ''}
          choices={sheets.map((name) => ({ value: name, label: name }))}
          disabled={disabled}
          onChoose={(value) => onChange({ sheet: value })}
        />
      )}
      {headerRow !== null && preview.header.length > 0 && (
        <Select
          label={t(fileText.headerRow)}
          value={list.source.headerRow === null ? AUTO : String(headerRow)}
          choices={headerChoices(preview)}
          disabled={disabled}
          onChoose={(value) => onChange({ headerRow: headerOf(value) })}
        />
      )}
      {encoding !== null && (
        <Select
          label={t(fileText.encoding)}
          value={list.source.encoding ?? AUTO}
          choices={withFound(encoding, list.source.encoding, encodingsWith(preview))}
          disabled={disabled}
          onChoose={(value) => onChange({ encoding: orAuto(value) })}
        />
      )}
      {delimiter !== null && (
        <Select
          label={t(fileText.delimiter)}
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
    return { value: String(row), label: `${t(fileText.row, row)}: ${shortened(beginning)}` };
  });
  const none = { value: NO_HEADER, label: t(fileText.noHeader) };
  const all = [...named, none];
  if (!isFound) return all;
  const found = all.find(({ value }) => value === String(headerRow)) ?? none;
  return [
    { value: AUTO, label: t(fileText.found, found.label) },
    ...all.filter((c) => c !== found),
  ];
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
  const found = { value: AUTO, label: t(fileText.found, nameOf(inForce)) };
  return [found, ...others.filter(({ value }) => value !== inForce)];
}
