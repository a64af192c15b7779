import type { JSX } from 'preact';
import { StepFrame, NotReady, type PrimaryAction, type StepProps } from '../../frame/step-frame.js';
import { about, shownList } from '../../state/about.js';
import { t, size, dateTime, language } from '../../state/language.js';
import { useSignal } from '@preact/signals';
import type { PageProblem, List, Answer, Extent, Preview } from '../../state/answers.js';
import {
  ProblemNote,
  Link,
  Loaded,
  stepText,
  Button,
  type Choice,
  Heads,
  numbers,
  Select,
} from '../../parts/parts.js';
import { go, query } from '../../state/address.js';
import { canDescribe, CENTER, CenterOffer, CenterView, Made } from './center.js';
import {
  call,
  problemOf,
  useAttempt,
  useAsked,
  CallError,
  problemIn,
  session,
  ownProblem,
  useEvents,
} from '../../state/call.js';
import { useEffect, useRef } from 'preact/hooks';
import type { SourceChoice } from '../../../shared/routes.js';

/** The beginning: choose a file, take a sample, or go on with a list. */
export function StartView(): JSX.Element {
  if (query.value.has(CENTER) && canDescribe()) return <CenterView />;
  return (
    <StepFrame title={t('Your list')}>
      <Made />
      {about.value?.readOnly === false && <Chooser />}
      <CenterOffer />
      {about.value?.readOnly === false && <Samples />}
      <Recent />
    </StepFrame>
  );
}

function Samples(): JSX.Element | null {
  const { problem, attempt } = useAttempt();
  const samples = about.value?.samples ?? [];
  if (samples.length === 0) return null;
  const take = (sample: string): Promise<unknown> =>
    attempt(async () => {
      const { id } = await call('POST /api/lists', { body: { sample } });
      go({ kind: 'list', list: id, step: 'file' });
    });
  return (
    <section>
      <h2>{t('Or take a sample')}</h2>
      <ul class="tiles">
        {samples.map(({ name, bytes }) => (
          <li>
            <button type="button" class="tile" onClick={() => void take(name)}>
              <span>{name}</span> <span class="soft">{size(bytes)}</span>
              {isSample(name) && <span class="soft shows">{t(sampleText[name])}</span>}
            </button>
          </li>
        ))}
      </ul>
      {problem.value && <ProblemNote problem={problem.value} />}
    </section>
  );
}

const isSample = (name: string): name is keyof typeof sampleText => Object.hasOwn(sampleText, name);

const sampleText = {
  'leads.xlsx': 'a workbook of leads',
  'leads.csv': 'leads with mistakes of all kinds',
  'leads-1251.csv': 'an old encoding, with semicolons',
  'mistakes.csv': 'one mistake in each row',
  'update.csv': 'fields of clients that are there',
  'upsert.csv': 'creates clients, or changes them',
  'enqueue.csv': 'adds clients to a campaign',
  'dequeue.csv': 'removes clients from a campaign',
  'contacts.csv': 'switches phones on and off',
  'callbacks.csv': 'callbacks at a time',
  'calling.csv': 'who may be called, and when',
  'rekey.csv': 'gives clients other identifiers',
  'delete.csv': 'deletes clients',
} as const satisfies Readonly<Record<string, string>>;

/** The lists that were begun: nothing of a closed tab is lost. What has been imported is in the history. */
function Recent(): JSX.Element {
  const { problem, attempt } = useAttempt();
  const lists = useAsked(
    async (signal): Promise<List[]> =>
      (await call('GET /api/lists', { signal })).lists.filter(
        ({ complete, isDone }) => complete && !isDone,
      ),
    '',
  );
  const remove = (list: string): Promise<unknown> =>
    attempt(() => call('DELETE /api/lists/:list', { params: { list } })).then(lists.again);
  const line = ({ id, name, step, bytes, createdAt }: List): JSX.Element => (
    <li key={id}>
      <Link to={{ kind: 'list', list: id, step }}>{name}</Link>
      <span class="soft">
        {t(stepText[step])} · {size(bytes)} · {dateTime(createdAt)}
      </span>
      {about.value?.readOnly === false && (
        <Button
          class="plain"
          aria-label={t('Delete {1}', name)}
          title={t('Delete {1}', name)}
          onClick={() => void remove(id)}
          label="×"
        />
      )}
    </li>
  );
  return (
    <section>
      <h2>{t('Recent lists')}</h2>
      {problem.value && <ProblemNote problem={problem.value} />}
      <Loaded of={lists}>
        {(found) =>
          found.length === 0 ? (
            <p class="soft">{t('No list is under way.')}</p>
          ) : (
            <ul class="lists">{found.map(line)}</ul>
          )
        }
      </Loaded>
    </section>
  );
}

