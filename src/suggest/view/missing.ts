import type { Installation } from '../../installation/installation.js';
import type { MappingEdit } from '../../mapping/edit/edit.js';
import type { Candidate } from '../choose/candidate.js';
import { fieldFor, knownFields } from '../choose/card-fields.js';
import { nameOrder } from '../draft/join.js';
import type { ReadTable } from '../suggest.js';
import { COUNTRY_ZONES } from '../words/zones.js';
import type { MissingTarget, TargetChoice } from './columns-view.js';
import { keysFor } from './keys.js';

/** What a client must have and no value of the mapping fills, with the edits that would. */
export function missingTargets(
  choices: readonly TargetChoice[],
  filled: ReadonlySet<string>,
  read: ReadTable,
  installation: Pick<Installation, 'card' | 'clientRoles'>,
): MissingTarget[] {
  return choices
    .filter(({ target, isRequired }) => isRequired && !filled.has(target))
    .map(({ target, isIdentifier }) => ({
      ...{ target, isIdentifier },
      ...proposalFor(target, read, installation),
    }));
}

type Proposal = Pick<MissingTarget, 'columns' | 'edits'>;

function proposalFor(
  target: TargetChoice['target'],
  read: ReadTable,
  installation: Pick<Installation, 'card' | 'clientRoles'>,
): Proposal {
  const uses = nameOrder(usesFor(target, read, installation), read.language);
  const columns = uses.map(({ column }) => column.header);
  const [first] = uses;
  if (!first) return constantFor(target, read, installation);
  if (uses.length > 1 && target.startsWith('fields.'))
    return { columns, edits: [{ kind: 'columns', target, columns, ...between(read) }] };
  const edits = uses.map(({ column, phoneType }): MappingEdit => ({
    ...{ kind: 'become', column: column.header, target, at: 'new' },
    ...(phoneType === undefined ? {} : { phoneType }),
    keys: keysFor(column, target, read, installation),
  }));
  return { columns, edits };
}

const between = ({ language }: ReadTable): { join?: string } =>
  language === 'zh' || language === 'ja' ? { join: '' } : {};

/** Columns that suggest has for a target; those of the parts of a name, where the card has fields for them too. */
function usesFor(
  target: string,
  { assigned }: ReadTable,
  { card }: Pick<Installation, 'card'>,
): Candidate[] {
  const of = (wanted: string): Candidate[] =>
    assigned.flatMap(({ use }) => (use?.target === wanted ? [use] : []));
  const own = of(target);
  const fields = knownFields(card);
  if (own.length > 0 || `fields.${fieldFor(fields, 'fullName')?.name ?? ''}` !== target) return own;
  return (['firstName', 'middleName', 'lastName'] as const).flatMap((part) => {
    const field = fieldFor(fields, part);
    const [use] = field ? of(`fields.${field.name}`) : [];
    return use ? [{ ...use, part }] : [];
  });
}

/** What is the same in all rows where no column says it. */
function constantFor(
  target: TargetChoice['target'],
  { country }: ReadTable,
  { clientRoles }: Pick<Installation, 'clientRoles'>,
): Proposal {
  const value =
    target === 'timeZone'
      ? (COUNTRY_ZONES[country.code ?? ''] ?? 'UTC')
      : target === 'clientRoleId'
        ? (clientRoles?.[0] ?? 1)
        : undefined;
  return { columns: [], edits: value === undefined ? [] : [{ kind: 'constant', target, value }] };
}
