import { counted, number, size, type Messages } from '../state/language.js';

const rowsEn = { one: 'row', other: 'rows' };
const rowsRu = { one: 'строка', few: 'строки', many: 'строк', other: 'строки' };

export const resultText = {
  title: { en: 'Result', ru: 'Итог' },
  undone: { en: 'What was taken back', ru: 'Что отменено' },
  compared: { en: 'Comparison with the contact center', ru: 'Сверка с контакт-центром' },
  run: { en: (run: string) => `run ${run}`, ru: (run: string) => `запуск ${run}` },
  campaign: { en: (name: string) => `campaign ${name}`, ru: (name: string) => `кампания ${name}` },
  sandbox: { en: 'sandbox', ru: 'песочница' },
  rows: {
    en: (count: number) => counted(count, rowsEn),
    ru: (count: number) => counted(count, rowsRu),
  },
  nothingSent: {
    en: 'Nothing of this list has been sent yet.',
    ru: 'Из этого списка ещё ничего не отправлено.',
  },
  toImport: { en: 'To the import', ru: 'К импорту' },
  noRows: { en: 'The file has no rows.', ru: 'В файле нет строк.' },
  about: {
    en: (mode: string) => (mode === 'undo' ? 'This takes back' : 'This checks'),
    ru: (mode: string) => (mode === 'undo' ? 'Отменяет запуск' : 'Сверяет запуск'),
  },
  undos: { en: 'Taken back by', ru: 'Отменён запуском' },
  checks: { en: 'Compared by', ru: 'Сверен запуском' },
  counting: {
    en: 'Reading what is on record of this run…',
    ru: 'Читается, что записано об этом запуске…',
  },
  undoing: { en: 'This run is being taken back.', ru: 'Запуск сейчас отменяется.' },
  elsewhere: {
    en: 'Another process works on this run. What is shown is what it has recorded so far; it is renewed by itself.',
    ru: 'С этим запуском работает другой процесс. Показано то, что он успел записать; страница обновляется сама.',
  },
  brokenOff: {
    en: 'Its process ended before it had come to the end. What it had recorded is kept.',
    ru: 'Процесс оборвался, не дойдя до конца. Всё, что он успел записать, сохранено.',
  },
  outcomes: { en: 'How the rows ended', ru: 'Чем закончилась обработка строк' },
  outcome: { en: 'Outcome', ru: 'Исход' },
  count: { en: 'Rows', ru: 'Строк' },
  share: { en: 'Share', ru: 'Доля' },
  meaning: { en: 'Meaning', ru: 'Значение' },
  all: { en: 'All rows', ru: 'Все строки' },
  waiting: { en: 'yet to be sent', ru: 'ещё не отправлено' },
  withCard: {
    en: (count: number) => `${counted(count, rowsEn)} of them have a card already`,
    ru: (count: number) => `из них с карточкой: ${number(count)}`,
  },
  waitingMeaning: { en: 'sent when the run goes on', ru: 'будет отправлено при продолжении' },
  reasons: { en: 'Why', ru: 'Почему' },
  reason: { en: 'Reason', ru: 'Причина' },
  moreReasons: {
    en: (count: number) =>
      `and ${counted(count, { one: 'more reason', other: 'more reasons' })}: the reports have them all`,
    ru: (count: number) =>
      `и ещё ${counted(count, { one: 'причина', few: 'причины', many: 'причин', other: 'причины' })}: в отчётах есть все`,
  },
  remarks: {
    en: 'Left out or corrected in rows that were sent',
    ru: 'Пропущено или исправлено в отправленных строках',
  },
  rowsOf: {
    en: (what: string, count: number) => `${what}: ${counted(count, rowsEn)}`,
    ru: (what: string, count: number) => `${what}: ${counted(count, rowsRu)}`,
  },
  page: {
    en: (from: number, to: number, total: number) =>
      `${number(from)}–${number(to)} of ${number(total)}`,
    ru: (from: number, to: number, total: number) =>
      `${number(from)}–${number(to)} из ${number(total)}`,
  },
  previous: { en: 'Previous', ru: 'Назад' },
  next: { en: 'Next', ru: 'Вперёд' },
  pages: { en: 'Pages', ru: 'Страницы' },
  close: { en: 'Hide the rows', ru: 'Скрыть строки' },
  noneOfThese: { en: 'There are no such rows.', ru: 'Таких строк нет.' },
  reports: { en: 'Reports', ru: 'Отчёты' },
  reportsWhat: {
    en: 'Every row with its outcome and the reason. The HTML report can be printed and passed on.',
    ru: 'Каждая строка с исходом и причиной. Отчёт HTML можно распечатать и переслать.',
  },
  rejects: { en: 'Rows to correct', ru: 'Строки для исправления' },
  rejectsWhat: {
    en: 'The rows as they stand in the file, with the reason. What ended well is not sent twice.',
    ru: 'Строки, как они стоят в файле, с причиной. Успешно обработанное дважды не отправляется.',
  },
  masked: {
    en: 'Files hold personal data, which this page hides (--mask).',
    ru: 'В файлах персональные данные, а эта страница их скрывает (--mask).',
  },
  download: {
    en: (name: string, bytes: number) => `Download ${name} (${size(bytes)})`,
    ru: (name: string, bytes: number) => `Скачать ${name} (${size(bytes)})`,
  },
  mend: { en: 'Mend them here', ru: 'Исправить здесь' },
  mendNext: {
    en: 'Mend and send them. What ended well is not sent twice.',
    ru: 'Исправьте их и отправьте снова. Успешно обработанное дважды не отправляется.',
  },
  recover: { en: 'Restore deleted clients…', ru: 'Восстановить удалённых клиентов…' },
  recoverNext: {
    en: 'The contact center keeps these clients as deleted: import the list once more, with deleted clients restored. What ended well is not sent twice.',
    ru: 'Контакт-центр хранит этих клиентов как удалённых: импортируйте список ещё раз с их восстановлением. Успешно обработанное дважды не отправляется.',
  },
  mendRows: {
    en: (count: number) => `Mend ${counted(count, rowsEn)}`,
    ru: (count: number) => `Исправить: ${counted(count, rowsRu)}`,
  },
  more: { en: 'What else', ru: 'Что ещё' },
  resume: { en: 'Go on with this run', ru: 'Продолжить запуск' },
  starting: { en: 'Starting…', ru: 'Запускается…' },
  reconcile: { en: 'Compare with the contact center', ru: 'Сверить с контакт-центром' },
  reconcileWhat: {
    en: 'Looks up whether everything is there that this run claims. Changes nothing.',
    ru: 'Проверяет, есть ли в контакт-центре всё, о чём сообщает запуск. Ничего не меняет.',
  },
  undo: { en: 'Take back…', ru: 'Отменить…' },
  undoWhat: {
    en: 'What somebody has changed since is left as it is.',
    ru: 'То, что кто-то изменил с тех пор, остаётся как есть.',
  },
  undoKept: {
    en: 'Where the contact center keeps deleted clients, their identifiers cannot be created again without “recovery: true”.',
    ru: 'Если контакт-центр хранит удалённых клиентов, их идентификаторы не создать снова без «recovery: true».',
  },
  notUndoable: {
    en: (why: string) => `It cannot be taken back: ${why}.`,
    ru: (why: string) => `Отменить нельзя: ${why}.`,
  },
  nothingToUndo: {
    en: 'This run did nothing that could be taken back.',
    ru: 'Этот запуск не сделал ничего, что можно отменить.',
  },
  cards: {
    en: (count: number) =>
      `${counted(count, { one: 'client', other: 'clients' })} would be deleted`,
    ru: (count: number) =>
      `будет удалено: ${counted(count, { one: 'клиент', few: 'клиента', many: 'клиентов', other: 'клиента' })}`,
  },
  applications: {
    en: (count: number) =>
      `${counted(count, { one: 'call application', other: 'call applications' })} would be removed from the campaign`,
    ru: (count: number) =>
      `будет снято с кампании: ${counted(count, { one: 'заявка', few: 'заявки', many: 'заявок', other: 'заявки' })}`,
  },
  fields: {
    en: (count: number) =>
      `${counted(count, { one: 'client', other: 'clients' })} would get the earlier values back`,
    ru: (count: number) =>
      `прежние значения получат: ${counted(count, { one: 'клиент', few: 'клиента', many: 'клиентов', other: 'клиента' })}`,
  },
  remaining: {
    en: (count: number) =>
      `of ${counted(count, rowsEn)} something stays, or is not known: the report of the undo says what`,
    ru: (count: number) =>
      `${counted(count, rowsRu)}: что-то останется или неизвестно, подробности будут в отчёте`,
  },
  type: {
    en: (count: number) => `Type ${String(count)} to take back`,
    ru: (count: number) => `Чтобы отменить, введите ${String(count)}`,
  },
  typeFirst: { en: 'Type the number first', ru: 'Сначала введите число' },
  undoRows: {
    en: (count: number) => `Take back ${counted(count, rowsEn)}`,
    ru: (count: number) => `Отменить: ${counted(count, rowsRu)}`,
  },
  cancel: { en: 'Cancel', ru: 'Не отменять' },
  yes: { en: 'yes', ru: 'да' },
  no: { en: 'no', ru: 'нет' },
  another: { en: 'Choose another spreadsheet', ru: 'Выбрать другую таблицу' },
} as const satisfies Messages;

