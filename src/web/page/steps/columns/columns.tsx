import type { JSX, RefObject } from 'preact';
import { useId, useRef, useEffect } from 'preact/hooks';
import type { BeginWith } from '../../../shared/routes.js';
import type { Mistake, Columns, Card, Missing, Target } from '../../state/answers.js';
import { t } from '../../state/language.js';
import {
  type EditProps,
  type Editing,
  useEditing,
  targetName,
  isPhoneType,
  canBeSame,
  isOfCard,
  isOfClient,
  phoneTypeText,
} from './editing.js';
import { NotReady, StepFrame, type PrimaryAction, type StepProps } from '../../frame/step-frame.js';
import { type Choice, ProblemNote, Select, TextField, Button } from '../../parts/parts.js';
import { about } from '../../state/about.js';
import { go } from '../../state/address.js';
import { ColumnPanel, ColumnTable, NotImported, type Opened, PanelHead } from './column-table.js';
import { Conditions, Decisions } from './decisions.js';
import { useSignal } from '@preact/signals';
import { ValueField } from './use-details.js';

interface YamlProps extends EditProps {
  readonly onClose: () => void;
}

function YamlEditor(props: YamlProps): JSX.Element {
  const { columns, editing, canEdit, onClose } = props;
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const { yaml, mistakes, isBroken } = columns;
  const text = editing.typed.value ?? yaml;
  return (
    <section class="panel yaml">
      <PanelHead id={id} title={t('Mapping as YAML')} onClose={onClose} />
      {text === null ? (
        <p class="notice">
          {t('The text is hidden with --mask: its maps and comments hold words of clients.')}
        </p>
      ) : (
        <TextArea {...props} id={id} text={text} area={area} />
      )}
      <p class="soft" id={`${id}-state`} role="status">
        {stateOf(editing.typed.value !== null, mistakes.length)}
      </p>
      {editing.isConflict.value && <Conflict editing={editing} />}
      {isBroken && (
        <div class="notice">
          <p>
            {t('The text cannot be read at the moment. The columns are shown as they were before.')}
          </p>
          {canEdit && (
            <Button
              onClick={() => void editing.use({ kind: 'readable' })}
              label={t('Take the text back to then')}
            />
          )}
        </div>
      )}
      <Mistakes mistakes={mistakes} onGo={(mistake) => goTo(area.current, mistake)} />
    </section>
  );
}

interface TextAreaProps extends EditProps {
  readonly id: string;
  readonly text: string;
  readonly area: RefObject<HTMLTextAreaElement | null>;
}

function TextArea({ columns, editing, canEdit, id, text, area }: TextAreaProps): JSX.Element {
  const numbers = useRef<HTMLPreElement>(null);
  return (
    <div class="editor">
      <pre ref={numbers} aria-hidden="true">
        {lineNumbers(text, columns.mistakes)}
      </pre>
      <textarea
        ref={area}
        aria-labelledby={id}
        aria-describedby={`${id}-state`}
        aria-invalid={columns.mistakes.length > 0}
        spellcheck={false}
        wrap="off"
        readOnly={!canEdit}
        value={text}
        onInput={(event) => editing.type(event.currentTarget.value)}
        onBlur={() => void editing.send()}
        onScroll={(event) => {
          if (numbers.current) numbers.current.scrollTop = event.currentTarget.scrollTop;
        }}
      />
    </div>
  );
}

interface MistakesProps {
  readonly mistakes: readonly Mistake[];
  readonly onGo: (mistake: Mistake) => void;
}

const Mistakes = ({ mistakes, onGo }: MistakesProps): JSX.Element => (
  <ul class="wrong-places">
    {mistakes.map((mistake) => (
      <li>
        {mistake.line !== null && (
          <Button
            class="plain"
            onClick={() => onGo(mistake)}
            label={t('Line {1}, column {2}', mistake.line, mistake.column ?? 1)}
          />
        )}{' '}
        {mistake.message} {mistake.suggestion}
      </li>
    ))}
  </ul>
);

/** Height of a line of the text, in pixels, as the style sheet has it. */
const LINE_PX = 18;

function goTo(area: HTMLTextAreaElement | null, { line, column }: Mistake): void {
  if (!area || line === null) return;
  const before = area.value.split('\n').slice(0, line - 1);
  const at = before.reduce((sum, one) => sum + one.length + 1, 0) + (column ?? 1) - 1;
  area.focus();
  area.setSelectionRange(at, at);
  area.scrollTop = Math.max(0, (line - 5) * LINE_PX);
}