/** Where a file is dropped or chosen. It is copied to a private folder of the server. */
function Chooser(): JSX.Element {
  const uploading = useSignal<{ readonly name: string; readonly share: number } | null>(null);
  const problem = useSignal<PageProblem | null>(null);
  const isOver = useSignal(false);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);

  const take = async (file: File | undefined): Promise<void> => {
    if (!file || uploading.value) return;
    problem.value = null;
    uploading.value = { name: file.name, share: 0 };
    stop.current = new AbortController();
    const { signal } = stop.current;
    try {
      const { name, size: bytes } = file;
      const { id } = await call('POST /api/lists', { body: { name, bytes }, signal });
      await upload(id, file, (share) => (uploading.value = { name, share }), signal);
      go({ kind: 'list', list: id, step: 'file' });
    } catch (error) {
      if (!signal.aborted) problem.value = problemOf(error);
    } finally {
      uploading.value = null;
    }
  };

  const { name = '', share = 0 } = uploading.value ?? {};
  return (
    <div
      class={isOver.value ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        void take(event.dataTransfer?.files[0]);
      }}
    >
      {uploading.value ? (
        <>
          <p class="invitation">{t('Copying {1}', name)}</p>
          <progress max={1} value={share} aria-label={t('Copying {1}', name)} />
          {/* Read out in tenths alone. */}
          <p class="soft" role="status">
            {t('{1:percent} copied', Math.floor(share * 10) / 10)}
          </p>
          <Button onClick={() => stop.current.abort()} label={t('Cancel')} />
        </>
      ) : (
        <>
          <p class="invitation">{t('Drop a spreadsheet here')}</p>
          <label class="file">
            <span class="button primary" aria-hidden="true">
              {t('Choose a file')}
            </span>
            <input
              type="file"
              aria-label={t('Spreadsheet')}
              onChange={(event) => {
                void take(event.currentTarget.files?.[0]);
                // The same file can be chosen again.
                event.currentTarget.value = '';
              }}
            />
          </label>
          <p class="soft">
            {t(
              'CSV, Excel, OpenDocument, JSON Lines or Parquet, of any size. It stays on this machine.',
            )}
          </p>
        </>
      )}
      {problem.value && <ProblemNote problem={problem.value} />}
    </div>
  );
}

/**
 * Sends a file in pieces, which the browser reads as they go. `fetch` does not show how much has been sent.
 * @throws CallError with what the server says
 */
function upload(
  list: string,
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Answer<'PUT /api/lists/:list/file'>> {
  const request = new XMLHttpRequest();
  request.open('PUT', `/api/lists/${list}/file`);
  request.responseType = 'json';
  request.setRequestHeader('x-cardline-session', session.value ?? '');
  request.setRequestHeader('accept-language', language);
  request.setRequestHeader('content-type', 'application/octet-stream');
  request.upload.onprogress = ({ loaded }) => onProgress(loaded / Math.max(1, file.size));
  signal.addEventListener('abort', () => request.abort(), { once: true });
  return new Promise((resolve, reject) => {
    request.onload = () => {
      // The server has checked it by the same table.
      const answer = request.response as Answer<'PUT /api/lists/:list/file'>;
      if (request.status === 200) resolve(answer);
      // A browser sends it again by itself where the connection was lost, while its list is being removed.
      else if (LOST.includes(request.status)) reject(brokenOff());
      else
        void problemIn({ status: request.status, json: () => Promise.resolve(answer) }).then(
          reject,
        );
    };
    request.onerror = () => reject(brokenOff());
    request.onabort = () => reject(new DOMException('stopped', 'AbortError'));
    request.send(file);
  });
}

/** There is no such list, or no such file any more. */
const LOST = [404, 410];

const brokenOff = (): CallError => new CallError(0, ownProblem('broken_off'));

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
  // One after another: an answer to an earlier choice is not to stand in place of a later one.
  const changes = useRef(Promise.resolve());
  const change = (body: Partial<SourceChoice>): void => {
    const ask = () => show(call('PATCH /api/lists/:list/source', { params: { list }, body }));
    changes.current = changes.current.then(ask);
  };

  const found = preview.value;
  if (!found) return <NotReady title={t('Your list')} problem={problem.value} />;
  const { likeLast, bytes, name, command } = found.list;
  return (
    <StepFrame
      title={name}
      facts={[
        found.formatName + (found.packing === null ? '' : ` (${found.packing})`),
        size(bytes),
        ...(likeLast ? [t('set up like the last file with these columns')] : []),
      ]}
      command={command}
      back={() => go({ kind: 'start' })}
      primary={nextOf(found)}
    >
      {problem.value && <ProblemNote problem={problem.value} />}
      <EncodingDoubt preview={found} onChange={change} />
      <Sheets preview={found} onChange={change} />
      <Found preview={found} list={list} onChange={change} />
      <Made />
      <CenterOffer />
      {found.headerProblem !== null && (
        <div class="problem" role="alert">
          <p>
            {found.header.length > 0 && <strong>{t('This header cannot be used.')}</strong>}{' '}
            {found.headerProblem}
          </p>
        </div>
      )}
      {found.rows.length === 0 && found.header.length > 0 && (
        <p class="notice">{t('There are no rows below the header.')}</p>
      )}
      {(found.rows.length > 0 || found.above.length > 0) && (
        <RowTable preview={found} onChange={change} />
      )}
    </StepFrame>
  );
}

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

