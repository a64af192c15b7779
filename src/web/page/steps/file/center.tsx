import { signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { MAX_FIELDS, MAX_NAME } from '../../../shared/page.js';
import type { CardField, DescribedCenter } from '../../../shared/routes.js';
import type { Answer } from '../../state/answers.js';
import { CommandLine, StepFrame } from '../../frame/step-frame.js';
import { Link, ProblemNote, Select, TextField, Button } from '../../parts/parts.js';
import { about, loadAbout, shownList } from '../../state/about.js';
import { go } from '../../state/address.js';
import { call, useAttempt } from '../../state/call.js';
import { t } from '../../state/language.js';

/** Name in the query of the start, while a contact center is described. */
export const CENTER = 'center';

/** The file that was made while the page is open. */
const made = signal<Answer<'POST /api/setup/installation'> | null>(null);

/** Whether a contact center can be described here. */
export const canDescribe = (): boolean =>
  about.value?.readOnly === false && about.value.setup !== null;

/** No contact center yet: the sandbox, or one that is described here. */
export function CenterOffer(): JSX.Element | null {
  const { problem, attempt } = useAttempt();
  if (about.value?.center !== null) return null;
  if (!canDescribe())
    return <p class="offer">{t('Start cardline with “-i FILE”, or with “--sandbox”.')}</p>;
  // Another tab may have taken one meanwhile.
  const trySandbox = () => call('POST /api/setup/sandbox', {}).finally(() => loadAbout());
  return (
    <>
      <p class="offer">
        {t('No contact center yet.')}{' '}
        <Button
          class="plain"
          onClick={() => void attempt(trySandbox)}
          label={t('Try it in a sandbox')}
        />{' '}
        <span class="soft">{t('(nobody is called), or')}</span>{' '}
        <Link to={{ kind: 'start' }} search={{ [CENTER]: '' }}>
          {t('Describe yours')}
        </Link>
      </p>
      {problem.value && <ProblemNote problem={problem.value} />}
    </>
  );
}

/** What was made, and what is to be done before it is of use. */
export function Made(): JSX.Element | null {
  if (!made.value) return null;
  const { file, fields, missing } = made.value;
  return (
    <div class="notice" role="status">
      <p>
        <strong>{t('{1} is written, with {2:field|fields}.', file, fields)}</strong>
      </p>
      {missing.map((variable) => (
        <p>
          {t(
            'Before anything can be sent, set the variable {1} in the terminal and start cardline again:',
            variable,
          )}
        </p>
      ))}
      {missing.length > 0 && <CommandLine command={`cardline ui -i ${file}`} />}
    </div>
  );
}

/** A field of the card as it is typed, with what a client that exists has there. */
type TypedField = CardField & { readonly value: string };

const NEW: TypedField = { name: '', type: 'TextField', sync: false, required: false, value: '' };

/** What is typed is kept while another view is open. */
const typed = signal({
  url: '',
  signIn: 'Bearer',
  header: 'X-Api-Key',
  variable: 'CC_TOKEN',
  fields: [{ ...NEW, sync: true, required: true }],
});

type Typed = typeof typed.value;

/** What is wrong, by the field of the form that it is about, in their order. */
function mistakesIn({ url, signIn, header, variable, fields }: Typed): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (url.trim() === '') found.set('url', t('Give its address.'));
  if (signIn === 'own' && !/^[\w!#$%&'*+.^`|~-]+$/.test(header))
    found.set('header', t('A name, such as X-Api-Key.'));
  if (signIn !== '' && !/^[A-Za-z_]\w*$/.test(variable))
    found.set('variable', t('A name, such as CC_TOKEN.'));
  const names = fields.map(({ name }) => name.trim());
  names.forEach((name, at) => {
    if (name === '') found.set(`name${at}`, t('Give the field a name, or remove it.'));
    else if (names.indexOf(name) < at) found.set(`name${at}`, t('This name stands above already.'));
  });
  if (!fields.some(({ sync }) => sync))
    found.set('fields', t('Mark what tells clients apart as identifier.'));
  return found;
}

const describedIn = ({ url, signIn, header, variable }: Typed): DescribedCenter => {
  const bearer = { name: 'Authorization', scheme: signIn };
  const named = signIn === 'own' ? { name: header, scheme: '' } : bearer;
  return { url, header: signIn === '' ? null : { ...named, variable } };
};

const SIGN_INS = [
  ['Bearer', 'with an access token'],
  ['own', 'with a key in a header of its own'],
  ['', 'without'],
] as const;

interface SignInProps {
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

const SignIn = (props: SignInProps): JSX.Element => (
  <Select
    label={t('How does cardline sign in?')}
    choices={SIGN_INS.map(([value, label]) => ({ value, label: t(label) }))}
    {...props}
  />
);

/** The form that describes a contact center. */
export function CenterView(): JSX.Element {
  const { problem, attempt } = useAttempt();
  const [isAsking, leftOut] = [useSignal(false), useSignal(0)];
  /** Mistakes are told once somebody wants to go on. */
  const showsMistakes = useSignal(false);
  const form = typed.value;
  const set = (change: Partial<Typed>): void => {
    typed.value = { ...typed.value, ...change };
    problem.value = null;
  };
  const field = (at: number, change: Partial<TypedField>): void =>
    set({ fields: form.fields.map((one, index) => (index === at ? { ...one, ...change } : one)) });
  const mistakes = new Map(showsMistakes.value ? mistakesIn(form) : []);
  const refused = problem.value;
  if (refused?.field === 'url') mistakes.set('url', `${refused.sentence} ${refused.next ?? ''}`);
  useEffect(() => document.getElementById('url')?.focus(), []);
  const ask = async (work: () => Promise<void>): Promise<void> => {
    if (isAsking.value) return;
    isAsking.value = true;
    await attempt(work);
    // Another tab has made one.
    if (problem.value?.code === 'has_center') await loadAbout().then(leave);
    isAsking.value = false;
  };
  const save = (): void => {
    showsMistakes.value = true;
    const [first] = mistakesIn(form).keys();
    if (first !== undefined) return document.getElementById(first)?.focus();
    void ask(async () => {
      const body = { ...describedIn(form), fields: form.fields.map(({ value: _, ...one }) => one) };
      made.value = await call('POST /api/setup/installation', { body });
      await loadAbout();
      leave();
    });
  };
  const known = form.fields.filter(({ name, sync }) => sync && name.trim() !== '');
  const readFields = (): void =>
    void ask(async () => {
      const body = { ...describedIn(form), ids: known.map(({ name, value }) => ({ name, value })) };
      const read = await call('POST /api/setup/fields', { body });
      const fields = withRead(typed.value.fields, read.fields);
      leftOut.value = read.leftOut + Math.max(0, fields.length - MAX_FIELDS);
      set({ fields: fields.slice(0, MAX_FIELDS) });
    });
  const text = (key: TextKey, label: string, hint: string): JSX.Element => (
    <ExplainedField
      {...{ id: key, label, hint, value: form[key], mistake: mistakes.get(key) }}
      onType={(value) => set({ [key]: value })}
    />
  );
  return (
    <StepFrame
      title={t('Your contact center')}
      back={leave}
      primary={{
        label: t('Save this contact center'),
        run: save,
        blocked: isAsking.value ? t('Asking the contact center…') : null,
      }}
    >
      <div class="fields">
        {text('url', t('Address'), t('As in a browser, such as cc.example.com'))}
      </div>
      <h2>{t('Credentials')}</h2>
      <div class="fields">
        <SignIn value={form.signIn} onChoose={(signIn) => set({ signIn })} />
        {form.signIn === 'own' && text('header', t('Header of requests'), '')}
        {form.signIn !== '' &&
          text(
            'variable',
            t('Variable'),
            t('Environment variable that holds them; they never reach this page.'),
          )}
      </div>
      <h2>{t('Fields of a client')}</h2>
      <p class="soft" id="fields" tabIndex={-1}>
        {t('What its card holds beside phones and e-mails. An identifier tells clients apart.')}
      </p>
      <FieldList fields={form.fields} mistakes={mistakes} onChange={(fields) => set({ fields })} />
      <p>
        <Why id="fields" mistake={mistakes.get('fields')} />
      </p>
      {form.fields.length < MAX_FIELDS && (
        <Button onClick={() => set({ fields: [...form.fields, NEW] })} label={t('Add a field')} />
      )}
      <LeftOut fields={leftOut.value} />
      <FieldsOfClient
        known={known}
        onType={(one, value) => field(form.fields.indexOf(one), { value })}
        onRead={readFields}
      />
      {refused && refused.field !== 'url' && <ProblemNote problem={refused} />}
    </StepFrame>
  );
}

const LeftOut = ({ fields }: { readonly fields: number }): JSX.Element => (
  <p class="notice" role="status" hidden={fields === 0}>
    {t(
      '{1:field is|fields are} left out: {2} are taken, with names of at most {3:character|characters}.',
      fields,
      MAX_FIELDS,
      MAX_NAME,
    )}
  </p>
);

/** Longest name of a header, and of a variable. */
const MAX_HEADER = 100;

type TextKey = 'url' | 'header' | 'variable';

interface ExplainedFieldProps {
  readonly id: TextKey;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly mistake: string | undefined;
  readonly onType: (value: string) => void;
}

/** A line to type in, with its mistake or what belongs there below it. */
function ExplainedField({
  id,
  label,
  hint,
  value,
  mistake,
  onType,
}: ExplainedFieldProps): JSX.Element {
  return (
    <div class="field">
      <label for={id}>
        <span>{label}</span>
      </label>
      <input
        id={id}
        value={value}
        maxLength={id === 'url' ? MAX_NAME : MAX_HEADER}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={mistake !== undefined}
        aria-describedby={`${id}-why`}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
      <Why id={id} mistake={mistake} hint={hint} />
    </div>
  );
}

/** What was typed, also meanwhile, with the types of a client that was read, and its other fields behind them. */
function withRead(fields: readonly TypedField[], read: readonly CardField[]): TypedField[] {
  const types = new Map(read.map(({ name, type }) => [name, type]));
  const names = new Set(fields.map(({ name }) => name.trim()));
  return [
    ...fields
      .filter(({ name, sync }) => sync || name.trim() !== '')
      .map((one) => ({ ...one, type: types.get(one.name.trim()) ?? one.type })),
    ...read.filter(({ name }) => !names.has(name)).map((one) => ({ ...NEW, ...one })),
  ];
}

interface FieldListProps {
  readonly fields: readonly TypedField[];
  readonly mistakes: ReadonlyMap<string, string>;
  readonly onChange: (fields: TypedField[]) => void;
}

function FieldList({ fields, mistakes, onChange }: FieldListProps): JSX.Element {
  const field = (at: number, change: Partial<TypedField>): void =>
    onChange(fields.map((one, index) => (index === at ? { ...one, ...change } : one)));
  return (
    <ul class="card-fields">
      {fields.map((one, at) => (
        <li>
          <div class="field">
            <input
              id={`name${at}`}
              value={one.name}
              maxLength={MAX_NAME}
              spellcheck={false}
              autocomplete="off"
              aria-label={`${t('Name')} ${at + 1}`}
              aria-invalid={mistakes.has(`name${at}`)}
              aria-describedby={`name${at}-why`}
              onInput={({ currentTarget: { value } }) => field(at, { name: value })}
            />
            <Why id={`name${at}`} mistake={mistakes.get(`name${at}`)} />
          </div>
          <select
            aria-label={`${t('Type')} ${at + 1}`}
            onChange={({ currentTarget: { value } }) =>
              field(at, { type: value as CardField['type'] })
            }
          >
            {TYPES.map((type) => (
              <option value={type} selected={type === one.type}>
                {t(typeText[type])}
              </option>
            ))}
          </select>
          {(['sync', 'required'] as const).map((key) => (
            <label>
              <input
                type="checkbox"
                checked={one[key]}
                onChange={({ currentTarget: { checked } }) => field(at, { [key]: checked })}
              />{' '}
              {t(key === 'sync' ? 'identifier' : 'required')}
            </label>
          ))}
          <Button
            class="plain"
            aria-label={`${t('Remove')} ${at + 1}`}
            onClick={() => onChange(fields.filter((other) => other !== one))}
            label="×"
          />
        </li>
      ))}
    </ul>
  );
}

interface FieldsOfClientProps {
  /** The identifiers, with the values of a client that exists. */
  readonly known: readonly TypedField[];
  readonly onType: (field: TypedField, value: string) => void;
  readonly onRead: () => void;
}

function FieldsOfClient({ known, onType, onRead }: FieldsOfClientProps): JSX.Element {
  return (
    <details>
      <summary>{t('Read them from a client that exists')}</summary>
      <p class="soft">{t('Nothing is changed. Types are found by the values.')}</p>
      <div class="fields">
        {known.map((one) => (
          <TextField
            label={one.name}
            value={one.value}
            maxLength={MAX_NAME}
            onInput={({ currentTarget: { value } }) => onType(one, value)}
          />
        ))}
        <Button
          disabled={!known.some(({ value }) => value !== '')}
          onClick={onRead}
          label={t('Read the fields')}
        />
      </div>
    </details>
  );
}

const TYPES = ['TextField', 'Number', 'ComboBox', 'StatusField'] as const;

const typeText = {
  TextField: 'text',
  Number: 'number',
  ComboBox: 'choice',
  StatusField: 'status',
} as const satisfies Record<CardField['type'], string>;

interface WhyProps {
  readonly id: string;
  readonly mistake: string | undefined;
  readonly hint?: string;
}

const Why = ({ id, mistake, hint = '' }: WhyProps): JSX.Element => (
  <small id={`${id}-why`} class={mistake === undefined ? 'soft' : 'mistake'}>
    {mistake ?? hint}
  </small>
);

/** To the list that waits for a contact center, else to the beginning. */
function leave(): void {
  const list = shownList.value;
  go(list ? { kind: 'list', list: list.id, step: 'file' } : { kind: 'start' });
}
