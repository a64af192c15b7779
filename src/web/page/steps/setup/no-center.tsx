import { signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { PageProblem } from '../../../shared/errors.js';
import type { Answer } from '../../../shared/routes.js';
import { CommandLine } from '../../frame/command-line.js';
import { setupText } from '../../messages/setup.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { about, loadAbout } from '../../state/about.js';
import { call } from '../../state/call.js';
import { t } from '../../state/language.js';
import { problemOf } from '../../state/problem.js';
import { InstallationForm } from './installation-form.js';

type MadeFile = Answer<'POST /api/setup/installation'>;

/** The file that was made while the page is open. */
const made = signal<MadeFile | null>(null);

/** No contact center yet: the sandbox, or one that is described here. */
export function NoCenter(): JSX.Element {
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
      <h2 id="setup">{t(setupText.title)}</h2>
      <p>{t(setupText.why)}</p>
      {readOnly || setup === null ? (
        <p>{t(setupText.readOnly)}</p>
      ) : (
        <>
          <p>
            <button type="button" onClick={() => void trySandbox()}>
              {t(setupText.sandbox)}
            </button>{' '}
            <span class="soft">{t(setupText.sandboxWhy)}</span>
          </p>
          {problem.value && <ProblemNote problem={problem.value} />}
          <details>
            <summary>{t(setupText.describe)}</summary>
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
export function Made(): JSX.Element | null {
  if (!made.value) return null;
  const { file, fields, missing } = made.value;
  return (
    <div class="notice" role="status">
      <p>
        <strong>{t(setupText.made, file, fields)}</strong> {t(setupText.look)}
      </p>
      {missing.map((variable) => (
        <p>{t(setupText.missing, variable)}</p>
      ))}
      {missing.length > 0 && <CommandLine command={`cardline ui -i ${file}`} />}
    </div>
  );
}
