import type { writtenColumns } from '../../../setup/mappings.js';

/** Columns of the parts of a client, by the mapping. */
export type ColumnsOf = ReturnType<typeof writtenColumns>;

const CONTACTS = ['phones', 'emails', 'addresses'] as const;

/** Parts of a client whose cells can mend what is wrong with a row as a whole, by the code of the problem. */
const PARTS: Readonly<Record<string, Parameters<ColumnsOf>>> = {
  no_phone: ['phones'],
  no_contact: [...CONTACTS],
  two_statuses: [...CONTACTS],
  no_time_zone: ['phones'],
  ambiguous_time_zone: ['phones'],
};

/** The columns whose cells can mend what is wrong with a row as a whole. */
export const mendingColumns = (
  columnsOf: ColumnsOf,
  codes: readonly (string | null)[],
): ReadonlySet<string> => new Set(codes.flatMap((code) => columnsOf(...(PARTS[code ?? ''] ?? []))));
