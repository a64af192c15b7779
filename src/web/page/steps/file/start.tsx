import type { JSX } from 'preact';
import { StepFrame, CommandLine } from '../../frame/step-frame.js';
import { about, loadAbout } from '../../state/about.js';
import { t, size, dateTime, language } from '../../state/language.js';
import { useSignal, signal } from '@preact/signals';
import type { PageProblem } from '../../../shared/route.js';
import { ProblemNote, Link, Waiting, stepText } from '../../parts/parts.js';
import { go } from '../../state/address.js';
import {
  call,
  problemOf,
  useLoaded,
  CallError,
  problemIn,
  session,
  ownProblem,
} from '../../state/call.js';
import type { List } from '../../../shared/list.js';
import type { Answer } from '../../../shared/routes.js';
import type { InstallationDraft } from '../../../shared/about.js';
import { useEffect, useRef } from 'preact/hooks';

/** The beginning: choose a file, take a sample, or go on with a list. */
export function StartView(): JSX.Element {
  return (
    <StepFrame title={t('Your list')}>
      {about.value?.center === null && <NoCenter />}
      <Made />
      {about.value?.readOnly === false && (
        <>
          <Chooser />
          <Samples />
        </>
      )}
      <Recent />
    </StepFrame>
  );
}

/** The samples, where the sandbox is used. */
function Samples(): JSX.Element | null {
  const problem = useSignal<PageProblem | null>(null);
  const samples = about.value?.samples ?? [];
  if (samples.length === 0) return null;
  const take = async (sample: string): Promise<void> => {
    try {
      const { id } = await call('POST /api/lists', { body: { sample } });
      go({ kind: 'list', list: id, step: 'file' });
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
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

/** What a sample shows. */
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
  const version = useSignal(0);
  const problem = useSignal<PageProblem | null>(null);
  const load = async (signal: AbortSignal): Promise<List[]> =>
    (await call('GET /api/lists', { signal })).lists.filter(
      ({ complete, isDone }) => complete && !isDone,
    );
  const found = useLoaded(load, String(version.value)).value;
  const remove = async (list: string): Promise<void> => {
    try {
      await call('DELETE /api/lists/:list', { params: { list } });
      problem.value = null;
    } catch (error) {
      problem.value = problemOf(error);
    }
    version.value++;
  };
  return (
    <section>
      <h2>{t('Recent lists')}</h2>
      {problem.value && <ProblemNote problem={problem.value} />}
      {found.state === 'loading' && <Waiting />}
      {found.state === 'failed' && <ProblemNote problem={found.problem} />}
      {found.state === 'ready' && found.value.length === 0 && (
        <p class="soft">{t('No list is under way.')}</p>
      )}
      {found.state === 'ready' && found.value.length > 0 && (
        <ul class="lists">
          {found.value.map((list) => (
            <RecentList key={list.id} list={list} onRemove={() => void remove(list.id)} />
          ))}
        </ul>
      )}
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
      <button
        type="button"
        class="plain"
        aria-label={t('Delete {1}', list.name)}
        title={t('Delete {1}', list.name)}
        onClick={onRemove}
      >
        ×
      </button>
    )}
  </li>
);

type MadeFile = Answer<'POST /api/setup/installation'>;

/** The file that was made while the page is open. */
const made = signal<MadeFile | null>(null);

/** No contact center yet: the sandbox, or one that is described here. */
function NoCenter(): JSX.Element {
  const problem = useSignal<PageProblem | null>(null);
  const { readOnly = true, setup = null } = about.value ?? {};
  const trySandbox = async (): Promise<void> => {
    try {
      await call('POST /api/setup/sandbox', {});
      await loadAbout();
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
  return (
    <section class="setup" aria-labelledby="setup">
      <h2 id="setup">{t('Which contact center is it about?')}</h2>
      <p>{t('None is described yet. Files can be looked at, and nothing can be sent.')}</p>
      {readOnly || setup === null ? (
        <p>{t('Start cardline with “-i FILE”, or with “--sandbox”.')}</p>
      ) : (
        <>
          <p>
            <button type="button" onClick={() => void trySandbox()}>
              {t('Try it in a sandbox')}
            </button>{' '}
            <span class="soft">
              {t('A contact center of your own on this machine, with samples. Nobody is called.')}
            </span>
          </p>
          {problem.value && <ProblemNote problem={problem.value} />}
          <details>
            <summary>{t('Describe yours')}</summary>
            <InstallationForm
              file={setup}
              onMade={(file) => {
                made.value = file;
                void loadAbout();
              }}
            />
          </details>
        </>
      )}
    </section>
  );
}

/** What was made, and what is to be done before it is of use. */
function Made(): JSX.Element | null {
  if (!made.value) return null;
  const { file, fields, missing } = made.value;
  return (
    <div class="notice" role="status">
      <p>
        <strong>{t('{1} is written, with {2:field|fields}.', file, fields)}</strong>{' '}
        {t(
          'Look at the lines that are marked with “Check”: the contact center does not show which fields are required, nor what a choice allows.',
        )}
      </p>
      {missing.map((variable) => (
        <p>
          {t(
            'Before anything can be sent, set the variable {1} in the terminal and start cardline again:',
            variable,
          )}
        </p>
      ))}
      {missing.length > 0 && <CommandLine command={`cardline ui -i ${file}`} />}
    </div>
  );
}

interface InstallationFormProps {
  /** Path of the file that is written. */
  readonly file: string;
  readonly onMade: (made: Answer<'POST /api/setup/installation'>) => void;
}

/** What an installation file is drafted from. */
function InstallationForm({ file, onMade }: InstallationFormProps): JSX.Element {
  const problem = useSignal<PageProblem | null>(null);
  const isMaking = useSignal(false);
  const make = async (form: HTMLFormElement): Promise<void> => {
    if (isMaking.value) return;
    isMaking.value = true;
    problem.value = null;
    try {
      onMade(await call('POST /api/setup/installation', { body: draftIn(new FormData(form)) }));
    } catch (error) {
      problem.value = problemOf(error);
    } finally {
      isMaking.value = false;
    }
  };
  return (
    <form
      class="installation"
      onSubmit={(event) => {
        event.preventDefault();
        void make(event.currentTarget);
      }}
    >
      <Line
        name="url"
        isAddress
        label={t('Address')}
        hint={t('such as https://cc.example.com')}
        required
      />
      <fieldset>
        <legend>{t('Credentials')}</legend>
        <p class="soft">
          {t(
            'They are taken from a variable of the environment in which cardline runs. They reach neither this page nor the file.',
          )}
        </p>
        <div class="fields">
          <Line
            name="header"
            value="Authorization"
            label={t('Header of requests')}
            hint={t('empty: no credentials')}
          />
          <Line name="scheme" value="Bearer" label={t('Word before them')} />
          <Line name="variable" value="CC_TOKEN" label={t('Variable')} pattern="[A-Za-z_]\w*" />
        </div>
      </fieldset>
      <Lines
        name="ids"
        label={t('Synchronization identifiers')}
        why={t(
          'One a line, such as offerId. With the values of a client that exists, offerId=7, the fields of the card are read from it; nothing is changed.',
        )}
        required
      />
      <Lines
        name="fields"
        label={t('Other fields of the card')}
        why={t(
          'One a line, such as fullName or budget:Number. Those that were read need not be named.',
        )}
      />
      {problem.value && <ProblemNote problem={problem.value} />}
      <p class="soft">{t('It becomes {1}.', file)}</p>
      <button type="submit" class="primary" aria-disabled={isMaking.value}>
        {t(isMaking.value ? 'Asking the contact center…' : 'Write the installation file')}
      </button>
    </form>
  );
}

function draftIn(form: FormData): InstallationDraft {
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const lines = (name: string): string[] =>
    text(name)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  const name = text('header');
  return {
    url: text('url'),
    header: name === '' ? null : { name, scheme: text('scheme'), variable: text('variable') },
    ids: lines('ids').map((line) => {
      const [id = '', ...value] = line.split('=');
      return { name: id.trim(), value: value.join('=').trim() };
    }),
    fields: lines('fields'),
  };
}

interface LineProps {
  readonly name: string;
  readonly label: string;
  readonly isAddress?: boolean;
  readonly value?: string;
  /** Shown while it is empty. */
  readonly hint?: string;
  readonly required?: boolean;
  readonly pattern?: string;
}

/** A line of text. The form keeps it. */
const Line = ({ label, hint, value, isAddress, ...rest }: LineProps): JSX.Element => (
  <label class="field">
    <span>{label}</span>
    <input
      {...rest}
      inputMode={isAddress === true ? 'url' : 'text'}
      defaultValue={value}
      placeholder={hint}
      spellcheck={false}
      autocomplete="off"
    />
  </label>
);

interface LinesProps {
  readonly name: string;
  readonly label: string;
  /** What belongs there. */
  readonly why: string;
  readonly required?: boolean;
}

/** Several lines of text. */
const Lines = ({ label, why, name, required = false }: LinesProps): JSX.Element => (
  <div class="lines">
    <label for={name}>{label}</label>
    <p class="soft" id={`${name}-why`}>
      {why}
    </p>
    <textarea
      id={name}
      name={name}
      rows={3}
      required={required}
      spellcheck={false}
      aria-describedby={`${name}-why`}
    />
  </div>
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
    <p class="invitation">{t('Drop a spreadsheet here, or')}</p>
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
    <button type="button" onClick={onCancel}>
      {t('Cancel')}
    </button>
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
