import { effect, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { BeginWith, ColumnEdit, Columns } from '../../../shared/columns.js';
import type { PageProblem } from '../../../shared/errors.js';
import { columnsText } from '../../messages/columns.js';
import { guardLeaving } from '../../state/address.js';
import { call, CallError } from '../../state/call.js';
import { t } from '../../state/language.js';
import { problemOf } from '../../state/problem.js';
import { shownList } from '../../state/reached.js';
import { isBack } from '../../state/server.js';

/** Time without typing after which the text is sent, in milliseconds. */
const PAUSE_MS = 400;

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
    await this.#inTurn(() => this.#sendTyped());
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
    return isSafe || confirm(`${t(columnsText.leave)} ${t(columnsText.anyway)}`);
  }

  get #params() {
    return { params: { list: this.list } };
  }

  async #change(make: (revision: string) => Promise<Columns>): Promise<void> {
    await this.send();
    await this.#inTurn(() => make(this.shown.value?.revision ?? ''));
  }

  async #sendTyped(): Promise<Columns | null> {
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
