import { tablesIn } from '../kit/tables.js';
import { type CardOf, cardOf } from '../mapping/files.js';

type Name = 'leads' | 'offers' | 'debts' | 'dial' | 'policy' | 'titled';

const written = tablesIn(import.meta.dirname, 'cards.yaml') as Readonly<Record<Name, CardOf>>;
const cards = Object.entries(written).map(([name, card]) => [name, cardOf(card)] as const);

/** The card configurations that the exports are suggested for. */
export const CARDS = Object.fromEntries(cards) as Readonly<Record<Name, ReturnType<typeof cardOf>>>;
