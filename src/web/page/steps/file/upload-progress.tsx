import type { JSX } from 'preact';
import { fileText } from '../../messages/file.js';
import { t } from '../../state/language.js';

interface UploadProgressProps {
  readonly name: string;
  readonly share: number;
  readonly onCancel: () => void;
}

/** How much of a file has been copied. Read out in tenths alone. */
export const UploadProgress = ({ name, share, onCancel }: UploadProgressProps): JSX.Element => (
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
