import { counted, number, percent, type Message, type Messages } from '../state/language.js';
import type { PastRun } from '../../shared/history.js';
import type { RunMode } from '../../../core/mode.js';

/** How a run stands, in words. */
export const stateText = {
  running: { en: 'running', ru: 'идёт' },
  finished: { en: 'finished', ru: 'завершён' },
  open: { en: 'some unknown', ru: 'есть неизвестные' },
  stopped: { en: 'stopped', ru: 'остановлен' },
  broken_off: { en: 'broken off', ru: 'оборвался' },
} as const satisfies Record<PastRun['state'], Message>;

/** What a run does, in words. */
export const modeText = {
  create: { en: 'create', ru: 'создание' },
  upsert: { en: 'create or update', ru: 'создание или изменение' },
  update: { en: 'update', ru: 'изменение' },
  enqueue: { en: 'add to campaign', ru: 'добавление в кампанию' },
  dequeue: { en: 'take out of campaign', ru: 'снятие с кампании' },
  contacts: { en: 'contact statuses', ru: 'статусы контактов' },
  callbacks: { en: 'callbacks', ru: 'перезвоны' },
  rekey: { en: 'change identifiers', ru: 'смена идентификаторов' },
  delete: { en: 'delete', ru: 'удаление' },
  undo: { en: 'undo', ru: 'отмена' },
  reconcile: { en: 'comparison', ru: 'сверка' },
} as const satisfies Record<RunMode, Message>;

const rows = {
  en: { one: 'row', other: 'rows' },
  ru: { one: 'строка', few: 'строки', many: 'строк', other: 'строки' },
};
const runs = {
  en: { one: 'run', other: 'runs' },
  ru: { one: 'запуск', few: 'запуска', many: 'запусков', other: 'запуска' },
};

export const historyText = {
  title: { en: 'History', ru: 'История' },
  runs: {
    en: (count: number) => counted(count, runs.en),
    ru: (count: number) => counted(count, runs.ru),
  },
  empty: { en: 'No run is on record yet.', ru: 'Запусков пока не было.' },
  emptyNext: {
    en: 'What is imported, here or on the command line with the same ledger, is listed here.',
    ru: 'Здесь появится всё, что импортировано на этой странице или в командной строке с тем же журналом.',
  },
  begin: { en: 'Choose a spreadsheet', ru: 'Выбрать таблицу' },
  noneFits: { en: 'No run fits.', ru: 'Нет подходящих запусков.' },
  showAll: { en: 'Show all', ru: 'Показать все' },
  search: { en: 'File or campaign', ru: 'Файл или кампания' },
  state: { en: 'State', ru: 'Состояние' },
  mode: { en: 'Kind', ru: 'Вид' },
  any: { en: 'all', ru: 'все' },
  shown: {
    en: (from: number, to: number, total: number) =>
      `${number(from)}–${number(to)} of ${number(total)}`,
    ru: (from: number, to: number, total: number) =>
      `${number(from)}–${number(to)} из ${number(total)}`,
  },
  newer: { en: 'Newer', ru: 'Более новые' },
  older: { en: 'Older', ru: 'Более старые' },
  pages: { en: 'Pages', ru: 'Страницы' },
  caption: { en: 'Runs, the latest first', ru: 'Запуски, сначала последние' },
  choose: { en: 'Compare', ru: 'Сравнить' },
  chooseOne: {
    en: (name: string, when: string) => `Compare ${name}, ${when}`,
    ru: (name: string, when: string) => `Сравнить ${name}, ${when}`,
  },
  run: { en: 'Run', ru: 'Запуск' },
  begun: { en: 'Begun', ru: 'Начат' },
  rowsHeader: { en: 'Rows', ru: 'Строки' },
  outcomes: { en: 'Outcomes', ru: 'Исходы' },
  more: { en: 'More', ru: 'Ещё' },
  moreOf: {
    en: (name: string, when: string) => `More about ${name}, ${when}`,
    ru: (name: string, when: string) => `Ещё о ${name}, ${when}`,
  },
  noFile: { en: 'no file', ru: 'без файла' },
  files: {
    en: (name: string, others: number) => `${name} and ${number(others)} more`,
    ru: (name: string, others: number) => `${name} и ещё ${number(others)}`,
  },
  takesBack: { en: 'takes back', ru: 'отменяет' },
  checks: { en: 'checks', ru: 'сверяет' },
  takenBack: { en: 'taken back', ru: 'отменён' },
  undoing: { en: 'being taken back', ru: 'отменяется' },
  elsewhere: { en: 'in another process', ru: 'в другом процессе' },
  at: { en: (center: string) => `at ${center}`, ru: (center: string) => `в ${center}` },
  counting: { en: 'counting…', ru: 'подсчёт…' },
  notCounted: { en: 'not counted', ru: 'не подсчитано' },
  resume: { en: 'Continue', ru: 'Продолжить' },
  resumeOf: {
    en: (name: string, when: string) => `Continue ${name}, ${when}`,
    ru: (name: string, when: string) => `Продолжить ${name}, ${when}`,
  },
  result: { en: 'Result', ru: 'Итог' },
  list: { en: 'The list', ru: 'Список' },
  trend: { en: 'Trend of such files', ru: 'Динамика по таким файлам' },
  reconcile: { en: 'Check at the contact center', ru: 'Сверить с контакт-центром' },
  undo: { en: 'Take back…', ru: 'Отменить…' },
  compareTwo: { en: 'Compare the two', ru: 'Сравнить два запуска' },
  chooseTwo: {
    en: 'To compare, choose two runs by their boxes.',
    ru: 'Для сравнения отметьте два запуска.',
  },
  chosen: {
    en: (count: number) => `${counted(count, runs.en)} chosen; two can be compared.`,
    ru: (count: number) => `Выбрано: ${number(count)}; сравнить можно два.`,
  },
  clear: { en: 'Clear the choice', ru: 'Снять выбор' },
  toHistory: { en: 'All runs', ru: 'Все запуски' },
} as const satisfies Messages;

