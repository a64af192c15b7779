import {
  type AbsentClient,
  type ApplicationState,
  type ClientCard,
  type ClientChanges,
  type Earlier,
  type Inspection,
  isAbsent,
  type FieldValue,
  type Payloads,
  type UndoPayload,
} from '../core/client.js';
import type { Mode, Outcome } from '../core/outcome.js';
import { type PreparedClients, identifiersOf } from '../core/prepared.js';
import { startOf } from './batch.js';

/** A client that is to be changed. `P`: what its row asks for. */
export interface Subject<P = never> {
  /** JSON text. */
  readonly identifiers: string;
  readonly payload: P;
}

type Change = Parameters<ClientChanges['change']>[0];

/** One request of several that a client may need. */
export interface Step extends Change {
  /** What the step is about, when a refusal of it has to be distinguished. */
  readonly label: string;
  /** A refusal that says that all is as wanted already. */
  readonly fulfilledBy?: RegExp | undefined;
  /** A refusal that, where an earlier request for it was lost, says that this one was carried out. */
  readonly doneBefore?: RegExp;
  /** Whether it adds a contact, which no operation takes away. */
  readonly adds?: boolean;
}

/**
 * What a lookup says of a change whose answer was lost. `done`: it took effect; `again`: it did not, and is to be sent
 * again once it cannot take effect any more, where the client has come to stand otherwise with that; `open`: it cannot
 * be reported, and why, for the person.
 */
export type Settled = 'done' | 'again' | { readonly again: Earlier } | { readonly open: string };

/** How the clients of a mode are changed. `P`: what a row of the mode asks for. */
export interface ChangeRule<P = never> {
  readonly outcome: Outcome;
  /** The outcome of a client with which nothing had to be done. @default `outcome` */
  readonly unchanged?: Outcome;
  /** Clients that share an intent. Few, where what a crash leaves in doubt cannot be distinguished. @default 25 */
  readonly atOnce?: number;
  /** What two rows must not change at a time, and then in their order. @default the identifiers */
  readonly keys?: (subject: Subject<P>) => readonly string[];
  /**
   * Looks at a client before it is changed. Absent where a change that is sent twice does no more than once, and
   * nothing is to be kept of how it was.
   */
  readonly lookUp?: (subject: Subject<P>) => Promise<Earlier | AbsentClient>;
  /**
   * Whether a request of another run may still be carried out with the client: nothing is done until that is over, as
   * whoever goes on after this run relies on what it has found.
   */
  readonly isInDoubt?: (subject: Subject<P>) => boolean;
  readonly steps: (subject: Subject<P>, earlier: Earlier) => readonly Step[];
  /**
   * The requests for a client that an earlier part of the run looked up: it may have been changed since. @default `steps`
   */
  readonly stepsInDoubt?: (subject: Subject<P>) => readonly Step[];
  /** Looks whether a lost change took effect. Absent: it is sent again, which does no more than once would. */
  readonly settle?: (subject: Subject<P>, earlier: Earlier) => Promise<Settled>;
  readonly send: (step: Step) => Promise<void>;
}

/** Compares a client with the contact center. It only reads. */
export type Inspect = (subject: Subject) => Promise<Inspection>;

/** What a member of a batch is identified by, and what its row asks for. */
export function subjectOf(clients: PreparedClients, index: number): Subject {
  const { buffer, byteOffset } = clients.payload;
  const [from, to] = [startOf(clients, index), clients.ends[index] ?? 0];
  // A third of the time of a TextDecoder, for texts as short as these.
  const text = Buffer.from(buffer, byteOffset + from, to - from).toString();
  // The mapping of this run has made it, so its shape is not checked again.
  return { identifiers: identifiersOf(clients, index), payload: JSON.parse(text) as never };
}

/** What must not be changed by two rows at a time: the client, by what its row says of it. */
export function keysOf(
  clients: PreparedClients,
  index: number,
  { keys }: ChangeRule,
): readonly string[] {
  return keys ? keys(subjectOf(clients, index)) : [identifiersOf(clients, index)];
}

const RULES: Readonly<
  Record<Mode, ((changes: ClientChanges, campaignId: () => number) => ChangeRule) | null>
> = {
  create: null,
  enqueue: null,
  upsert: updateRule,
  update: updateRule,
  dequeue: (changes, campaignId) => dequeueRule(changes, campaignId()),
  contacts: contactsRule,
  callbacks: (changes, campaignId) => callbacksRule(changes, campaignId()),
  rekey: rekeyRule,
  delete: deleteRule,
};

/**
 * How a mode changes clients; `null` for modes that change none. `campaignId`: the campaign of modes that need one.
 */