/** Names of the columns of rows, by their names in the report. Others are called as they are. */
export const columnText: Readonly<Record<string, { readonly en: string; readonly ru: string }>> = {
  row: { en: 'Row', ru: 'Строка' },
  sheet: { en: 'Sheet', ru: 'Лист' },
  file: { en: 'File', ru: 'Файл' },
  outcome: { en: 'Outcome', ru: 'Исход' },
  verdict: { en: 'Verdict', ru: 'Вывод' },
  reason: { en: 'Reason', ru: 'Причина' },
  problems: { en: 'Problems', ru: 'Ошибки' },
  differences: { en: 'Differences', ru: 'Отличия' },
  clientId: { en: 'Client id', ru: 'ID клиента' },
  applicationStatus: { en: 'Call application', ru: 'Заявка' },
  callsMade: { en: 'Calls made', ru: 'Звонков' },
  nextCall: { en: 'Next call', ru: 'След. звонок' },
  callback: { en: 'Callback', ru: 'Перезвон' },
};

const bad = (comparison: boolean) =>
  comparison
    ? {
        one: 'строка не совпадает',
        few: 'строки не совпадают',
        many: 'строк не совпадают',
        other: 'строки не совпадают',
      }
    : {
        one: 'строка требует внимания',
        few: 'строки требуют внимания',
        many: 'строк требуют внимания',
        other: 'строки требуют внимания',
      };

