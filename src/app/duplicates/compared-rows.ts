import type { DuplicateRule, EarlierRows, LaterRows } from '../../core/duplicates.js';

/** What is known before the first row is sent, where the rule of duplicates asks for it. */
export interface ComparedRows {
  readonly earlier: EarlierRows | undefined;
  readonly later: LaterRows | undefined;
  close(): void;
}

/** How it is found out. */
export interface ComparedSearch {
  readonly earlier: () => Promise<EarlierRows | undefined>;
  readonly later: (earlier: EarlierRows | undefined) => Promise<LaterRows | undefined>;
}

/** Asks for what the rule needs; nothing where it compares a row with those before it alone. */
export async function comparedRows(
  { by, within, keep }: DuplicateRule,
  search: ComparedSearch,
): Promise<ComparedRows> {
  const compares = by.length > 0;
  const earlier = compares && within === 'runs' ? await search.earlier() : undefined;
  try {
    const later = compares && keep === 'last' ? await search.later(earlier) : undefined;
    const close = (): void => {
      earlier?.close();
      later?.close();
    };
    return { earlier, later, close };
  } catch (error) {
    earlier?.close();
    throw error;
  }
}