/** Two encodings make sense: the person sees which word is right. */
function EncodingDoubt({ preview, onChange }: PreviewProps): JSX.Element | null {
  const { doubt, encoding } = preview;
  if (!doubt) return null;
  const question = t('The encoding is not sure. Which word is right?');
  const choices = [
    [encoding ?? '', doubt.word],
    [doubt.runnerUp, doubt.otherWord],
  ] as const;
  return (
    <div class="notice" role="group" aria-label={question}>
      <p>{question}</p>
      <p class="buttons">
        {choices.map(([label, shown]) => (
          <button type="button" onClick={() => onChange({ encoding: label })}>
            {shown} <span class="soft">{label}</span>
          </button>
        ))}
      </p>
    </div>
  );
}

interface PreviewProps {
  readonly preview: Preview;
  readonly onChange: (change: Partial<SourceChoice>) => void;
}

const isFixed = (): boolean => about.value?.readOnly ?? true;

/** The sheets of a workbook. Those that are read together are pressed together. */
function Sheets({ preview, onChange }: PreviewProps): JSX.Element | null {
  const { sheets } = preview;
  if (sheets.length < 2) return null;
  return (
    <div class="tabs" role="group" aria-label={t('Sheet')}>
      {sheets.map(({ name, isHidden, isRead }) => (
        <button
          type="button"
          aria-pressed={isRead}
          disabled={isFixed()}
          onClick={() => onChange({ sheet: name })}
        >
          {name} {isHidden && <span class="soft">{t('hidden')}</span>}
        </button>
      ))}
    </div>
  );
}

/** What was found, in one line; how it is read is asked only of those who want it otherwise. */
function Found({ preview, list, onChange }: PreviewProps & StepProps): JSX.Element {
  // How far the rows go is counted anew whenever the file is read otherwise.
  const [counted, problem] = [useSignal<Extent | null>(null), useSignal<PageProblem | null>(null)];
  const key = JSON.stringify(preview.list.source);
  useEffect(() => {
    counted.value = problem.value = null;
  }, [list, key]);
  useEvents('GET /api/lists/:list/extent', { list }, key, {
    next: (value) => (counted.value = value),
    failed: (found) => (problem.value = found),
  });
  const extent = problem.value ? null : counted.value;
  const rows = extent?.isWhole === true ? extent.rows : preview.count;
  const { sheets = [], sheet = null } = extent?.continuation ?? {};
  return (
    <>
      <div class="found">
        <p role="status">
          {rows === null ? (
            extent && t('{1:row|rows} so far…', extent.rows)
          ) : (
            <strong>
              {t('{1:row|rows}', rows)}, {t('{1:column|columns}', preview.header.length)}
            </strong>
          )}
        </p>
        <p class="soft">{foundWords(preview, extent?.totals ?? []).join(' · ')}</p>
        {(preview.headerRow !== null || preview.encoding !== null) && (
          <details>
            <summary>{t('Read it otherwise')}</summary>
            <SourceChoices preview={preview} onChange={onChange} />
          </details>
        )}
      </div>
      {problem.value && <ProblemNote problem={problem.value} />}
      {sheets.length > 0 && (
        <div class="notice">
          <p>{t('The list goes on, with the same columns: {1}', sheets.join(', '))}</p>
          {sheet !== null && !isFixed() && (
            <Button
              onClick={() => onChange({ sheet })}
              label={t('Read all {1} sheets', sheets.length + 1)}
            />
          )}
        </div>
      )}
    </>
  );
}

