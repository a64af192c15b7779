import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { PageProblem } from '../../../shared/errors.js';
import { fileText } from '../../messages/file.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { go } from '../../state/address.js';
import { call } from '../../state/call.js';
import { t } from '../../state/language.js';
import { problemOf } from '../../state/problem.js';
import { upload } from '../../state/upload.js';
import { UploadProgress } from './upload-progress.js';

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
