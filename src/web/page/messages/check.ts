import type { Mode } from '../../../core/mode.js';
import {
  counted,
  number,
  percent,
  type Forms,
  type Message,
  type Messages,
} from '../state/language.js';

const rowEn: Forms = { one: 'row', other: 'rows' };
const rowRu: Forms = { one: 'строка', few: 'строки', many: 'строк', other: 'строки' };
/** After 'в': in so many rows. */
const inRowRu: Forms = { one: 'строке', few: 'строках', many: 'строках', other: 'строках' };

/** What would become of the rows that are sent. */
export const wouldText = {
  create: { en: 'would be created', ru: 'будет создано' },
  upsert: { en: 'would be created or updated', ru: 'будет создано или обновлено' },
  update: { en: 'would be updated', ru: 'будет обновлено' },
  enqueue: { en: 'would be added to the campaign', ru: 'будет добавлено в кампанию' },
  dequeue: { en: 'would be removed from the campaign', ru: 'будет снято с кампании' },
  contacts: { en: 'would have contacts changed', ru: 'контакты будут изменены' },
  callbacks: { en: 'would get a callback', ru: 'получат перезвон' },
  rekey: { en: 'would get other identifiers', ru: 'получат другие идентификаторы' },
  delete: { en: 'would be deleted', ru: 'будет удалено' },
} as const satisfies Record<Mode, Message>;

