import type { JSX } from 'preact';
import { StepFrame } from '../../frame/step-frame.js';
import { about } from '../../state/about.js';
import { t, size, dateTime, language } from '../../state/language.js';
import { useSignal } from '@preact/signals';
import type { PageProblem, List, Answer } from '../../state/answers.js';
import { ProblemNote, Link, Loaded, stepText, Button } from '../../parts/parts.js';
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
} from '../../state/call.js';
import { useEffect, useRef } from 'preact/hooks';

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
  const load = async (signal: AbortSignal): Promise<List[]> =>
    (await call('GET /api/lists', { signal })).lists.filter(
      ({ complete, isDone }) => complete && !isDone,
    );
  const lists = useAsked(load, '');
  const remove = (list: string): Promise<unknown> =>
    attempt(() => call('DELETE /api/lists/:list', { params: { list } })).then(lists.again);
  return (
    <section>
      <h2>{t('Recent lists')}</h2>
      {problem.value && <ProblemNote problem={problem.value} />}
      <Loaded of={lists}>
        {(found) =>
          found.length === 0 ? (
            <p class="soft">{t('No list is under way.')}</p>
          ) : (
            <ul class="lists">
              {found.map((list) => (
                <RecentList key={list.id} list={list} onRemove={() => void remove(list.id)} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

interface RecentListProps {
  readonly list: List;
  readonly onRemove: () => void;
}

const RecentList = ({ list, onRemove }: RecentListProps): JSX.Element => (
  <li>
    <Link to={{ kind: 'list', list: list.id, step: list.step }}>{list.name}</Link>
    <span class="soft">
      {t(stepText[list.step])} · {size(list.bytes)} · {dateTime(list.createdAt)}
    </span>
    {about.value?.readOnly === false && (
      <Button
        class="plain"
        aria-label={t('Delete {1}', list.name)}
        title={t('Delete {1}', list.name)}
        onClick={onRemove}
        label="×"
      />
    )}
  </li>
);

interface Uploading {
  readonly name: string;
  readonly share: number;
}

/** Where a file is dropped or chosen. It is copied to a private folder of the server. */
function Chooser(): JSX.Element {
  const uploading = useSignal<Uploading | null>(null);
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

  const drop = (event: DragEvent): void => {
    event.preventDefault();
    isOver.value = false;
    void take(event.dataTransfer?.files[0]);
  };
  const over = (event: DragEvent): void => {
    event.preventDefault();
    isOver.value = true;
  };

  return (
    <div
      class={isOver.value ? 'drop over' : 'drop'}
      onDragOver={over}
      onDragLeave={() => (isOver.value = false)}
      onDrop={drop}
    >
      {uploading.value ? (
        <UploadProgress {...uploading.value} onCancel={() => stop.current.abort()} />
      ) : (
        <FileInput onChoose={(file) => void take(file)} />
      )}
      {problem.value && <ProblemNote problem={problem.value} />}
    </div>
  );
}

const FileInput = ({ onChoose }: { readonly onChoose: (file: File | undefined) => void }) => (
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
          onChoose(event.currentTarget.files?.[0]);
          // The same file can be chosen again.
          event.currentTarget.value = '';
        }}
      />
    </label>
    <p class="soft">
      {t('CSV, Excel, OpenDocument, JSON Lines or Parquet, of any size. It stays on this machine.')}
    </p>
  </>
);

interface UploadProgressProps {
  readonly name: string;
  readonly share: number;
  readonly onCancel: () => void;
}

/** How much of a file has been copied. Read out in tenths alone. */
const UploadProgress = ({ name, share, onCancel }: UploadProgressProps): JSX.Element => (
  <>
    <p class="invitation">{t('Copying {1}', name)}</p>
    <progress max={1} value={share} aria-label={t('Copying {1}', name)} />
    <p class="soft" role="status">
      {t('{1:percent} copied', Math.floor(share * 10) / 10)}
    </p>
    <Button onClick={onCancel} label={t('Cancel')} />
  </>
);

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
