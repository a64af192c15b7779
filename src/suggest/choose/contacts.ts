import { areMobile } from '../phones.js';
import { zoneOf, meaningsOfValue } from '../contents.js';
import type { PhoneType } from '../suggestion.js';
import type { Concept } from '../words.js';
import {
  type Candidate,
  percent,
  type Column,
  likelihood,
  meaningOf,
  PHONE_CONCEPTS,
} from './columns.js';

const TYPES: Partial<Record<Concept, PhoneType>> = {
  mobile: 'MOB',
  homePhone: 'HOME',
  workPhone: 'WORK',
  fax: 'FAX',
};

/** Whether a meaning is about the likeliest that the cells leave to the column. */
function isMain({ meanings }: Column, score: number, concepts: readonly Concept[]): boolean {
  return (
    score > 0.35 &&
    meanings.every(
      (other) =>
        other.fit === 'no' || concepts.includes(other.concept) || other.score <= score + 0.05,
    )
  );
}

/** Score of a column whose header says nothing and whose cells say everything. */
const BY_CELLS = 0.88;

/** How likely a column holds phone numbers, and of which type. */
export function phoneCandidate(
  column: Column,
  country: string | undefined,
  others: readonly Column[],
): Candidate[] {
  const { name, cells, phoneShare } = column;
  if (name.ofOthers) return [];
  const meaning = meaningOf(column, ...PHONE_CONCEPTS);
  const likely = likelihood(column, PHONE_CONCEPTS);
  const type = TYPES[meaning?.concept ?? 'phone'] ?? typeByCells(column, country, others);
  const how =
    cells.filled === 0
      ? 'its name says phone, and its cells are empty'
      : `${percent(phoneShare)} of its cells are phone numbers`;
  const areShown = phoneShare >= 0.9 && cells.filled >= 3;
  const isWritten = cells.shareOf((text) => /^\+|[\s().-]/.test(text)) > 0.5;
  const byCells = !areShown ? 0 : isWritten && !name.about ? BY_CELLS : 0.45;
  if (meaning && isMain(column, likely, PHONE_CONCEPTS)) {
    const score = Math.max(likely, isWritten ? byCells : 0);
    return [{ column, target: 'phones', score, why: how, phoneType: type }];
  }
  const isFree = column.meanings.every(({ fit, score }) => fit === 'no' || score < 0.5);
  if (!areShown || !isFree) return [];
  const why = `${how}, whatever its name says`;
  return [{ column, target: 'phones', score: byCells, why, phoneType: type }];
}

/** A phone beside a mobile one is the other one; where there is a company it rings there. */
function typeByCells(
  { cells }: Column,
  country: string | undefined,
  others: readonly Column[],
): PhoneType {
  const isMobile = areMobile(cells.values, country);
  if (isMobile !== null) return isMobile ? 'MOB' : fixedType(others);
  const hasMobile = others.some((other) => meaningOf(other, 'mobile') !== undefined);
  return hasMobile ? fixedType(others) : 'MOB';
}

const fixedType = (others: readonly Column[]): PhoneType =>
  others.some((other) => (meaningOf(other, 'company')?.score ?? 0) > 0.8) ? 'WORK' : 'HOME';

/** How likely a column holds e-mail addresses. */
export function emailCandidate(column: Column): Candidate[] {
  const { name, cells } = column;
  if (name.ofOthers) return [];
  const share = cells.share('email');
  const how =
    cells.filled === 0
      ? 'its name says e-mail, and its cells are empty'
      : `${percent(share)} of its cells are e-mail addresses`;
  const meaning = meaningOf(column, 'email');
  if (meaning && isMain(column, meaning.score, ['email']))
    return [{ column, target: 'emails', score: meaning.score, why: how }];
  if (share < 0.8 || column.meanings.some(({ concept }) => concept === 'owner')) return [];
  return [
    {
      column,
      target: 'emails',
      score: Math.min(0.92, BY_CELLS + 0.04),
      why: `${how}, whatever its name says`,
    },
  ];
}

/** How likely a column holds time zones. */
export function zoneCandidate(column: Column): Candidate[] {
  const meaning = meaningOf(column, 'timeZone');
  const share = column.cells.share('zone');
  if (meaning)
    return [
      {
        column,
        target: 'timeZone',
        score: meaning.score,
        why: `${percent(share)} of its cells are time zones`,
      },
    ];
  const named = column.cells.shareOf((text) => text.includes('/') && zoneOf(text) !== null);
  return named > 0.9
    ? [{ column, target: 'timeZone', score: 0.9, why: 'its cells are names of time zones' }]
    : [];
}

/** VIP or SIMPLE: by a column that says so in words, or answers whether somebody is one. */
export function typeCandidate(column: Column): Candidate[] {
  const meaning = meaningOf(column, 'tier', 'segment', 'status');
  const { cells, name } = column;
  const words = cells.shareOf((text) =>
    meaningsOfValue(text).some((each) => each === 'vip' || each === 'simple'),
  );
  const hasVip = [...cells.values.keys()].some((text) => meaningsOfValue(text).includes('vip'));
  const asksVip = /\bvip\b|вип|віп/u.test(name.form);
  if (asksVip && cells.share('yesNo') > 0.8)
    return [{ column, target: 'type', score: 0.93, why: 'it answers whether a client is VIP' }];
  if (!meaning || !hasVip || words < 0.5 || cells.values.size > 8) return [];
  const score = meaning.concept === 'tier' ? 0.6 + 0.35 * words : 0.5;
  return [
    { column, target: 'type', score, why: `${percent(words)} of its cells are classes of clients` },
  ];
}

/** How likely a column holds the numbers of client roles. */
export function roleCandidate(column: Column, roles: readonly number[] | undefined): Candidate[] {
  const meaning = meaningOf(column, 'clientRole');
  if (!meaning || column.cells.filled === 0) return [];
  const share = column.cells.shareOf(
    (text) => /^\d+$/.test(text) && (roles?.includes(Number(text)) ?? true),
  );
  return share > 0.95
    ? [{ column, target: 'clientRoleId', score: meaning.score, why: 'its cells are client roles' }]
    : [];
}

/** A UUID for each row. */
export function uuidCandidate(column: Column): Candidate[] {
  const { cells, name } = column;
  const isUnique = cells.values.size >= cells.filled * 0.95 && cells.filled === cells.rows;
  if (cells.filled < 3) return [];
  if (cells.share('uuid') < 0.98 || !isUnique) return [];
  const meaning = meaningOf(column, 'uuid', 'id');
  const score = meaning ? meaning.score * 0.93 : name.ofOthers || name.about ? 0.4 : 0.8;
  return [{ column, target: 'uuid', score, why: 'it has a UUID in every row' }];
}

/** An address, or the name of a company, in a column that is named like something else. */
export function cellsCandidate(column: Column, company: string | undefined): Candidate[] {
  const { cells, name, meanings } = column;
  if (cells.filled < 5 || name.ofOthers || name.about) return [];
  if (meanings.some(({ fit, score }) => fit !== 'no' && score >= 0.5)) return [];
  if (cells.share('address') > 0.8 && cells.shareOf((text) => text.includes(',')) > 0.8) {
    const score = meanings.length > 0 ? 0.7 : 0.55;
    return [{ column, target: 'addresses', score, why: 'its cells look like addresses' }];
  }
  if (cells.share('company') < 0.5 || company === undefined) return [];
  const why = 'its cells look like names of companies';
  return [{ column, target: `fields.${company}`, score: 0.86, why }];
}