export const checkText = {
  title: { en: 'Is everything right?', ru: 'Всё ли верно?' },
  rows: { en: 'rows', ru: 'строк всего' },
  rowsSoFar: { en: 'rows so far', ru: 'строк проверено' },
  wouldBeSent: { en: 'would be sent', ru: 'будет отправлено' },
  rejected: { en: 'rejected', ru: 'отклонено' },
  leftOut: { en: 'left out', ru: 'пропущено' },
  duplicates: {
    en: (count: number) =>
      `${counted(count, { one: 'duplicate', other: 'duplicates' })} among them`,
    ru: (count: number) =>
      `из них ${counted(count, { one: 'повтор', few: 'повтора', many: 'повторов', other: 'повтора' })}`,
  },
  checking: { en: 'Checking', ru: 'Идёт проверка' },
  secondsLeft: {
    en: (seconds: number) => `${counted(seconds, { one: 'second', other: 'seconds' })} left`,
    ru: (seconds: number) => `осталось ${number(seconds)} с`,
  },
  progress: {
    en: (share: number, rejected: number) =>
      `${percent(share)} checked, ${counted(rejected, rowEn)} rejected`,
    ru: (share: number, rejected: number) =>
      `проверено ${percent(share)}, отклонено: ${counted(rejected, rowRu)}`,
  },
  finished: {
    en: (rows: number, rejected: number) =>
      `Checked: ${counted(rows, rowEn)}, ${number(rejected)} rejected`,
    ru: (rows: number, rejected: number) =>
      `Проверено: ${counted(rows, rowRu)}, отклонено ${number(rejected)}`,
  },
  problems: { en: 'What is wrong', ru: 'Что не так' },
  wholeRow: { en: 'Whole row', ru: 'Вся строка' },
  noProblems: {
    en: 'Every row can be sent as it is.',
    ru: 'Все строки можно отправить как есть.',
  },
  noProblemsYet: { en: 'Nothing is wrong so far.', ru: 'Пока всё верно.' },
  noRows: { en: 'There are no rows below the header.', ru: 'Под заголовком нет строк.' },
  groupGone: {
    en: 'No row has this problem any more.',
    ru: 'Этой ошибки больше нет ни в одной строке.',
  },
  groupNotYet: {
    en: 'No row with this problem has come yet.',
    ru: 'Строк с этой ошибкой пока не встретилось.',
  },
  mendAll: { en: 'Mend all rows with a value', ru: 'Исправить все строки со значением' },
  noMends: {
    en: 'No rule mends these rows: correct the cells below, or change the mapping in the step Columns.',
    ru: 'Правилом эти строки не исправить: исправьте ячейки ниже или измените сопоставление на шаге «Столбцы».',
  },
  replaceBy: {
    en: (value: string) => `Replace “${value}” by`,
    ru: (value: string) => `Заменить «${value}» на`,
  },
  choose: { en: 'choose…', ru: 'выберите…' },
  replaceIn: {
    en: (rows: number, isMin: boolean) => `Replace in ${minSign(isMin)}${counted(rows, rowEn)}`,
    ru: (rows: number, isMin: boolean) => `Заменить в ${minSign(isMin)}${counted(rows, inRowRu)}`,
  },
  blankIn: { en: 'Count as an empty cell', ru: 'Считать пустой ячейкой' },
  blankLabel: {
    en: (value: string) => `Count as an empty cell: “${value}”`,
    ru: (value: string) => `Считать пустой ячейкой: «${value}»`,
  },
  dropIn: {
    en: (column: string, rows: number) =>
      `Leave out what is wrong in ${column}: ${counted(rows, rowEn)}`,
    ru: (column: string, rows: number) =>
      `Не передавать неверные значения столбца ${column}: ${counted(rows, rowRu)}`,
  },
  showMore: {
    en: (count: number) => `Show ${counted(count, { one: 'more value', other: 'more values' })}`,
    ru: (count: number) =>
      `Показать ещё ${counted(count, { one: 'значение', few: 'значения', many: 'значений', other: 'значения' })}`,
  },
  moreValues: {
    en: 'There are more values than these.',
    ru: 'Есть и другие значения.',
  },
  ruleMade: {
    en: 'The mapping has the rule now. The rows are checked again.',
    ru: 'Правило добавлено в сопоставление. Строки проверяются заново.',
  },
  corrected: {
    en: 'The correction is kept. The rows are checked again.',
    ru: 'Исправление сохранено. Строки проверяются заново.',
  },
  takenBack: {
    en: 'The correction is taken back. The rows are checked again.',
    ru: 'Исправление отменено. Строки проверяются заново.',
  },
  rowsOf: {
    en: (from: number, to: number, total: number) =>
      `Rows ${number(from)} to ${number(to)} of ${number(total)}`,
    ru: (from: number, to: number, total: number) =>
      `Строки ${number(from)}–${number(to)} из ${number(total)}`,
  },
  moreColumns: {
    en: (count: number) =>
      `${counted(count, { one: 'further column is', other: 'further columns are' })} not shown.`,
    ru: (count: number) => `Не показано столбцов: ${number(count)}.`,
  },
  checkedAgain: { en: 'being checked again', ru: 'проверяются заново' },
  alsoWrong: { en: 'Also wrong', ru: 'Также неверно' },
  row: { en: 'Row', ru: 'Строка' },
  sheetRow: { en: 'Sheet, row', ru: 'Лист, строка' },
  previous: { en: 'Previous', ru: 'Назад' },
  next: { en: 'Next', ru: 'Вперёд' },
  pages: { en: 'Pages', ru: 'Страницы' },
  empty: { en: 'empty', ru: 'пусто' },
  correct: { en: 'Correct', ru: 'Исправить' },
  correctCell: {
    en: (row: number, column: string) => `Correct ${column} of row ${number(row)}`,
    ru: (row: number, column: string) => `Исправить ${column} в строке ${number(row)}`,
  },
  save: { en: 'Save', ru: 'Сохранить' },
  cancel: { en: 'Cancel', ru: 'Отмена' },
  isCorrected: { en: 'corrected', ru: 'исправлено' },
  stillWrong: { en: 'corrected, still wrong', ru: 'исправлено, но всё ещё неверно' },
  corrections: {
    en: (count: number) => counted(count, { one: 'corrected cell', other: 'corrected cells' }),
    ru: (count: number) =>
      counted(count, {
        one: 'исправленная ячейка',
        few: 'исправленные ячейки',
        many: 'исправленных ячеек',
        other: 'исправленной ячейки',
      }),
  },
  column: { en: 'Column', ru: 'Столбец' },
  was: { en: 'In the file', ru: 'В файле' },
  becomes: { en: 'Counts as', ru: 'Исправлено на' },
  takeBack: { en: 'Take back', ru: 'Отменить' },
  takeBackCell: {
    en: (row: number, column: string) => `Take back ${column} of row ${number(row)}`,
    ru: (row: number, column: string) => `Отменить исправление: ${column}, строка ${number(row)}`,
  },
  remarks: { en: 'Sent without a value', ru: 'Отправляется без значения' },
  suspicions: {
    en: 'Here the mapping seems to be wrong, and not the file',
    ru: 'Похоже, здесь ошибка в сопоставлении, а не в файле',
  },
  mistakeLine: {
    en: (line: number) => `Line ${number(line)}:`,
    ru: (line: number) => `Строка ${number(line)}:`,
  },
  toColumns: { en: 'To the step Columns', ru: 'К шагу «Столбцы»' },
  again: { en: 'Check again', ru: 'Проверить ещё раз' },
  stopped: { en: 'The check was stopped.', ru: 'Проверка остановлена.' },
  soFar: {
    en: 'What was found before that is shown below.',
    ru: 'Ниже показано то, что найдено до этого.',
  },
  nextStep: {
    en: (rows: number) => `Next: import ${counted(rows, rowEn)}`,
    ru: (rows: number) => `Далее: импорт (${counted(rows, rowRu)})`,
  },
  nextPlain: { en: 'Next: import', ru: 'Далее: импорт' },
  whyChecking: { en: 'The check has only begun.', ru: 'Проверка только началась.' },
  whyFailed: { en: 'The check did not end well.', ru: 'Проверка не удалась.' },
  whyNothing: {
    en: 'No row can be sent: mend what is wrong first.',
    ru: 'Отправить нечего: сначала исправьте ошибки.',
  },
} as const satisfies Messages;

const minSign = (isMin: boolean): string => (isMin ? '≥ ' : '');
