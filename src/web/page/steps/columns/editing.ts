import type { BeginWith, ColumnEdit } from '../../../shared/routes.js';
import type { Column, Columns, ColumnUse, Target, PageProblem } from '../../state/answers.js';
import { effect, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { guardLeaving } from '../../state/address.js';
import { call, CallError, problemOf, isBack } from '../../state/call.js';
import { t } from '../../state/language.js';
import { shownList } from '../../state/about.js';
import type { Option } from '../../parts/combobox.js';

/** What the parts of the step work with. */
export interface EditProps {
  readonly columns: Columns;
  readonly editing: Editing;
  readonly canEdit: boolean;
}

export interface ColumnProps extends EditProps {
  readonly column: Column;
}

export interface UseProps extends ColumnProps {
  readonly use: ColumnUse;
}

export interface StepProps extends UseProps {
  readonly step: ColumnUse['steps'][number];
}

/** Time without typing after which the text is sent, or tried, in milliseconds. */
export const PAUSE_MS = 400;

/**
 * The mapping of a list while it is worked on. All of it is on the server but for the last moment of typing. Changes are
 * sent one after the other, each made on what the one before has left.
 */
export class Editing {
  /** `null` until it is loaded. */
  readonly shown = signal<Columns | null>(null);
  /** Why the last change was not made, or why nothing can be shown. */
  readonly problem = signal<PageProblem | null>(null);
  /** The text as it is typed, while the server has another one. */
  readonly typed = signal<string | null>(null);
  /** Whether somebody else has changed the mapping while this text was typed. */
  readonly isConflict = signal(false);
  #queue: Promise<unknown> = Promise.resolve();
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly list: string) {}

  load(): Promise<void> {
    return this.#inTurn(() => call('GET /api/lists/:list/columns', this.#params));
  }

  /** Makes clicks a part of the mapping. */
  edit(...edits: ColumnEdit[]): Promise<void> {
    return this.#change((revision) =>
      call('POST /api/lists/:list/columns/edits', { ...this.#params, body: { revision, edits } }),
    );
  }

  /** What clicks would come to, without making them; `null` where that cannot be found out. */
  try(...edits: ColumnEdit[]): Promise<Columns | null> {
    const body = { revision: this.shown.value?.revision ?? '', edits, trial: true as const };
    return call('POST /api/lists/:list/columns/edits', { ...this.#params, body }).catch(
      (error: unknown) => {
        this.problem.value = problemOf(error);
        return null;
      },
    );
  }

  /** Makes a decision: what is chosen may be what stands there already. */
  answer(decision: string, edits: readonly ColumnEdit[]): Promise<void> {
    return this.#change((revision) =>
      call('POST /api/lists/:list/columns/edits', {
        ...this.#params,
        body: { revision, edits: [...edits], answers: [decision] },
      }),
    );
  }

  use(from: BeginWith): Promise<void> {
    this.drop();
    return this.#change((revision) =>
      call('POST /api/lists/:list/mapping/use', { ...this.#params, body: { revision, from } }),
    );
  }

  save(name: string, overwrite: boolean): Promise<void> {
    return this.#change((revision) =>
      call('POST /api/lists/:list/mapping/save', {
        ...this.#params,
        body: { revision, name, overwrite },
      }),
    );
  }

  type(text: string): void {
    this.typed.value = text;
    clearTimeout(this.#pause);
    if (!this.isConflict.value) this.#pause = setTimeout(() => void this.send(), PAUSE_MS);
  }

  /** Sends what was typed, if that has not been done. */
  async send(): Promise<void> {
    clearTimeout(this.#pause);
    if (this.typed.value === null || this.isConflict.value) return;
    await this.#inTurn(async () => {
      const yaml = this.typed.value;
      if (yaml === null) return this.shown.value;
      const body = { revision: this.shown.value?.revision ?? '', yaml };
      try {
        const columns = await call('PUT /api/lists/:list/mapping', { ...this.#params, body });
        if (this.typed.value === yaml) this.typed.value = null;
        return columns;
      } catch (error) {
        if (isStale(error)) this.isConflict.value = true;
        throw error;
      }
    });
  }

  /** Takes the own text where somebody else has changed the mapping. */
  keep(): Promise<void> {
    this.isConflict.value = false;
    return this.send();
  }

  /** Forgets what was typed and not sent. */
  drop(): void {
    clearTimeout(this.#pause);
    this.typed.value = null;
    this.isConflict.value = false;
    this.problem.value = null;
  }

  /** Whether the page may be left: nothing would be lost, or the person does not mind. */
  mayLeave(): boolean {
    const isSafe = !this.isConflict.value && this.problem.value === null;
    void this.send();
    return (
      isSafe ||
      confirm(
        `${t('What you typed in the mapping is not on the server yet.')} ${t('Leave all the same?')}`,
      )
    );
  }

  get #params() {
    return { params: { list: this.list } };
  }

  async #change(make: (revision: string) => Promise<Columns>): Promise<void> {
    await this.send();
    await this.#inTurn(() => make(this.shown.value?.revision ?? ''));
  }

  #inTurn(work: () => Promise<Columns | null>): Promise<void> {
    const done = this.#queue.then(work).then(
      (columns) => {
        this.problem.value = null;
        this.#show(columns);
      },
      (error: unknown) => this.#fail(error),
    );
    this.#queue = done;
    return done;
  }

  #show(columns: Columns | null): void {
    if (!columns) return;
    this.shown.value = columns;
    shownList.value = columns.list;
  }

  /** What is there now is shown, and what was typed is kept. */
  async #fail(error: unknown): Promise<void> {
    this.problem.value = problemOf(error);
    if (isStale(error))
      this.#show(await call('GET /api/lists/:list/columns', this.#params).catch(() => null));
    else if (error instanceof CallError && error.status === 0)
      void isBack().then(() => this.send());
  }
}

