import { CLIENT_TYPES } from '../../core/client.js';
import { MODE_TRAITS, type Mode } from '../../core/mode.js';
import type { Installation } from '../../installation/installation.js';
import { type ColumnTarget, FIXED_TARGETS } from '../../mapping/edit/target.js';
import { isRecord } from '../../mapping/edit/record.js';
import type { WrittenUse } from '../../mapping/edit/uses.js';
import type { TargetChoice } from './columns-view.js';
import { textOf } from './use.js';

const CONTACTS: ReadonlySet<ColumnTarget> = new Set<ColumnTarget>([
  'phones',
  'emails',
  'addresses',
]);
const KIND: ReadonlySet<ColumnTarget> = new Set<ColumnTarget>(['timeZone', 'type', 'clientRoleId']);

/** Everything that a column may become in a mode: fields of the card, then the parts that every client has. */
export function targetChoices(
  { card, clientRoles = [] }: Pick<Installation, 'card' | 'clientRoles'>,
  mode: Mode,
  uses: readonly WrittenUse[],
): TargetChoice[] {
  const fillingOf = (target: ColumnTarget) =>
    filling(
      target,
      uses.filter((use) => use.target === target),
    );
  const roles = clientRoles.map(String);
  const fields = Object.entries(card).filter(([, { sync }]) => sync || takesOthers(mode));
  return [
    ...fields.map(([name, field]): TargetChoice => {
      const target: ColumnTarget = `fields.${name}`;
      return {
        ...{ target, name, title: field.title ?? null, aliases: field.aliases ?? [] },
        ...{ type: field.type, values: field.values ?? [], isIdentifier: field.sync },
        isRequired: isNeeded(field, mode),
        ...fillingOf(target),
      };
    }),
    ...FIXED_TARGETS.filter((target) => isOfMode(target, mode)).map((target): TargetChoice => ({
      ...{ target, name: null, title: null, aliases: [], type: null, isIdentifier: false },
      values: target === 'type' ? CLIENT_TYPES : target === 'clientRoleId' ? roles : [],
      isRequired: neededParts(mode).has(target),
      ...fillingOf(target),
    })),
  ];
}

/** A client is one of these as long as nothing is said. */
const [USUAL_TYPE] = CLIENT_TYPES;

function filling(
  target: ColumnTarget,
  uses: readonly WrittenUse[],
): Pick<TargetChoice, 'columns' | 'constant' | 'isFilled'> {
  const constants = uses.map(({ spec }) => (isRecord(spec) ? textOf(spec['value']) : null));
  const usual = uses.length === 0 && target === 'type' ? USUAL_TYPE : null;
  return {
    columns: uses.flatMap(({ columns }) => columns),
    constant: constants.find((text) => text !== null) ?? usual,
    isFilled: uses.length > 0,
  };
}

/** Whether a client of the mode must have the field. */
const isNeeded = (field: { sync: boolean; required: boolean }, mode: Mode): boolean =>
  field.sync || (field.required && MODE_TRAITS[mode].creates);

const takesOthers = (mode: Mode): boolean => MODE_TRAITS[mode].creates || mode === 'update';

function isOfMode(target: ColumnTarget, mode: Mode): boolean {
  const { hasPhones, creates } = MODE_TRAITS[mode];
  if (CONTACTS.has(target)) return hasPhones;
  if (KIND.has(target)) return creates;
  if (target === 'clientId') return mode === 'rekey';
  return target.startsWith('callback.') ? mode === 'callbacks' : true;
}

function neededParts(mode: Mode): ReadonlySet<ColumnTarget> {
  const { creates } = MODE_TRAITS[mode];
  return new Set<ColumnTarget>([
    ...(creates ? (['phones', 'timeZone', 'clientRoleId'] as const) : []),
    ...(mode === 'rekey' ? (['clientId'] as const) : []),
    ...(mode === 'callbacks' ? FIXED_TARGETS.filter((one) => one.startsWith('callback.')) : []),
  ]);
}