const stateOf = (isTyping: boolean, mistakes: number): string =>
  isTyping
    ? t('Typing …')
    : mistakes > 0
      ? t('{1:mistake|mistakes}', mistakes)
      : `${t('In step with the columns')} · ${t('No mistakes')}`;

function lineNumbers(text: string, mistakes: readonly Mistake[]): JSX.Element[] {
  const wrong = new Set(mistakes.map(({ line }) => line));
  return text
    .split('\n')
    .map((_, index) => (
      <span class={wrong.has(index + 1) ? 'wrong' : ''}>
        {`${wrong.has(index + 1) ? '!' : ''}${index + 1}\n`}
      </span>
    ));
}

const Conflict = ({ editing }: Pick<EditProps, 'editing'>): JSX.Element => (
  <div class="problem" role="alert">
    <p>
      {t(
        'The mapping was changed in another tab while you were typing. The columns show what is there now; your text is kept here.',
      )}
    </p>
    <div class="buttons">
      <Button onClick={() => void editing.keep()} label={t('Use my text')} />
      <Button onClick={() => editing.drop()} label={t('Show what is there now')} />
    </div>
  </div>
);

/** Where each column goes: one line each, and beside them what is looked at closer, a column or the text of the mapping. */
export function ColumnsView({ list }: StepProps): JSX.Element {
  const editing = useEditing(list);
  const opened = useSignal<Opened>(null);
  const columns = editing.shown.value;
  const isWrong = columns !== null && (columns.isBroken || columns.mistakes.length > 0);
  useEffect(() => {
    // What is wrong in the text is mended there. It stays open then, so that nothing jumps.
    if (isWrong) opened.value = 'yaml';
  }, [isWrong]);
  const back = (): void => go({ kind: 'list', list, step: 'file' });
  if (!columns)
    return <NotReady title={t('Columns')} back={back} problem={editing.problem.value} />;
  const canEdit = about.value?.readOnly !== true;
  const props = { columns, editing, canEdit: canEdit && !columns.isBroken };
  const shown = opened.value;
  return (
    <StepFrame
      title={t('Columns')}
      facts={factsOf(columns)}
      command={columns.list.command}
      back={back}
      primary={nextOf(columns, editing)}
    >
      {editing.problem.value && !editing.isConflict.value && (
        <ProblemNote problem={editing.problem.value} />
      )}
      <MissingNotes {...props} />
      <Decisions {...props} />
      <div class="tools">
        <Conditions {...props} />
        <MappingBar columns={columns} editing={editing} canEdit={canEdit} />
        <Button
          aria-expanded={shown === 'yaml'}
          onClick={() => (opened.value = shown === 'yaml' ? null : 'yaml')}
          label={t(shown === 'yaml' ? 'Hide the YAML' : 'Show as YAML')}
        />
      </div>
      <div class={shown === null ? 'mapping' : 'mapping open'}>
        <ColumnTable {...props} opened={opened} />
        {shown === 'yaml' ? (
          <YamlEditor {...{ columns, editing, canEdit }} onClose={() => (opened.value = null)} />
        ) : (
          shown !== null && <ColumnPanel {...props} opened={opened} />
        )}
      </div>
      <NotImported {...props} />
      <ForAll {...props} />
      <Cards columns={columns} />
    </StepFrame>
  );
}

function lookedAt({ sampled, rows, beginning }: Columns): string {
  if (rows !== null && sampled >= rows) return t('all {1:row|rows} looked at', rows);
  if (rows !== null) return t('{1} of {2:row|rows} looked at', sampled, rows);
  if (beginning !== null) return t('{1} of the first {2:row|rows} looked at', sampled, beginning);
  return t('{1:row|rows} from all over the file looked at', sampled);
}

const factsOf = (columns: Columns): string[] => [
  columns.list.name,
  ...(columns.sheet === null ? [] : [columns.sheet]),
  lookedAt(columns),
  ...(columns.list.likeLast ? [t('set up like the last file with these columns')] : []),
];

function nextOf(columns: Columns, editing: Editing): PrimaryAction {
  return {
    label: t('Next: check'),
    run: () =>
      void editing.send().then(() => go({ kind: 'list', list: columns.list.id, step: 'check' })),
    blocked: blockedBy(columns),
    hint: hintOf(columns),
  };
}

