import { suggestTable, type Suggestion } from '../../src/suggest/suggest.js';
import { SURE } from '../../src/suggest/columns.js';
import { CARDS } from './cards.js';
import type { Export } from './exports.js';

/** How the suggestions for some exports compare with what was expected of them. */
export interface Figures {
  readonly exports: number;
  readonly columns: number;
  readonly right: number;
  readonly wrongAndSure: number;
  readonly phoneTypes: readonly [right: number, all: number];
  /** Exports of which nothing is missing, and those of them whose draft was accepted. */
  readonly complete: number;
  readonly accepted: number;
  /** Smallest share of rows that became clients, of the accepted drafts. */
  readonly smallestShare: number;
  readonly misses: readonly string[];
}

export function suggestFor({ columns, rows, card, name, delimiter }: Export): Suggestion {
  return suggestTable({
    table: {
      headers: columns.map(({ header }) => header),
      sample: rows,
      first: rows.map((cells, index) => ({
        row: index + 2,
        cells: cells.map((cell) => (cell === '' ? null : cell)),
      })),
    },
    source: {
      file: `${name}.csv`,
      headerRow: 1,
      info: {
        format: 'csv',
        formatName: 'CSV',
        encoding: 'utf-8',
        delimiter,
        gzip: false,
        bom: false,
        sheets: [],
        bytes: 0,
      },
    },
    installation: { card: CARDS[card], clientRoles: [1, 2] },
  });
}

/** An export with what was suggested for it. */
export type Suggested = readonly [of: Export, suggestion: Suggestion];

export function figuresOf(suggested: readonly Suggested[]): Figures {
  const misses: string[] = [];
  let [columns, right, sureAndWrong, complete, accepted, smallestShare, types, rightTypes] = [
    0, 0, 0, 0, 0, 1, 0, 0,
  ];
  for (const [each, { columns: found, missing, toFillIn, trial }] of suggested) {
    each.columns.forEach(({ header, target, phoneType }, index) => {
      const suggested = found[index];
      columns++;
      if (suggested?.target === target) {
        right++;
        if (phoneType !== undefined) {
          types++;
          if (suggested.phoneType === phoneType) rightTypes++;
          else
            misses.push(
              `${each.name}: ${header}: type ${phoneType}, got ${suggested.phoneType ?? 'none'}`,
            );
        }
        return;
      }
      if ((suggested?.score ?? 0) >= SURE && suggested?.target !== null) sureAndWrong++;
      misses.push(
        `${each.name}: ${header}: ${target ?? 'null'}, got ${suggested?.target ?? 'null'} ${suggested?.score ?? 0} (${suggested?.why ?? ''})`,
      );
    });
    if (missing.length > 0) {
      misses.push(`${each.name}: missing ${missing.join(', ')}`);
      continue;
    }
    complete++;
    if (!trial) misses.push(`${each.name}: not tried, fill in ${toFillIn.join(', ')}`);
    else {
      accepted++;
      const share = trial.clients / trial.rows;
      smallestShare = Math.min(smallestShare, share);
      if (share < 0.99)
        misses.push(
          `${each.name}: ${trial.rejected} of ${trial.rows} rejected: ${trial.problems
            .slice(0, 3)
            .map(({ column, code }) => `${column ?? ''} ${code}`)
            .join(', ')}`,
        );
    }
  }
  return {
    exports: suggested.length,
    columns,
    right,
    wrongAndSure: sureAndWrong,
    phoneTypes: [rightTypes, types],
    complete,
    accepted,
    smallestShare,
    misses,
  };
}
