import type { Profile } from '../contents/profile.js';
import { type Concept, DATE_CONCEPTS, NUMBER_CONCEPTS } from '../words/concepts.js';

/** What the cells say to a meaning of the header. `open`: they say nothing. */
export type Fit = 'yes' | 'no' | 'open';

const PHONES: ReadonlySet<Concept> = new Set<Concept>([
  ...(['phone', 'mobile', 'homePhone', 'workPhone', 'fax', 'otherPhone'] as const),
]);

/** Whether a column of this meaning holds phone numbers. */
export const isPhoneConcept = (concept: Concept): boolean => PHONES.has(concept);

const NAMES: ReadonlySet<Concept> = new Set<Concept>([
  ...(['fullName', 'name', 'firstName', 'middleName', 'lastName'] as const),
]);

/** Meanings of which any text is right, unless it is of a kind that is recognised by its form. */
const ANY: ReadonlySet<Concept> = new Set<Concept>([
  ...([
    'id',
    'contract',
    'policy',
    'order',
    'offer',
    'governmentId',
    'bankAccount',
    'plateNumber',
  ] as const),
]);

/** Share of the cells from which a column is taken for what they look like. */
const MAIN_SHARE = 0.6;
const SMALL_SHARE = 0.3;

/** Whether what a column holds fits what its header means. */
export function fitOf(concept: Concept, cells: Profile, phoneShare: () => number): Fit {
  if (cells.filled === 0) return 'open';
  if (isPhoneConcept(concept)) return byShare(phoneShare());
  if (concept === 'email') return byShare(cells.share('email'));
  if (concept === 'timeZone') return byShare(cells.share('zone'));
  if (concept === 'uuid') return byShare(cells.share('uuid'));
  if (concept === 'salutation') return byShare(cells.share('salutation'));
  if (DATE_CONCEPTS.has(concept)) return byShare(cells.share('date'));
  if (NUMBER_CONCEPTS.has(concept))
    return cells.share('date') > MAIN_SHARE ? 'no' : byShare(cells.share('number'));
  if (concept === 'website' || concept === 'domain')
    return cells.share('url') >= MAIN_SHARE
      ? 'yes'
      : cells.share('email') > MAIN_SHARE || isAnswer(cells)
        ? 'no'
        : 'open';
  if (NAMES.has(concept)) return nameFit(cells);
  if (concept === 'consent' || concept === 'doNotCall')
    return cells.share('yesNo') >= MAIN_SHARE ? 'yes' : 'open';
  if (ANY.has(concept))
    return isAnswer(cells) || cells.share('email') > MAIN_SHARE || cells.share('date') > MAIN_SHARE
      ? 'no'
      : 'open';
  if (concept === 'postcode' || concept === 'house' || concept === 'apartment')
    return hasForm(cells, ['email', 'date', 'time', 'uuid', 'ip']) || isAnswer(cells)
      ? 'no'
      : 'open';
  if (concept === 'source')
    return hasForm(cells, ['email', 'date', 'time', 'uuid', 'ip']) ? 'no' : 'open';
  return hasForm(cells, ['email', 'date', 'time', 'uuid', 'ip', 'number']) || isAnswer(cells)
    ? 'no'
    : 'open';
}

const byShare = (share: number): Fit =>
  share >= MAIN_SHARE ? 'yes' : share <= SMALL_SHARE ? 'no' : 'open';

function hasForm(cells: Profile, kinds: readonly Parameters<Profile['share']>[0][]): boolean {
  return kinds.some((kind) => cells.share(kind) > 0.8);
}

/** Yes and no in words, not the numbers 0 and 1, which mean many things. */
export function isAnswer(cells: Profile): boolean {
  return cells.share('yesNo') > 0.8 && cells.values.size <= 4;
}

function nameFit(cells: Profile): Fit {
  if (hasForm(cells, ['email', 'date', 'time', 'uuid', 'ip', 'number', 'url']) || isAnswer(cells))
    return 'no';
  if (cells.share('company') > 0.5) return 'no';
  return cells.share('name') >= MAIN_SHARE ? 'yes' : 'open';
}