const isStale = (error: unknown): boolean =>
  error instanceof CallError && error.problem.code === 'stale_mapping';

/** Begins to work on the mapping of a list, until the view is left. */
export function useEditing(list: string): Editing {
  const editing = useMemo(() => new Editing(list), [list]);
  useEffect(() => {
    void editing.load();
    const stop = effect(() =>
      guardLeaving(editing.typed.value === null ? null : () => editing.mayLeave()),
    );
    return () => {
      stop();
      guardLeaving(null);
      void editing.send();
    };
  }, [editing]);
  return editing;
}

const known = (target: string): target is keyof typeof targetText =>
  Object.hasOwn(targetText, target);

/** Whether there are words for the kind of a phone or an address. */
export const isPhoneType = (type: string): type is keyof typeof phoneTypeText =>
  Object.hasOwn(phoneTypeText, type);

/** What people call a target. */
export function targetName(target: string, targets: readonly Target[]): string {
  if (known(target)) return t(targetText[target]);
  const found = targets.find((one) => one.target === target);
  return found?.title ?? found?.name ?? target.replace(/^fields\./, '');
}

/** Begins the value of a choice that adds the column to those that a target has. */
const JOIN = 'join:';
const NONE = '';

export const chosenTarget = (value: string): { target: string | null; isJoined: boolean } =>
  value.startsWith(JOIN)
    ? { target: value.slice(JOIN.length), isJoined: true }
    : { target: value === NONE ? null : value, isJoined: false };

/** Parts that every client has once. */
export const isOfClient = (target: string): boolean =>
  ['timeZone', 'clientRoleId', 'type'].includes(target);

/** Targets that several columns may fill, each on its own. */
const LISTS: ReadonlySet<string> = new Set(['phones', 'emails', 'addresses']);

/** Everything that a column may become. */
export function targetOptions({ targets }: Columns, column: string): Option[] {
  const all = targets.flatMap((target) => {
    const label = targetName(target.target, targets);
    const others = target.columns.filter((one) => one !== column);
    const hint = [
      ...(target.name !== null && target.name !== label ? [target.name] : []),
      ...(target.isRequired ? [t('required')] : []),
      ...(others.length > 0 ? [t('now {1}', others.join(' + '))] : []),
    ].join(' · ');
    const words = [label, target.target, ...target.aliases].join(' ');
    const own = { value: target.target, label, hint, words };
    const isText = target.type === 'TextField' || target.type === null;
    const canJoin = others.length > 0 && isText && !LISTS.has(target.target);
    if (!canJoin || target.columns.includes(column)) return [own];
    const joined = t('{1}: {2}', label, [...others, column].join(' + '));
    return [own, { value: JOIN + target.target, label: joined, hint: '', words }];
  });
  return [{ value: NONE, label: t('not imported'), hint: '', words: '' }, ...all];
}

export const isOfCard = (target: string): boolean => target.includes('.');

/** Whether it may be the same for all rows. Of several identifiers one may be: the others tell the clients apart. */
export const canBeSame = ({ isIdentifier }: Target, targets: readonly Target[]): boolean =>
  !isIdentifier || targets.filter((one) => one.isIdentifier).length > 1;

const targetText = {
  phones: 'Phone',
  emails: 'E-mail',
  addresses: 'Address',
  timeZone: 'Time zone',
  type: 'Type of client (VIP)',
  clientRoleId: 'Client role',
  uuid: 'UUID of the client',
  clientId: 'Internal id of the client',
  'callback.name': 'Name of the callback',
  'callback.description': 'Description of the callback',
  'callback.phone': 'Phone of the callback',
  'callback.operatorId': 'Operator of the callback',
  'callback.callAt': 'Time of the callback',
} as const satisfies Readonly<Record<string, string>>;

export const phoneTypeText = {
  MOB: 'mobile',
  HOME: 'home',
  WORK: 'work',
  FAX: 'fax',
} as const satisfies Readonly<Record<string, string>>;
