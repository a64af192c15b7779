import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cellMaker } from './cells.js';
import type { CARDS } from './cards.js';
import { randomOf } from './random.js';

/** A column of an export with the target that a person would choose for it. */
export interface ExpectedColumn {
  readonly header: string;
  readonly target: string | null;
  readonly phoneType?: string;
}

/** An invented export. */
export interface Export {
  readonly name: string;
  readonly language: string;
  readonly card: keyof typeof CARDS;
  readonly delimiter: string;
  /** Two header rows, title rows above the header, no header. */
  readonly shape: string | undefined;
  readonly heldOut: boolean;
  readonly columns: readonly ExpectedColumn[];
  readonly rows: readonly (readonly string[])[];
}

const FOLDER = join(import.meta.dirname, 'exports');

const SHORT: Readonly<Record<string, string | null>> = {
  '-': null,
  '@': 'emails',
  tel: 'phones',
  addr: 'addresses',
  tz: 'timeZone',
  type: 'type',
  role: 'clientRoleId',
  uuid: 'uuid',
};

export function allExports(): Export[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.txt'))
    .sort()
    .flatMap((file) =>
      readFileSync(join(FOLDER, file), 'utf8')
        .split(/^== /m)
        .slice(1)
        .map((block) => parse(block, file.startsWith('held-out'))),
    );
}

function parse(block: string, heldOut: boolean): Export {
  const [head = '', ...lines] = block
    .trim()
    .split('\n')
    .filter((line) => line.trim() !== '');
  const [name = '', language = '', country = '', card = '', delimiter = '', rows = '', shape] = head
    .split(' | ')
    .map((part) => part.trim());
  const parts = lines.map((line) => {
    const [header = '', ...rest] = line.split(' | ').map((part) => part.trim());
    return { header, kind: rest.slice(0, -1).join(' | '), target: rest.at(-1) ?? '' };
  });
  const makers = parts.map(({ kind }) => cellMaker(kind, language, country));
  const random = randomOf(Buffer.from(name).reduce((sum, byte) => (sum * 31 + byte) >>> 0, 7));
  return {
    ...{ name, language, heldOut, shape },
    card: card as keyof typeof CARDS,
    delimiter: delimiter === 'tab' ? '\t' : delimiter,
    columns: parts.map(({ header, target }) => expected(header, target)),
    rows: Array.from({ length: Number(rows) }, (_, row) => makers.map((make) => make(row, random))),
  };
}

function expected(header: string, written: string): ExpectedColumn {
  if (written.startsWith('.')) return { header, target: `fields.${written.slice(1)}` };
  const [short = '', phoneType] = written.split(':');
  const target = SHORT[short];
  if (target === undefined) throw new Error(`${header}: ${written} is no target`);
  return { header, target, ...(phoneType === undefined ? {} : { phoneType }) };
}