function blockedBy({ missing: [missing], mistakes, targets, isBroken }: Columns): string | null {
  if (missing && !isBroken) return t('{1} has no column yet', targetName(missing.target, targets));
  return mistakes.length > 0 ? t('The mapping has {1:mistake|mistakes}', mistakes.length) : null;
}

/** Questions that nobody has answered do not hold an import up: what is taken then is said with each. */
function hintOf({ decisions }: Columns): string | null {
  const open = decisions.filter(({ isAnswered }) => !isAnswered).length;
  return open === 0 ? null : t('{1:question is|questions are} open', open);
}

interface CardsProps {
  readonly columns: Columns;
}

const Cards = ({ columns }: CardsProps): JSX.Element | null =>
  columns.cards.length === 0 ? null : (
    <section aria-label={t('What the contact center gets')}>
      <h2>{t('What the contact center gets')}</h2>
      <ul class="cards">
        {columns.cards.map((card) => (
          <li key={card.row}>
            <strong>{t('Row {1}', card.row)}</strong>
            {card.problems.map(({ column, message }) => (
              <p class="warn">
                {column} {message}
              </p>
            ))}
            <Parts card={card} columns={columns} />
          </li>
        ))}
      </ul>
    </section>
  );

const Parts = ({ card, columns }: CardsProps & { readonly card: Card }): JSX.Element => (
  <dl>
    {card.parts.map(({ target, text, marks }) => (
      <>
        <dt>{targetName(target, columns.targets)}</dt>
        <dd>
          {text}{' '}
          <span class="soft">
            {marks.map((mark) => (isPhoneType(mark) ? t(phoneTypeText[mark]) : mark)).join(', ')}
          </span>
        </dd>
      </>
    ))}
  </dl>
);