export function changeRuleOf(
  mode: Mode,
  changes: ClientChanges,
  campaignId: number | null,
): ChangeRule | null {
  const needed = (): number => {
    if (campaignId === null) throw new RangeError(`Mode ${mode} needs a campaign.`);
    return campaignId;
  };
  return RULES[mode]?.(changes, needed) ?? null;
}

/** How a contact center says that a contact which is added is on the card already: its words are not shown (4.3). */
const ON_THE_CARD = /already exists/i;

/**
 * Changes fields (interface.md 4.2) and adds contacts that are missing (4.3, 4.5, 4.6a). The interface does not show a
 * card's contacts, so each is sent, and a refusal that says that it is there already is as good. How the fields were
 * before is read first (4.8), for an undo and so that what is as it should be is not sent. The payload may be a whole
 * client.
 */
function updateRule({ change, readCard }: ClientChanges): ChangeRule<Payloads['update']> {
  return {
    outcome: 'updated',
    unchanged: 'unchanged',
    lookUp: async (subject) => {
      const card = await readCard(subject.identifiers);
      if (isAbsent(card)) return card;
      const pairs = Object.entries(fieldsToUpdate(subject)).map(
        ([name, value]) => [name, [scalar(card.fields[name]), value]] as const,
      );
      return { id: card.id, fields: Object.fromEntries(pairs) };
    },
    steps: (subject, earlier) => [...fieldSteps(subject, earlier), ...contactSteps(subject)],
    stepsInDoubt: (subject) => [...fieldSteps(subject, {}), ...contactSteps(subject)],
    send: change,
  };
}

type UpdateSubject = Subject<Payloads['update']>;

function fieldsToUpdate({ identifiers, payload }: UpdateSubject): Record<string, FieldValue> {
  const names = JSON.parse(identifiers) as object;
  return Object.fromEntries(Object.entries(payload.fields).filter(([name]) => !(name in names)));
}

/** Fields that stood otherwise when they were looked up, or of which that is not known. */
function fieldSteps(subject: UpdateSubject, earlier: Earlier): Step[] {
  const isOpen = ([name, value]: [string, FieldValue]): boolean => {
    const before = earlier.fields?.[name]?.[0];
    return before === undefined || before === null || String(before) !== String(value);
  };
  return fieldChange(subject.identifiers, Object.entries(fieldsToUpdate(subject)).filter(isOpen));
}

function contactSteps({ identifiers, payload }: UpdateSubject): Step[] {
  const phones = payload.phones.map(({ phoneNumber, type }) => ({ phoneNumber, type }));
  const emails = payload.emails.map(({ email }) => ({ emailAddress: email }));
  const addresses = payload.addresses.map(({ address, type }) => ({
    ...{ clientAddress: address, type },
  }));
  return [
    ...contactChanges(identifiers, 'addPhone', 'phone', phones),
    ...contactChanges(identifiers, 'addEmail', 'e-mail', emails),
    ...contactChanges(identifiers, 'addAddress', 'address', addresses),
  ].map((step) => ({ ...step, fulfilledBy: ON_THE_CARD, adds: true }));
}

/** Sets the status of phones (interface.md 4.4), e-mail addresses (4.6) and addresses (4.6b). */
function contactsRule({ change }: ClientChanges): ChangeRule<Payloads['contacts']> {
  return {
    outcome: 'updated',
    steps: ({ identifiers, payload }) => {
      const phones = payload.phones.map(({ phoneNumber, active }) => ({ phoneNumber, active }));
      const emails = payload.emails.map(({ email, active }) => ({ emailAddress: email, active }));
      const addresses = payload.addresses.map(({ address, active }) => ({
        ...{ clientAddress: address, active },
      }));
      return [
        ...contactChanges(identifiers, 'setPhoneStatus', 'phone', phones),
        ...contactChanges(identifiers, 'setEmailStatus', 'e-mail', emails),
        ...contactChanges(identifiers, 'setAddressStatus', 'address', addresses),
      ];
    },
    send: change,
  };
}

/** One of the operations on contacts (interface.md 4.3 to 4.6b) for each of them. */
const contactChanges = (
  identifiers: string,
  operation: Step['operation'],
  label: string,
  contacts: readonly object[],
): Step[] =>
  contacts.map((contact, at) => ({
    operation,
    label: `${label} ${at + 1}`,
    body: `{"clientSyncIdentifiers":${identifiers},${JSON.stringify(contact).slice(1)}`,
  }));

/** Gives the client with an internal id new synchronization identifiers (interface.md 4.6c). */
function rekeyRule({ change }: ClientChanges): ChangeRule<Payloads['rekey']> {
  return {
    outcome: 'updated',
    keys: ({ identifiers, payload }) => [`client ${payload.clientId}`, identifiers],
    steps: ({ identifiers, payload: { clientId } }) => {
      const body = `{"clientSyncIdentifiers":${identifiers}}`;
      return [{ operation: 'changeSyncIdentifiers', label: '', params: { clientId }, body }];
    },
    send: change,
  };
}