function foundWords(preview: Preview, totals: readonly number[]): string[] {
  const { headerRow, isJoined, above, encoding, delimiter } = preview;
  const isRow = typeof headerRow === 'number';
  const leftOut = isRow ? above.filter(({ row }) => row < headerRow).length - Number(isJoined) : 0;
  return [
    ...(isRow ? [t('header in row {1}', headerRow)] : []),
    ...(headerRow === NO_HEADER ? [t('no header')] : []),
    ...(leftOut > 0 ? [t('{1:row|rows} above it left out', leftOut)] : []),
    ...totals.map((row) => t('row {1} looks like a total', row)),
    ...(encoding === null ? [] : [encoding.toUpperCase()]),
    ...(delimiter === null ? [] : [delimiterName(delimiter)]),
  ];
}

/** Rows of a spreadsheet with their numbers. Cells are text, whatever they hold. Each row can be made the header. */
function RowTable({ preview, onChange }: PreviewProps): JSX.Element {
  const { header, headerRow, above, rows } = preview;
  const mayChoose = headerRow !== null && !isFixed() && about.value?.mask !== true;
  const all = [...above, ...rows];
  const isNamed = all.some(({ row }) => row === headerRow);
  const choose = (row: number): void => {
    // A text that is being selected is no choice.
    if (mayChoose && row !== headerRow && getSelection()?.isCollapsed !== false)
      onChange({ headerRow: row });
  };
  const number = (row: number): JSX.Element =>
    mayChoose ? (
      <button
        type="button"
        class="plain"
        tabIndex={row === (isNamed ? headerRow : all[0]?.row) ? 0 : -1}
        aria-pressed={row === headerRow}
        aria-label={row === headerRow ? undefined : t('Row {1}: take as the header', row)}
      >
        {row === headerRow && `${t('Header')} `}
        {row}
      </button>
    ) : (
      <>{row}</>
    );
  const caption = t('First rows: {1}', rows.length);
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
        <table class={mayChoose ? 'rows choosing' : 'rows'}>
          <caption class="hidden">{caption}</caption>
          {!isNamed && <Heads of={[numbers(t('Row')), ...header]} />}
          <tbody onKeyDown={moveAmongRows}>
            {all.map(({ row, cells }) => (
              <tr
                key={row}
                class={
                  row === headerRow ? 'names' : isNamed && row < Number(headerRow) ? 'above' : ''
                }
                onClick={() => choose(row)}
              >
                <th scope="row" class="number">
                  {number(row)}
                </th>
                {header.map((name, column) =>
                  row === headerRow ? <th scope="col">{name}</th> : <td>{cells[column]}</td>,
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {mayChoose && <p class="soft">{t('Is another row the header? Click it.')}</p>}
    </>
  );
}

/** Up and down lead from row to row. */
function moveAmongRows(event: KeyboardEvent): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined || !(event.currentTarget instanceof HTMLElement)) return;
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  if (at < 0) return;
  event.preventDefault();
  buttons[at + by]?.focus();
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

/** How the file is read. What a format does not have is not asked for. */
function SourceChoices({ preview, onChange }: PreviewProps): JSX.Element {
  const { encoding, delimiter, headerRow, doubt } = preview;
  const { source } = preview.list;
  const disabled = isFixed();
  const orAuto = (value: string): string | null => (value === AUTO ? null : value);
  const encodings = [...(doubt ? [doubt.runnerUp] : []), ...ENCODINGS, encoding ?? 'utf-8'];
  return (
    <div class="fields" role="group" aria-label={t('Read as')}>
      {headerRow !== null && preview.header.length > 0 && (
        <Select
          label={t('Header')}
          value={source.headerRow === null ? AUTO : String(headerRow)}
          // A click on a row chooses another header; here it is found out again, or there is none.
          choices={[
            { value: AUTO, label: t('found by what the rows hold') },
            ...(typeof source.headerRow === 'number'
              ? [{ value: String(source.headerRow), label: t('Row {1}', String(source.headerRow)) }]
              : []),
            { value: NO_HEADER, label: t('No header') },
          ]}
          disabled={disabled}
          onChoose={(value) => {
            const row = value === NO_HEADER ? NO_HEADER : Number(value);
            onChange({ headerRow: value === AUTO ? null : row });
          }}
        />
      )}
      {encoding !== null && (
        <Select
          label={t('Encoding')}
          value={source.encoding ?? AUTO}
          choices={withFound(encoding, source.encoding, [...new Set(encodings)])}
          disabled={disabled}
          onChoose={(value) => onChange({ encoding: orAuto(value) })}
        />
      )}
      {delimiter !== null && (
        <Select
          label={t('Delimiter')}
          value={source.delimiter ?? AUTO}
          choices={withFound(delimiter, source.delimiter, Object.keys(DELIMITERS), delimiterName)}
          disabled={disabled}
          onChoose={(value) => onChange({ delimiter: orAuto(value) })}
        />
      )}
    </div>
  );
}

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
