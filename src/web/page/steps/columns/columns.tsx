import type { JSX } from 'preact';
import type { Columns } from '../../../shared/columns.js';
import { StepFrame, type PrimaryAction } from '../../frame/step-frame.js';
import { columnsText } from '../../messages/columns.js';
import { fileText } from '../../messages/file.js';
import { Link } from '../../parts/link.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Waiting } from '../../parts/waiting.js';
import { about } from '../../state/about.js';
import { go } from '../../state/address.js';
import { t } from '../../state/language.js';
import type { StepProps } from '../step-props.js';
import { Cards } from './cards.js';
import { ColumnTable } from './column-table.js';
import { type Editing, useEditing } from './editing.js';
import { ForAll } from './for-all.js';
import { MappingBar } from './mapping-bar.js';
import { MissingNotes } from './missing.js';
import { targetName } from './target-words.js';
import { YamlEditor } from './yaml-editor.js';

/** What each column becomes, with the mapping as text beside it. Both are one: a change of one is a change of the other. */
export function ColumnsView({ list }: StepProps): JSX.Element {
  const editing = useEditing(list);
  const columns = editing.shown.value;
  if (!columns) return <NotReady editing={editing} />;
  const canEdit = about.value?.readOnly !== true;
  return (
    <StepFrame
      title={columns.list.name}
      facts={factsOf(columns)}
      command={columns.list.command}
      back={() => go({ kind: 'list', list, step: 'file' })}
      primary={nextOf(columns, editing)}
    >
      {editing.problem.value && !editing.isConflict.value && (
        <ProblemNote problem={editing.problem.value} />
      )}
      <MappingBar columns={columns} editing={editing} canEdit={canEdit} />
      <MissingNotes columns={columns} editing={editing} canEdit={canEdit && !columns.isBroken} />
      <ForAll columns={columns} editing={editing} canEdit={canEdit && !columns.isBroken} />
      <div class="mapping">
        <ColumnTable columns={columns} editing={editing} canEdit={canEdit && !columns.isBroken} />
        <YamlEditor columns={columns} editing={editing} canEdit={canEdit} />
      </div>
      <Cards columns={columns} />
    </StepFrame>
  );
}

function NotReady({ editing }: { readonly editing: Editing }): JSX.Element {
  const problem = editing.problem.value;
  return (
    <StepFrame
      title={t(columnsText.title)}
      back={() => go({ kind: 'list', list: editing.list, step: 'file' })}
    >
      {problem === null ? (
        <Waiting />
      ) : (
        <ProblemNote problem={problem}>
          <p>
            <Link to={{ kind: 'start' }}>{t(fileText.chooseAnother)}</Link>
          </p>
        </ProblemNote>
      )}
    </StepFrame>
  );
}

function lookedAt({ sampled, rows, beginning }: Columns): string {
  if (rows !== null) return t(columnsText.looked, sampled, rows);
  if (beginning !== null) return t(columnsText.ofFirst, sampled, beginning);
  return t(columnsText.sampled, sampled);
}

const factsOf = (columns: Columns): string[] => [
  ...(columns.sheet === null ? [] : [columns.sheet]),
  lookedAt(columns),
  ...(columns.list.likeLast ? [t(fileText.likeLast)] : []),
];

function nextOf(columns: Columns, editing: Editing): PrimaryAction {
  return {
    label: t(columnsText.next),
    run: () =>
      void editing.send().then(() => go({ kind: 'list', list: columns.list.id, step: 'check' })),
    blocked: blockedBy(columns),
  };
}

function blockedBy({ missing: [missing], mistakes, targets, isBroken }: Columns): string | null {
  if (missing && !isBroken)
    return t(columnsText.blockedMissing, targetName(missing.target, targets));
  return mistakes.length > 0 ? t(columnsText.blockedMistakes, mistakes.length) : null;
}