/**
 * Deletes a client (interface.md 4.7). Its card is read first (4.8): after a lost answer that shows a deletion from a
 * client that never was.
 */
function deleteRule({ change, readCard }: ClientChanges): ChangeRule<Payloads['delete']> {
  return {
    outcome: 'deleted',
    lookUp: async ({ identifiers }) => {
      const card = await readCard(identifiers);
      return isAbsent(card) ? card : { id: card.id };
    },
    steps: ({ identifiers }) => [deletion(identifiers)],
    settle: async ({ identifiers }) => (isAbsent(await readCard(identifiers)) ? 'done' : 'again'),
    send: change,
  };
}

/** What the contact center says of a client that is not there, and of one without a call application (interface.md 7). */
const NO_CLIENT = /^No clients with identifiers/;
const NO_APPLICATION = /^(Client not found in campaign|No clients with identifiers)/;
const NOT_IN_CAMPAIGN = 'Client not found in campaign';

const deletion = (identifiers: string, label = ''): Step => ({
  ...{ operation: 'deleteClient', label, doneBefore: NO_CLIENT },
  body: `{"syncIdentifiers":${identifiers}}`,
});

/**
 * Removes a client's call application (interface.md 4.10). Whether there is one is asked first (4.12): after a lost
 * answer that shows a removal from an application that never was.
 */
function dequeueRule(changes: ClientChanges, campaignId: number): ChangeRule<Payloads['dequeue']> {
  return {
    outcome: 'dequeued',
    lookUp: async ({ identifiers }) => {
      const found = await applicationIn(changes, identifiers, campaignId);
      return isAbsent(found) ? found : {};
    },
    steps: ({ identifiers, payload: { cancelCallbacks } }) => [
      removal(identifiers, { campaignId, cancelCallbacks }),
    ],
    settle: async ({ identifiers }) =>
      isAbsent(await applicationIn(changes, identifiers, campaignId)) ? 'done' : 'again',
    send: changes.change,
  };
}

/**
 * Removes the call applications of clients that a list lacks (interface.md 4.10). One that is not in the campaign any
 * more, as when somebody has removed it, is as wanted.
 */
export function removeMissingRule(
  changes: ClientChanges,
  campaignId: number,
): ChangeRule<Payloads['dequeue']> {
  const rule = dequeueRule(changes, campaignId);
  return {
    ...rule,
    unchanged: 'unchanged',
    lookUp: async ({ identifiers }) => {
      const found = await applicationIn(changes, identifiers, campaignId);
      return isAbsent(found) ? {} : { inCampaign: true };
    },
    steps: (subject, earlier) => (earlier.inCampaign === true ? rule.steps(subject, earlier) : []),
  };
}

async function applicationIn(
  { readApplications }: ClientChanges,
  identifiers: string,
  campaignId: number,
): Promise<ApplicationState | AbsentClient> {
  const found = await readApplications(identifiers);
  if (isAbsent(found)) return found;
  return found.find((one) => one.campaignId === campaignId) ?? { absent: NOT_IN_CAMPAIGN };
}

/** Removes a call application (interface.md 4.10), and its callbacks with it if that is wanted. */
const removal = (
  identifiers: string,
  { campaignId, cancelCallbacks }: { campaignId: number; cancelCallbacks: boolean },
  label = '',
): Step => ({
  ...{ operation: 'removeApplication', label, params: { campaignId }, doneBefore: NO_APPLICATION },
  body: `{"clientIdentifiers":${identifiers},"cancelCallbacks":${cancelCallbacks}}`,
});

/**
 * Creates a callback (interface.md 4.20). The interface lists no callbacks; it only shows whether a call application
 * has one (4.12). So after a lost answer it can show that there is none, and never that there is this one: somebody
 * else may have created another since.
 */
function callbacksRule(
  changes: ClientChanges,
  campaignId: number,
): ChangeRule<Payloads['callbacks']> {
  return {
    outcome: 'scheduled',
    atOnce: 1,
    lookUp: async ({ identifiers }) => {
      const found = await applicationIn(changes, identifiers, campaignId);
      return isAbsent(found) ? found : { hasRecall: found.hasRecall };
    },
    steps: ({ identifiers, payload }) => {
      const clientIdentifiers = JSON.parse(identifiers) as object;
      const body = JSON.stringify({ ...payload, clientIdentifiers, campaignId });
      return [{ operation: 'createCallback', label: '', body }];
    },
    settle: async ({ identifiers, payload }) => {
      const found = await applicationIn(changes, identifiers, campaignId);
      if (isAbsent(found) || !found.hasRecall) return 'again';
      return {
        open: `The answer was lost. The client's call application in campaign ${campaignId} has a callback, which may be this one or another: look whether it has one for ${payload.callAt}.`,
      };
    },
    send: changes.change,
  };
}

