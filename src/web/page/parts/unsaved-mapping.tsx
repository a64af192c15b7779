import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PageProblem } from '../../shared/errors.js';
import { checkText } from '../messages/check.js';
import { columnsText } from '../messages/columns.js';
import { about } from '../state/about.js';
import { guardLeaving } from '../state/address.js';
import { call } from '../state/call.js';
import { t } from '../state/language.js';
import { problemOf } from '../state/problem.js';
import { shownList } from '../state/reached.js';
import { Link } from './link.js';
import { ProblemNote } from './problem-note.js';

interface UnsavedMappingProps {
  readonly list: string;
  /** Whether a rule has just been made: then one that has no name yet is spoken of too. */
  readonly hasRule?: boolean;
  readonly onSaved?: () => void;
}

/** Says that the mapping of a name lacks what was changed in this list, saves it, and asks before the list is left. */
export function UnsavedMapping(props: UnsavedMappingProps): JSX.Element | null {
  const { list, hasRule = false, onSaved } = props;
  const problem = useSignal<PageProblem | null>(null);
  const shown = shownList.value;
  const isOpen = shown?.id === list && shown.isUnsaved && about.value?.readOnly === false;
  const name = isOpen ? shown.mapping : null;
  useEffect(() => {
    if (name === null) return;
    const question = `${t(columnsText.notIn, name)} ${t(columnsText.anyway)}`;
    guardLeaving((to) => (to.kind === 'list' && to.list === list) || confirm(question), false);
    return () => guardLeaving(null);
  }, [list, name]);
  if (name === null)
    return isOpen && hasRule ? (
      <p class="notice">
        {t(columnsText.keptHere)}{' '}
        <Link to={{ kind: 'list', list, step: 'columns' }}>{t(checkText.toColumns)}</Link>
      </p>
    ) : null;
  const save = async (): Promise<void> => {
    const body = { revision: null, name, overwrite: true };
    try {
      const saved = await call('POST /api/lists/:list/mapping/save', { params: { list }, body });
      shownList.value = saved.list;
      onSaved?.();
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
  return (
    <div class="notice">
      <p>{t(columnsText.notIn, name)}</p>
      {problem.value && <ProblemNote problem={problem.value} />}
      <button type="button" onClick={() => void save()}>
        {t(columnsText.save)}: {name}
      </button>
    </div>
  );
}
