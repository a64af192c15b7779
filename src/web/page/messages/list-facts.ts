import type { QualityPart } from '../../../core/quality-parts.js';
import { counted, number, type Message, type Messages } from '../state/language.js';

export const listText = {
  title: { en: 'The list as a whole', ru: 'Список в целом' },
  score: {
    en: (score: number) => `Quality ${number(score)} of 100`,
    ru: (score: number) => `Качество ${number(score)} из 100`,
  },
  lost: {
    en: (lost: number, rows: number, outside: number) =>
      `${number(lost)} of ${counted(rows, { one: 'row', other: 'rows' })} rejected or skipped` +
      (outside === 0 ? '' : `; the mapping does not take ${number(outside)} more`),
    ru: (lost: number, rows: number, outside: number) =>
      `отклонено или пропущено строк: ${number(lost)} из ${number(rows)}` +
      (outside === 0 ? '' : `; ещё не взято правилами: ${number(outside)}`),
  },
  part: { en: 'What counts', ru: 'Что учитывается' },
  points: { en: 'Points', ru: 'Баллы' },
  of: {
    en: (points: number, of: number) => `${number(points)} of ${number(of)}`,
    ru: (points: number, of: number) => `${number(points)} из ${number(of)}`,
  },
  whole: { en: 'the list as a whole', ru: 'список в целом' },
  minus: {
    en: (points: number) => `−${number(points)}`,
    ru: (points: number) => `−${number(points)}`,
  },
  found: {
    en: (doubts: number, notes: number) =>
      [
        ...(doubts > 0 ? [counted(doubts, { one: 'doubt', other: 'doubts' })] : []),
        ...(notes > 0 ? [counted(notes, { one: 'note', other: 'notes' })] : []),
      ].join(', '),
    ru: (doubts: number, notes: number) =>
      [
        ...(doubts > 0 ? [`сомнений: ${number(doubts)}`] : []),
        ...(notes > 0 ? [`примечаний: ${number(notes)}`] : []),
      ].join(', '),
  },
  rows: { en: 'Rows that lose points', ru: 'Строк, теряющих баллы' },
  holds: { en: 'holds', ru: 'выполнено' },
  warns: { en: 'warns', ru: 'внимание' },
  stops: { en: 'stops the import', ru: 'импорт не начнётся' },
} as const satisfies Messages;

export const partText = {
  phones: { en: 'phones valid', ru: 'телефоны верны' },
  unique: { en: 'unique', ru: 'без повторов' },
  suppressed: { en: 'not suppressed', ru: 'можно звонить' },
  zone: { en: 'time zone certain', ru: 'часовой пояс известен' },
  fresh: { en: 'fresh', ru: 'свежие' },
  complete: { en: 'complete', ru: 'заполнены' },
} as const satisfies Record<QualityPart, Message>;
