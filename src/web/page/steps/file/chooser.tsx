import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { PageProblem } from '../../../shared/route.js';
import { fileText } from '../../messages/file.js';
import { ProblemNote } from '../../parts/parts.js';
import { go } from '../../state/address.js';
import { call, CallError, problemIn, problemOf, session } from '../../state/call.js';
import { t, language } from '../../state/language.js';
import type { Answer } from '../../../shared/routes.js';
import { ownProblem } from '../../messages/own-problems.js';

interface Uploading {
  readonly name: string;
  readonly share: number;
}

/** Where a file is dropped or chosen. It is copied to a private folder of the server. */
export function Chooser(): JSX.Element {
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
    <p class="invitation">{t(fileText.drop)}</p>
    <label class="file">
      <span class="button primary" aria-hidden="true">
        {t(fileText.choose)}
      </span>
      <input
        type="file"
        aria-label={t(fileText.label)}
        onChange={(event) => {
          onChoose(event.currentTarget.files?.[0]);
          // The same file can be chosen again.
          event.currentTarget.value = '';
        }}
      />
    </label>
    <p class="soft">{t(fileText.formats)}</p>
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
    <p class="invitation">{t(fileText.uploading, name)}</p>
    <progress max={1} value={share} aria-label={t(fileText.uploading, name)} />
    <p class="soft" role="status">
      {t(fileText.uploaded, Math.floor(share * 10) / 10)}
    </p>
    <button type="button" onClick={onCancel}>
      {t(fileText.cancel)}
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
