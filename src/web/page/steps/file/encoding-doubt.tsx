import type { JSX } from 'preact';
import { fileText } from '../../messages/file.js';
import { t } from '../../state/language.js';

interface EncodingDoubtProps {
  readonly encoding: string;
  readonly word: string;
  readonly runnerUp: string;
  readonly otherWord: string;
  readonly onChoose: (encoding: string) => void;
}

/** Two encodings make sense: the person sees which word is right. */
export function EncodingDoubt(props: EncodingDoubtProps): JSX.Element {
  const { encoding, word, runnerUp, otherWord, onChoose } = props;
  const choices = [
    [encoding, word],
    [runnerUp, otherWord],
  ] as const;
  return (
    <div class="notice" role="group" aria-label={t(fileText.doubt)}>
      <p>{t(fileText.doubt)}</p>
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