const OTHER_CARD = 'Another card has these identifiers now; it was left as it is.';
const GONE = 'The client is not there any more.';

/**
 * Takes back what a run did with a client: its call application is removed (interface.md 4.10), its card deleted (4.7)
 * when the run created it, and fields get the values that they had (4.2), unless somebody has changed them since.
 * How the client stands is read first, and again after a lost answer, so that only what is left is taken back.
 * `campaignId`: that of the run; `null`: it had none. `cancelCallbacks`: whether callbacks go with the call applications.
 */
export function undoRule(
  changes: ClientChanges,
  {
    campaignId,
    cancelCallbacks,
  }: { readonly campaignId: number | null; readonly cancelCallbacks: boolean },
): ChangeRule<UndoPayload> {
  const lookUp = async ({ identifiers, payload }: Subject<UndoPayload>): Promise<Earlier> => {
    if (!payload.created && !payload.enqueued && !payload.fields)
      return undoEarlierOf(payload, null);
    const card = await changes.readCard(identifiers);
    const how = undoEarlierOf(payload, isAbsent(card) ? null : card);
    const isOpen = how.id !== undefined && (payload.enqueued || how.isOwn);
    if (!isOpen || campaignId === null) return how;
    const isInCampaign = !isAbsent(await applicationIn(changes, identifiers, campaignId));
    return isInCampaign ? { ...how, inCampaign: true } : how;
  };

  return {
    outcome: 'undone',
    isInDoubt: ({ payload }) => payload.isInDoubt === true,
    lookUp,
    steps: ({ identifiers }, earlier) => {
      const steps: Step[] = [];
      if (earlier.inCampaign && campaignId !== null)
        steps.push(removal(identifiers, { campaignId, cancelCallbacks }, 'call application'));
      if (earlier.isOwn) steps.push(deletion(identifiers, 'client'));
      const restored = Object.entries(earlier.fields ?? {});
      const fields = restored.map(([name, [, value]]) => [name, value] as const);
      return [...steps, ...fieldChange(identifiers, fields)];
    },
    settle: async (subject) => ({ again: await lookUp(subject) }),
    send: changes.change,
  };
}

/** The card as it is, and what of the payload can be taken back. `null`: there is none. */
function undoEarlierOf(payload: UndoPayload, card: ClientCard | null): Earlier {
  const remarks = [...(payload.remarks ?? [])];
  if (card === null) {
    if (payload.fields || (payload.enqueued && !payload.created)) remarks.push(GONE);
    return remarkOf(remarks);
  }
  // Not every contact center shows the ids of cards: a card that the run had only found is taken for the same one then.
  const isShown = payload.created === true || card.id !== null;
  const isOther = isShown && payload.clientId !== null && card.id !== payload.clientId;
  if (isOther) return remarkOf([...remarks, OTHER_CARD]);
  const restored: Record<string, readonly [now: FieldValue, before: FieldValue]> = {};
  for (const [name, [before, written]] of Object.entries(payload.fields ?? {})) {
    if (!(name in card.fields)) {
      remarks.push(`Field ${name} is not shown by the contact center, and was left as it is.`);
      continue;
    }
    const now = scalar(card.fields[name]);
    if (isSame(now, before)) continue;
    if (isSame(now, written)) restored[name] = [now, before];
    else remarks.push(`Field ${name} has been changed since, and was left as it is.`);
  }
  return {
    id: card.id,
    ...(payload.created ? { isOwn: true } : {}),
    ...(Object.keys(restored).length > 0 ? { fields: restored } : {}),
    ...remarkOf(remarks),
  };
}

function remarkOf(remarks: readonly string[]): Pick<Earlier, 'remark'> {
  return remarks.length > 0 ? { remark: remarks.join(' ') } : {};
}

/** A contact center may keep a number as text and the other way round, and nothing as an empty text. */
function isSame(a: FieldValue, b: FieldValue): boolean {
  return String(a ?? '') === String(b ?? '');
}

function scalar(value: unknown): FieldValue {
  const isScalar =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isScalar ? value : null;
}

/** Changes fields (interface.md 4.2). None: nothing is to be sent. */
function fieldChange(
  identifiers: string,
  fields: readonly (readonly [name: string, value: FieldValue])[],
): Step[] {
  if (fields.length === 0) return [];
  const fieldsToUpdate = JSON.stringify(Object.fromEntries(fields));
  const body = `{"syncIdentifiers":${identifiers},"fieldsToUpdate":${fieldsToUpdate}}`;
  return [{ operation: 'changeClient', label: 'fields', body }];
}