export const compareText = {
  title: { en: 'What has changed', ru: 'Что изменилось' },
  earlier: { en: 'Earlier', ru: 'Раньше' },
  later: { en: 'Later', ru: 'Позже' },
  comparing: {
    en: (share: number) => `${percent(share)} compared`,
    ru: (share: number) => `сравнено ${percent(share)}`,
  },
  started: { en: 'Comparing…', ru: 'Сравнение…' },
  done: { en: 'Compared.', ru: 'Сравнение готово.' },
  rows: {
    en: (count: number) => counted(count, rows.en),
    ru: (count: number) => counted(count, rows.ru),
  },
  summary: { en: 'Rows of both runs', ru: 'Строки обоих запусков' },
  what: { en: 'What became of them', ru: 'Что с ними стало' },
  same: { en: 'ended alike', ru: 'исход тот же' },
  changed: { en: 'ended differently', ru: 'исход другой' },
  new: { en: 'in the later run alone', ru: 'только в более позднем' },
  endedWell: {
    en: 'ended well before, so not in the rejects',
    ru: 'успешны раньше, поэтому не среди отклонённых',
  },
  gone: { en: 'in the earlier run alone', ru: 'только в более раннем' },
  withoutUuid: {
    en: 'without identifiers, so that they cannot be compared',
    ru: 'без идентификаторов: сравнить нельзя',
  },
  ways: { en: 'From one outcome to another', ru: 'От одного исхода к другому' },
  before: { en: 'Earlier run', ru: 'Раньше' },
  after: { en: 'Later run', ru: 'Позже' },
  examples: { en: 'For instance', ru: 'Например' },
  notThere: { en: 'not there', ru: 'не было' },
  row: {
    en: (row: number) => `row ${number(row)}`,
    ru: (row: number) => `строка ${number(row)}`,
  },
  alike: {
    en: 'Both runs ended alike: no row differs.',
    ru: 'Оба запуска закончились одинаково: ни одна строка не отличается.',
  },
  alikeOthers: {
    en: 'The rows that can be compared ended alike.',
    ru: 'Строки, которые можно сравнить, закончились одинаково.',
  },
  nothing: {
    en: 'Neither run has a row that can be compared.',
    ru: 'Ни в одном запуске нет строк, которые можно сравнить.',
  },
} as const satisfies Messages;

export const trendText = {
  title: {
    en: (source: string) => `Trend of ${source}`,
    ru: (source: string) => `Динамика: ${source}`,
  },
  waiting: { en: 'Trend', ru: 'Динамика' },
  cut: {
    en: 'Earlier runs are left out.',
    ru: 'Более ранние запуски не показаны.',
  },
  one: {
    en: 'There is one run of such a file so far: a trend needs two.',
    ru: 'Пока есть только один запуск такого файла: для динамики нужны два.',
  },
  none: {
    en: 'No import of such a file has any rows.',
    ru: 'Ни один импорт такого файла не содержит строк.',
  },
  chart: {
    en: 'Share of rows that did not end well, run by run. The table below has the same figures.',
    ru: 'Доля неуспешных строк по запускам. Те же цифры в таблице ниже.',
  },
  noChart: {
    en: 'The chart could not be loaded; the table has the same figures.',
    ru: 'График не загрузился; в таблице те же цифры.',
  },
  table: { en: 'Run by run, the latest first', ru: 'По запускам, сначала последние' },
  time: { en: 'Run', ru: 'Запуск' },
  bad: { en: 'Did not end well', ru: 'Неуспешные' },
  rejected: { en: 'Rejected', ru: 'Отклонено' },
  file: { en: 'File', ru: 'Файл' },
  change: { en: 'Change', ru: 'Изменение' },
  points: {
    en: (points: string) => `${points} points`,
    ru: (points: string) => `${points} п. п.`,
  },
} as const satisfies Messages;
