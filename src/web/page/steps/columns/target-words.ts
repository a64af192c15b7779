import type { Columns, Target } from '../../../shared/columns.js';
import { columnsText, phoneTypeText, targetText } from '../../messages/columns.js';
import type { Option } from '../../parts/combobox.js';
import { t } from '../../state/language.js';

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

export interface ChosenTarget {
  readonly target: string | null;
  readonly isJoined: boolean;
}

export const chosenTarget = (value: string): ChosenTarget =>
  value.startsWith(JOIN)
    ? { target: value.slice(JOIN.length), isJoined: true }
    : { target: value === NONE ? null : value, isJoined: false };

/** Parts that every client has once. */
const OF_CLIENT: ReadonlySet<string> = new Set(['timeZone', 'clientRoleId', 'type']);
export const isOfClient = (target: string): boolean => OF_CLIENT.has(target);

/** Targets that several columns may fill, each on its own. */
const LISTS: ReadonlySet<string> = new Set(['phones', 'emails', 'addresses']);

/** Everything that a column may become. */
export function targetOptions({ targets }: Columns, column: string): Option[] {
  return [
    { value: NONE, label: t(columnsText.notImported), hint: '', words: '' },
    ...targets.flatMap((one) => optionsFor(one, column, targets)),
  ];
}

function optionsFor(target: Target, column: string, targets: readonly Target[]): Option[] {
  const label = targetName(target.target, targets);
  const others = target.columns.filter((one) => one !== column);
  const isList = LISTS.has(target.target);
  const hint = [
    ...(target.name !== null && target.name !== label ? [target.name] : []),
    ...(target.isRequired ? [t(columnsText.required)] : []),
    ...(others.length > 0 ? [t(columnsText.filledBy, others.join(' + '))] : []),
  ].join(' · ');
  const words = [label, target.target, ...target.aliases].join(' ');
  const own = { value: target.target, label, hint, words };
  const canJoin =
    others.length > 0 && !isList && (target.type === 'TextField' || target.type === null);
  if (!canJoin || target.columns.includes(column)) return [own];
  const joined = t(columnsText.together, label, [...others, column].join(' + '));
  return [own, { value: JOIN + target.target, label: joined, hint: '', words }];
}

export const isOfCard = (target: string): boolean => target.includes('.');

/** Whether it may be the same for all rows. Of several identifiers one may be: the others tell the clients apart. */
export const canBeSame = ({ isIdentifier }: Target, targets: readonly Target[]): boolean =>
  !isIdentifier || targets.filter((one) => one.isIdentifier).length > 1;
