import type { FieldValue } from '../../core/client.js';
import { type ClientCard, type ClientChanges, type Earlier, isAbsent } from '../../core/center.js';
import type { UndoPayload } from '../../core/undo.js';
import type { ChangeRule, Step, Subject } from './rule.js';
import { applicationIn, deletion, fieldChange, removal } from './steps.js';
import { scalar } from './update.js';

export interface UndoSettings {
  /** The campaign of the run that is taken back; `null` when it had none. */
  readonly campaignId: number | null;
  /** Whether callbacks go with the call applications (interface.md 4.10). */
  readonly cancelCallbacks: boolean;
}

const OTHER_CARD = 'Another card has these identifiers now; it was left as it is.';
const GONE = 'The client is not there any more.';

/**
 * Takes back what a run did with a client: its call application is removed (interface.md 4.10), its card deleted (4.7)
 * when the run created it, and fields get the values that they had (4.2), unless somebody has changed them since.
 * How the client stands is read first, and again after a lost answer, so that only what is left is taken back.
 */
export function undoRule(changes: ClientChanges, settings: UndoSettings): ChangeRule<UndoPayload> {
  const { campaignId, cancelCallbacks } = settings;

  const lookUp = async ({ identifiers, payload }: Subject<UndoPayload>): Promise<Earlier> => {
    if (!payload.created && !payload.enqueued && !payload.fields) return earlierOf(payload, null);
    const card = await changes.readCard(identifiers);
    const how = earlierOf(payload, isAbsent(card) ? null : card);
    const isOpen = how.id !== undefined && (payload.enqueued || how.isOwn);
    if (!isOpen || campaignId === null) return how;
    const isInCampaign = !isAbsent(await applicationIn(changes, identifiers, campaignId));
    return isInCampaign ? { ...how, inCampaign: true } : how;
  };

  return {
    outcome: 'undone',
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
function earlierOf(payload: UndoPayload, card: ClientCard | null): Earlier {
  const remarks = [...(payload.remarks ?? [])];
  if (card === null) {
    if (payload.fields || (payload.enqueued && !payload.created)) remarks.push(GONE);
    return remarkOf(remarks);
  }
  const isOther = payload.created && payload.clientId !== null && card.id !== payload.clientId;
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