const skippedRu = {
  one: 'строка пропущена',
  few: 'строки пропущены',
  many: 'строк пропущено',
  other: 'строки пропущено',
};

/** The first sentence in Russian: in English it is the report's. */
export const headlineRu = {
  noRows: (isFinished: boolean): string =>
    isFinished ? 'Строк нет.' : 'Пока ни одна строка не обработана.',
  allSkipped: (rows: number, isUndo: boolean): string =>
    `Ничего не ${isUndo ? 'отменено' : 'отправлено'}: ${counted(rows, skippedRu)}.`,
  allGood: (ended: number, undone: number, skipped: number): string => {
    const parts = [
      ...(ended > 0 ? [`успешно ${number(ended)}`] : []),
      ...(undone > 0 ? [`отменено ${number(undone)}`] : []),
      ...(skipped > 0 ? [`пропущено ${number(skipped)}`] : []),
    ];
    return `Ни одна строка не требует внимания: ${parts.join(', ')}.`;
  },
  allMatch: (compared: number, skipped: number): string =>
    (compared === 0
      ? 'Ни одна строка не сверена'
      : `Все сверенные совпадают: ${counted(compared, rowsRu)}`) +
    (skipped === 0 ? '.' : `; пропущено ${number(skipped)}.`),
  bad: (count: number, comparison: boolean): string => counted(count, bad(comparison)),
  oneReason: (count: number, why: string): string =>
    count === 1 ? `причина: ${why}` : `все по одной причине: ${why}`,
  top: (count: number, why: string): string => `${number(count)} из них по одной причине: ${why}`,
  waiting: (rows: number): string => `Ещё не отправлено: ${counted(rows, rowsRu)}.`,
  takenBack: 'Запуск отменён.',
  resume: 'Продолжите этот запуск.',
  underWay: 'Запуск выполняется; неотправленные строки не учтены.',
};