function MissingNotes({ columns, editing, canEdit }: EditProps): JSX.Element {
  return (
    <ul class="missing notice" aria-label={t('Missing')}>
      {columns.missing.map((missing) => {
        const name = targetName(missing.target, columns.targets);
        const proposal = proposed(missing);
        return (
          <li>
            <p>
              <strong>
                {t(
                  missing.isIdentifier
                    ? '{1} has no column yet. It is required: clients are told apart by it.'
                    : '{1} is required and has no column yet.',
                  name,
                )}
              </strong>{' '}
              {sentenceFor(missing, columns.targets)}
            </p>
            {proposal !== null && canEdit && (
              <Button
                aria-label={t('Use {1} for {2}', proposal, name)}
                onClick={() => void editing.edit({ kind: 'propose', target: missing.target })}
                label={t('Use')}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

const proposed = ({ columns, value }: Missing): string | null =>
  columns.length > 0 ? columns.join(' + ') : value;

function sentenceFor(missing: Missing, targets: readonly Target[]): string {
  if (missing.columns.length > 0) return t('Suggested: {1}.', missing.columns.join(' + '));
  if (missing.value !== null) return t('Suggested: {1} for all rows.', missing.value);
  const target = targets.find((one) => one.target === missing.target);
  const isSame = target && isOfCard(target.target) && canBeSame(target, targets);
  return t(
    isSame
      ? 'Choose it at one of the columns below, or fill it in under “The same for all rows”.'
      : 'Choose it at one of the columns below.',
  );
}

/** What is the same for all rows: parts of the client and fields of the card that no column fills. */
function ForAll({ columns, editing, canEdit }: EditProps): JSX.Element {
  const added = useSignal<readonly string[]>([]);
  const nameOf = ({ target }: Target): string => targetName(target, columns.targets);
  const open = columns.targets.filter(
    (one) => one.columns.length === 0 && canBeSame(one, columns.targets),
  );
  const missing = new Set(columns.missing.map(({ target }) => target));
  const isShown = ({ target, constant }: Target): boolean =>
    isOfClient(target) ||
    constant !== null ||
    (missing.has(target) && isOfCard(target)) ||
    added.value.includes(target);
  const others = open.filter((one) => isOfCard(one.target) && !isShown(one));
  return (
    <section class="fields for-all" aria-label={t('The same for all rows')}>
      <h2>{t('The same for all rows')}</h2>
      {open
        .filter(isShown)
        .toSorted(byPart)
        .map((one) => (
          <ValueField
            key={one.target}
            label={nameOf(one)}
            target={one}
            value={one.constant}
            none={one.isFilled ? t('as the YAML says') : ''}
            isOptional={!isOfClient(one.target)}
            disabled={!canEdit}
            onSet={(value) => void editing.edit({ kind: 'constant', target: one.target, value })}
          />
        ))}
      {canEdit && others.length > 0 && (
        <Select
          label={t('Another field')}
          value=""
          choices={[
            { value: '', label: '' },
            ...others.map((one) => ({ value: one.target, label: nameOf(one) })),
          ]}
          onChoose={(target) => (added.value = [...added.value, target])}
        />
      )}
    </section>
  );
}

/** Parts of every client come before fields of the card. */
const byPart = (one: Target, other: Target): number =>
  Number(isOfClient(other.target)) - Number(isOfClient(one.target));

const NOW = '';
const SUGGESTED = 'suggested';
const SAVED = 'saved:';

/** Which mapping it is, another one to begin with, and a name to save it under. */
function MappingBar({ columns, editing, canEdit }: EditProps): JSX.Element {
  const asked = useSignal<string | null>(null);
  const take = (value: string): void => {
    asked.value = null;
    void editing.use(beginWith(value));
  };
  const choose = (value: string): void => {
    if (value === NOW) asked.value = null;
    // What is saved under a name can be chosen again, and so can a suggestion; anything else would be lost.
    else if (columns.list.isUnsaved && !columns.isDraft) asked.value = value;
    else take(value);
  };
  return (
    <section class="mapping-bar" aria-label={t('Mapping')}>
      <Select
        label={t('Mapping')}
        value={asked.value ?? NOW}
        choices={choicesOf(columns)}
        disabled={!canEdit}
        onChoose={choose}
      />
      {canEdit && <SaveForm columns={columns} editing={editing} />}
      {asked.value !== null && (
        <div class="notice" role="alert">
          <p>
            {t(
              'Replace the mapping by “{1}”? What was changed here and not saved under a name is lost.',
              nameOf(asked.value),
            )}
          </p>
          <div class="buttons">
            <Button onClick={() => take(asked.value ?? NOW)} label={t('Replace')} />
            <Button class="plain" onClick={() => (asked.value = null)} label={t('Cancel')} />
          </div>
        </div>
      )}
    </section>
  );
}

function choicesOf({ saved, list }: Columns): Choice[] {
  const now =
    list.mapping === null
      ? t(list.likeLast ? 'as for the last list' : 'made for this list')
      : list.isUnsaved
        ? t('{1}, changed', list.mapping)
        : list.mapping;
  return [
    { value: NOW, label: now },
    { value: SUGGESTED, label: `${t('Begin with')} ${t('what is suggested')}` },
    ...saved.map((name) => ({ value: SAVED + name, label: `${t('Begin with')} ${name}` })),
  ];
}

const nameOf = (value: string): string =>
  value === SUGGESTED ? t('what is suggested') : value.slice(SAVED.length);

const beginWith = (value: string): BeginWith =>
  value === SUGGESTED ? { kind: 'suggested' } : { kind: 'saved', name: value.slice(SAVED.length) };

interface SaveFormProps {
  readonly columns: Columns;
  readonly editing: Editing;
}

/** Saves the mapping under a name. One that is there already is replaced only when the person says so. */
function SaveForm({ columns, editing }: SaveFormProps): JSX.Element {
  const { mapping, isUnsaved } = columns.list;
  const name = useSignal(mapping ?? '');
  const taken = useSignal<string | null>(null);
  const trimmed = name.value.trim();
  const save = async (overwrite: boolean): Promise<void> => {
    taken.value = null;
    await editing.save(trimmed, overwrite);
    if (editing.problem.value?.code !== 'name_taken') return;
    editing.problem.value = null;
    taken.value = trimmed;
  };
  return (
    <>
      <p class="soft" role="status">
        {isUnsaved || mapping === null
          ? isUnsaved && t('Kept with this list, not yet saved under a name.')
          : t('Saved as {1}.', mapping)}
      </p>
      <details class="menu">
        <summary class="button">{t('Save mapping…')}</summary>
        <form
          class="save"
          onSubmit={(event) => {
            event.preventDefault();
            if (trimmed !== '') void save(false);
          }}
        >
          <TextField label={t('Name of the mapping')} text={name} maxLength={100} required />
          <button type="submit">{t('Save')}</button>
          {taken.value !== null && (
            <div class="notice" role="alert">
              <p>{t('There is a mapping named {1} already. Replace it?', taken.value)}</p>
              <div class="buttons">
                <Button onClick={() => void save(true)} label={t('Replace')} />
                <Button class="plain" onClick={() => (taken.value = null)} label={t('Cancel')} />
              </div>
            </div>
          )}
        </form>
      </details>
    </>
  );
}
