import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { PageProblem } from '../../../shared/errors.js';
import type { Answer } from '../../../shared/routes.js';
import type { InstallationDraft } from '../../../shared/setup.js';
import { setupText } from '../../messages/setup.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { call } from '../../state/call.js';
import { t } from '../../state/language.js';
import { problemOf } from '../../state/problem.js';
import { Lines, Line } from './form-fields.js';

interface InstallationFormProps {
  /** Path of the file that is written. */
  readonly file: string;
  readonly onMade: (made: Answer<'POST /api/setup/installation'>) => void;
}

/** What an installation file is drafted from. */
export function InstallationForm({ file, onMade }: InstallationFormProps): JSX.Element {
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
      <Line name="url" isAddress label={setupText.url} hint={setupText.urlHint} required />
      <fieldset>
        <legend>{t(setupText.credentials)}</legend>
        <p class="soft">{t(setupText.credentialsWhy)}</p>
        <div class="fields">
          <Line
            name="header"
            value="Authorization"
            label={setupText.header}
            hint={setupText.headerHint}
          />
          <Line name="scheme" value="Bearer" label={setupText.scheme} />
          <Line
            name="variable"
            value="CC_TOKEN"
            label={setupText.variable}
            pattern="[A-Za-z_]\w*"
          />
        </div>
      </fieldset>
      <Lines name="ids" label={setupText.ids} why={setupText.idsWhy} required />
      <Lines name="fields" label={setupText.fields} why={setupText.fieldsWhy} />
      {problem.value && <ProblemNote problem={problem.value} />}
      <p class="soft">{t(setupText.file, file)}</p>
      <button type="submit" class="primary" aria-disabled={isMaking.value}>
        {t(isMaking.value ? setupText.making : setupText.make)}
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
