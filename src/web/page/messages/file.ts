import { counted, number, percent, type Messages } from '../state/language.js';

const rowsRu = { one: 'строка', few: 'строки', many: 'строк', other: 'строки' };

export const fileText = {
  title: { en: 'Which list is it about?', ru: 'С каким списком работаем?' },
  label: { en: 'Spreadsheet', ru: 'Таблица' },
  drop: { en: 'Drop a spreadsheet here, or', ru: 'Перетащите таблицу сюда или' },
  choose: { en: 'Choose a file', ru: 'Выберите файл' },
  formats: {
    en: 'CSV, Excel, OpenDocument, JSON Lines or Parquet, of any size. It stays on this machine.',
    ru: 'CSV, Excel, OpenDocument, JSON Lines или Parquet любого размера. Файл не покидает этот компьютер.',
  },
  uploading: {
    en: (name: string) => `Copying ${name}`,
    ru: (name: string) => `Копируется ${name}`,
  },
  uploaded: {
    en: (share: number) => `${percent(share)} copied`,
    ru: (share: number) => `скопировано ${percent(share)}`,
  },
  cancel: { en: 'Cancel', ru: 'Отменить' },
  samples: { en: 'Or take a sample', ru: 'Или возьмите пример' },
  recent: { en: 'Go on with', ru: 'Продолжить' },
  emptyRecent: { en: 'No list is under way.', ru: 'Незавершённых списков нет.' },
  remove: { en: (name: string) => `Delete ${name}`, ru: (name: string) => `Удалить ${name}` },
  likeLast: {
    en: 'set up like the last file with these columns',
    ru: 'настроено как прошлый файл с такими столбцами',
  },
  readAs: { en: 'Read as', ru: 'Прочитано как' },
  sheet: { en: 'Sheet', ru: 'Лист' },
  headerRow: { en: 'Header', ru: 'Заголовок' },
  encoding: { en: 'Encoding', ru: 'Кодировка' },
  delimiter: { en: 'Delimiter', ru: 'Разделитель' },
  found: { en: (what: string) => `${what} (found)`, ru: (what: string) => `${what} (определено)` },
  noHeader: { en: 'No header', ru: 'Без заголовка' },
  row: { en: (row: number) => `Row ${number(row)}`, ru: (row: number) => `Строка ${number(row)}` },
  doubt: {
    en: 'The encoding is not sure. Which word is right?',
    ru: 'Кодировка определена неуверенно. Какое слово верное?',
  },
  headerWrong: {
    en: 'This header cannot be used.',
    ru: 'Этот заголовок использовать нельзя.',
  },
  chooseAnother: { en: 'Choose another file', ru: 'Выбрать другой файл' },
  firstRows: {
    en: (count: number) => `First rows: ${number(count)}`,
    ru: (count: number) => `Первые строки: ${number(count)}`,
  },
  rowNumber: { en: 'Row', ru: 'Строка' },
  rows: {
    en: (count: number) => counted(count, { one: 'row', other: 'rows' }),
    ru: (count: number) => counted(count, rowsRu),
  },
  columns: {
    en: (count: number) => counted(count, { one: 'column', other: 'columns' }),
    ru: (count: number) =>
      counted(count, { one: 'столбец', few: 'столбца', many: 'столбцов', other: 'столбца' }),
  },
  noRows: { en: 'There are no rows below the header.', ru: 'Под заголовком нет строк.' },
  next: { en: 'Next: columns', ru: 'Далее: столбцы' },
  tab: { en: 'tab', ru: 'табуляция' },
  semicolon: { en: 'semicolon ;', ru: 'точка с запятой ;' },
  comma: { en: 'comma ,', ru: 'запятая ,' },
  bar: { en: 'bar |', ru: 'черта |' },
  colon: { en: 'colon :', ru: 'двоеточие :' },
  needsCenter: {
    en: 'Describe a contact center first: columns become its fields.',
    ru: 'Сначала опишите контакт-центр: столбцы становятся его полями.',
  },
} as const satisfies Messages;
