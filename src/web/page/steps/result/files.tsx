import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { PageProblem } from '../../../shared/errors.js';
import type { Result } from '../../../shared/result.js';
import { resultText } from '../../messages/result.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { about } from '../../state/about.js';
import { download } from '../../state/download.js';
import { t } from '../../state/language.js';
import { problemOf } from '../../state/problem.js';

interface FilesProps {
  readonly result: Result;
  readonly onMend: (file: string) => void;
}

/** The rejects, to download or to mend right here, and the reports in all formats. */
export function Files({ result, onMend }: FilesProps): JSX.Element {
  const { run, rejects, reports, isTakenBack } = result;
  const problem = useSignal<PageProblem | null>(null);
  const take = (file: string): void => {
    problem.value = null;
    download(`/api/runs/${run}/files/${file}`).catch((error: unknown) => {
      problem.value = problemOf(error);
    });
  };
  if (about.value?.mask === true) return <p class="soft hidden-files">{t(resultText.masked)}</p>;
  return (
    <>
      {problem.value && <ProblemNote problem={problem.value} />}
      {rejects.length > 0 && (
        <section>
          <h2>{t(resultText.rejects)}</h2>
          <p class="soft">{t(resultText.rejectsWhat)}</p>
          {rejects.map(({ id, name, bytes }) => (
            <p class="buttons" key={id}>
              <button type="button" onClick={() => take(id)}>
                {t(resultText.download, name, bytes ?? 0)}
              </button>
              {about.value?.readOnly === false && !isTakenBack && (
                <button type="button" onClick={() => onMend(id)}>
                  {t(resultText.mend)}
                </button>
              )}
            </p>
          ))}
        </section>
      )}
      <section>
        <h2>{t(resultText.reports)}</h2>
        <p class="soft">{t(resultText.reportsWhat)}</p>
        <p class="buttons">
          {reports.map(({ id, name }) => (
            <button type="button" key={id} title={name} onClick={() => take(id)}>
              {id.replace(/^report\./, '').toUpperCase()}
            </button>
          ))}
        </p>
      </section>
    </>
  );
}
