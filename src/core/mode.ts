/** What is to be known of a mode. */
interface ModeTraits {
  /** What it has to do with a campaign: only where it adds to one afterwards, it can do without. */
  readonly campaign: 'optional' | 'required' | 'unused';
  /** Whether it creates clients. */
  readonly creates: boolean;
  /** Whether it adds clients to the campaign, where there is one. */
  readonly enqueues: boolean;
  /** Whether its rows bring phones, by which duplicates can be known. */
  readonly hasPhones: boolean;
  /** Whether its rows bring phones that may be called: lists of numbers that must not be called count. */
  readonly calls: boolean;
  /** Whether a person has to confirm it. */
  readonly asksFirst: boolean;
  /** Modes of later runs that reverse what it did. */
  readonly reversedBy: readonly string[];
  /** Why nothing that it did can be taken back; `null` when it can. */
  readonly notUndoable: string | null;
}

const NOTHING = {
  ...{ campaign: 'unused', creates: false, enqueues: false },
  ...{ hasPhones: false, calls: false, asksFirst: false, reversedBy: [], notUndoable: null },
} as const satisfies ModeTraits;

/** What is done with every row of an import, by mode. */
const IMPORT_MODES = {
  /** The client is created (interface.md 4.1), and added to the campaign when there is one (4.9). */
  create: {
    ...NOTHING,
    ...{ campaign: 'optional', creates: true, enqueues: true, hasPhones: true, calls: true },
    reversedBy: ['delete', 'dequeue'],
  },
  /** The same; where the client exists, its fields are changed (4.2) and its contacts added. */
  upsert: {
    ...NOTHING,
    ...{ campaign: 'optional', creates: true, enqueues: true, hasPhones: true, calls: true },
    reversedBy: ['delete', 'dequeue'],
  },
  /** Fields are changed (4.2), missing contacts added (4.3, 4.5, 4.6a). */
  update: { ...NOTHING, hasPhones: true, calls: true },
  /** The client is added to the campaign (4.9). */
  enqueue: {
    ...NOTHING,
    ...{ campaign: 'required', enqueues: true, calls: true },
    reversedBy: ['dequeue', 'delete'],
  },
  /** Its call application is removed from the campaign (4.10). */
  dequeue: {
    ...NOTHING,
    campaign: 'required',
    reversedBy: ['create', 'upsert', 'enqueue'],
    notUndoable: 'a call application that was removed cannot be put back as it was',
  },
  /** Statuses of its phones, e-mail addresses and addresses are changed (4.4, 4.6, 4.6b). */
  contacts: {
    ...NOTHING,
    hasPhones: true,
    notUndoable: 'the interface does not show what the statuses of contacts were',
  },
  /** A callback is created for it (4.20). */
  callbacks: {
    ...NOTHING,
    ...{ campaign: 'required', calls: true },
    notUndoable: 'no operation removes a callback',
  },
  /** Its synchronization identifiers are changed, by the internal id (4.6c). */
  rekey: {
    ...NOTHING,
    notUndoable: 'the interface does not show what the identifiers were',
  },
  /** It is deleted (4.7). */
  delete: {
    ...NOTHING,
    asksFirst: true,
    reversedBy: ['create', 'upsert'],
    notUndoable: 'a deleted client only comes back when it is added again, with "recovery"',
  },
} as const satisfies Record<string, ModeTraits>;

export type Mode = keyof typeof IMPORT_MODES;

/** Modes of imports. */
export const MODES = Object.keys(IMPORT_MODES) as readonly Mode[];

/** What a run does: the mode of an import, the undoing of an earlier run, or a comparison that changes nothing. */
export type RunMode = Mode | 'undo' | 'reconcile';
export const MODE_TRAITS: Readonly<Record<RunMode, ModeTraits>> = {
  ...IMPORT_MODES,
  undo: { ...NOTHING, notUndoable: 'import its rows again instead' },
  reconcile: { ...NOTHING, notUndoable: 'it changed nothing' },
};

/** Whether a run of this mode imports rows. */
export const isImport = (mode: RunMode): mode is Mode => mode in IMPORT_MODES;
