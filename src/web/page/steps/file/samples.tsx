import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { PageProblem } from '../../../shared/errors.js';
import { fileText } from '../../messages/file.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { about } from '../../state/about.js';
import { go } from '../../state/address.js';
import { call } from '../../state/call.js';
import { size, t } from '../../state/language.js';
import { problemOf } from '../../state/problem.js';

/** The samples, where the sandbox is used. */
export function Samples(): JSX.Element | null {
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
      <h2>{t(fileText.samples)}</h2>
      <ul class="tiles">
        {samples.map(({ name, bytes }) => (
          <li>
            <button type="button" class="tile" onClick={() => void take(name)}>
              <span>{name}</span> <span class="soft">{size(bytes)}</span>
            </button>
          </li>
        ))}
      </ul>
      {problem.value && <ProblemNote problem={problem.value} />}
    </section>
  );
}
