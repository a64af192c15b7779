import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { PageProblem } from '../../../shared/errors.js';
import type { List } from '../../../shared/list.js';
import { fileText } from '../../messages/file.js';
import { stepText } from '../../messages/frame.js';
import { Link } from '../../parts/link.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Waiting } from '../../parts/waiting.js';
import { about } from '../../state/about.js';
import { call } from '../../state/call.js';
import { dateTime, size, t } from '../../state/language.js';
import { useLoaded } from '../../state/loaded.js';
import { problemOf } from '../../state/problem.js';

/** The lists that were begun: nothing of a closed tab is lost. What has been imported is in the history. */
export function Recent(): JSX.Element {
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
      <h2>{t(fileText.recent)}</h2>
      {problem.value && <ProblemNote problem={problem.value} />}
      {found.state === 'loading' && <Waiting />}
      {found.state === 'failed' && <ProblemNote problem={found.problem} />}
      {found.state === 'ready' && found.value.length === 0 && (
        <p class="soft">{t(fileText.emptyRecent)}</p>
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
        aria-label={t(fileText.remove, list.name)}
        title={t(fileText.remove, list.name)}
        onClick={onRemove}
      >
        ×
      </button>
    )}
  </li>
);
