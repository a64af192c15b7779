import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PageProblem } from '../../../shared/errors.js';
import type { Preview, SourceChoice } from '../../../shared/list.js';
import { StepFrame, type PrimaryAction } from '../../frame/step-frame.js';
import { fileText } from '../../messages/file.js';
import { Link } from '../../parts/link.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { RowTable } from '../../parts/row-table.js';
import { Waiting } from '../../parts/waiting.js';
import { about } from '../../state/about.js';
import { go } from '../../state/address.js';
import { call } from '../../state/call.js';
import { size, t } from '../../state/language.js';
import { problemOf } from '../../state/problem.js';
import { shownList } from '../../state/reached.js';
import type { StepProps } from '../step-props.js';
import { EncodingDoubt } from './encoding-doubt.js';
import { SourceChoices } from './source-choices.js';

/** The file as it is read: sheet, header, encoding and delimiter can be changed, and are shown again at once. */
export function FileView({ list }: StepProps): JSX.Element {
  const preview = useSignal<Preview | null>(null);
  const problem = useSignal<PageProblem | null>(null);
  const show = (found: Promise<Preview>): Promise<void> =>
    found.then(
      (value) => {
        preview.value = value;
        shownList.value = value.list;
        problem.value = null;
      },
      (error: unknown) => {
        problem.value = problemOf(error);
      },
    );
  useEffect(() => void show(call('GET /api/lists/:list/preview', { params: { list } })), [list]);
  const change = (body: Partial<SourceChoice>): void =>
    void show(call('PATCH /api/lists/:list/source', { params: { list }, body }));

  const found = preview.value;
  if (!found) return <NotReady problem={problem.value} />;
  return (
    <StepFrame
      title={found.list.name}
      facts={factsOf(found)}
      command={found.list.command}
      back={() => go({ kind: 'start' })}
      primary={nextOf(found)}
    >
      {problem.value && <ProblemNote problem={problem.value} />}
      {found.doubt && (
        <EncodingDoubt
          encoding={found.encoding ?? ''}
          {...found.doubt}
          onChoose={(encoding) => change({ encoding })}
        />
      )}
      <SourceChoices preview={found} onChange={change} />
      {found.headerProblem !== null && (
        <div class="problem" role="alert">
          <p>
            {found.header.length > 0 && <strong>{t(fileText.headerWrong)}</strong>}{' '}
            {found.headerProblem}
          </p>
        </div>
      )}
      {found.rows.length === 0 ? (
        found.header.length > 0 && <p class="notice">{t(fileText.noRows)}</p>
      ) : (
        <RowTable
          caption={t(fileText.firstRows, found.rows.length)}
          numberHeader={t(fileText.rowNumber)}
          header={found.header}
          rows={found.rows}
        />
      )}
    </StepFrame>
  );
}

function NotReady({ problem }: { readonly problem: PageProblem | null }): JSX.Element {
  return (
    <StepFrame title={t(fileText.title)}>
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

const factsOf = ({ list, formatName, packing, sheet, header, count }: Preview): string[] => [
  formatName + (packing === null ? '' : ` (${packing})`),
  ...(sheet === null ? [] : [sheet]),
  size(list.bytes),
  t(fileText.columns, header.length),
  ...(count === null ? [] : [t(fileText.rows, count)]),
  ...(list.likeLast ? [t(fileText.likeLast)] : []),
];

function nextOf({ list, header, headerProblem, rows }: Preview): PrimaryAction {
  return {
    label: t(fileText.next),
    run: () => go({ kind: 'list', list: list.id, step: 'columns' }),
    blocked:
      about.value?.center === null
        ? t(fileText.needsCenter)
        : headerProblem !== null && header.length > 0
          ? t(fileText.headerWrong)
          : rows.length === 0
            ? t(fileText.noRows)
            : null,
  };
}
