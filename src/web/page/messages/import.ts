import type { Mode } from '../../../core/mode.js';
import type { ImportPlan, Live } from '../../shared/run.js';
import { counted, type Message, type Messages, number } from '../state/language.js';

/** What is said of how many clients. `count`: `null` while it is not known. */
interface Deed {
  readonly count: number | null;
  readonly estimated: boolean;
  /** Name of the campaign; `null` without one. */
  readonly campaign: string | null;
  /** Address of the contact center. */
  readonly at: string;
}

const clientsEn = ({ count, estimated }: Deed, one = 'client', other = 'clients'): string =>
  count === null ? `the ${other}` : `${estimated ? 'about ' : ''}${counted(count, { one, other })}`;
type RuForms = Parameters<typeof counted>[1];
const CLIENTS_RU = { one: 'клиента', few: 'клиентов', many: 'клиентов', other: 'клиента' };
const CALLBACKS_RU = { one: 'перезвон', few: 'перезвона', many: 'перезвонов', other: 'перезвона' };
const clientsRu = (
  { count, estimated }: Deed,
  forms: RuForms = CLIENTS_RU,
  all = 'клиентов',
): string => (count === null ? all : `${estimated ? 'около ' : ''}${counted(count, forms)}`);

const inEn = ({ campaign }: Deed, word = 'in'): string =>
  campaign === null ? '' : ` ${word} “${campaign}”`;
const inRu = ({ campaign }: Deed, words = 'в кампании'): string =>
  campaign === null ? '' : ` ${words} «${campaign}»`;

/** What the button says that it will do. */
export const deedText = {
  create: {
    en: (deed: Deed) => `Create ${clientsEn(deed)}${inEn(deed)} at ${deed.at}`,
    ru: (deed: Deed) => `Создать ${clientsRu(deed)}${inRu(deed)} на ${deed.at}`,
  },
  upsert: {
    en: (deed: Deed) => `Create or change ${clientsEn(deed)}${inEn(deed)} at ${deed.at}`,
    ru: (deed: Deed) => `Создать или изменить ${clientsRu(deed)}${inRu(deed)} на ${deed.at}`,
  },
  update: {
    en: (deed: Deed) => `Change ${clientsEn(deed)} at ${deed.at}`,
    ru: (deed: Deed) => `Изменить ${clientsRu(deed)} на ${deed.at}`,
  },
  enqueue: {
    en: (deed: Deed) => `Add ${clientsEn(deed)}${inEn(deed, 'to')} at ${deed.at}`,
    ru: (deed: Deed) => `Добавить ${clientsRu(deed)}${inRu(deed, 'в кампанию')} на ${deed.at}`,
  },
  dequeue: {
    en: (deed: Deed) => `Remove ${clientsEn(deed)}${inEn(deed, 'from')} at ${deed.at}`,
    ru: (deed: Deed) => `Снять ${clientsRu(deed)}${inRu(deed, 'с кампании')} на ${deed.at}`,
  },
  contacts: {
    en: (deed: Deed) => `Change contacts of ${clientsEn(deed)} at ${deed.at}`,
    ru: (deed: Deed) => `Изменить контакты ${clientsRu(deed)} на ${deed.at}`,
  },
  callbacks: {
    en: (deed: Deed) =>
      `Create ${clientsEn(deed, 'callback', 'callbacks')}${inEn(deed)} at ${deed.at}`,
    ru: (deed: Deed) =>
      `Создать ${clientsRu(deed, CALLBACKS_RU, 'перезвоны')}${inRu(deed)} на ${deed.at}`,
  },
  rekey: {
    en: (deed: Deed) => `Change the identifiers of ${clientsEn(deed)} at ${deed.at}`,
    ru: (deed: Deed) => `Изменить идентификаторы ${clientsRu(deed)} на ${deed.at}`,
  },
  delete: {
    en: (deed: Deed) => `Delete ${clientsEn(deed)} at ${deed.at}`,
    ru: (deed: Deed) => `Удалить ${clientsRu(deed)} на ${deed.at}`,
  },
} as const satisfies Record<Mode, Message<[Deed]>>;

/** Why it cannot start yet, said beside the button. */
export const blockerText = {
  no_center: {
    en: 'No contact center is described yet.',
    ru: 'Контакт-центр ещё не описан.',
  },
  no_mapping: {
    en: 'Nothing says yet what the columns become.',
    ru: 'Ещё не указано, чем становятся столбцы.',
  },
  wrong_mapping: {
    en: 'The mapping has a mistake: see the step Columns.',
    ru: 'В сопоставлении ошибка: см. шаг «Столбцы».',
  },
  no_campaign: { en: 'Choose a campaign.', ru: 'Выберите кампанию.' },
  not_counted: { en: 'The rows are still being counted.', ru: 'Строки ещё подсчитываются.' },
  no_rows: { en: 'No row can be sent.', ru: 'Ни одну строку нельзя отправить.' },
  read_only: { en: 'This page only shows.', ru: 'Эта страница только показывает.' },
  check_failed: { en: 'The file cannot be checked.', ru: 'Файл не удаётся проверить.' },
} as const satisfies Record<NonNullable<ImportPlan['blocker']>, Message>;

/** How a run stands, as a heading. */
export const stateText = {
  opening: { en: 'Getting ready', ru: 'Подготовка' },
  running: { en: 'Running', ru: 'Выполняется' },
  pausing: { en: 'Pausing: what is in flight ends', ru: 'Приостанавливается: ждём ответы' },
  paused: { en: 'Paused', ru: 'Приостановлен' },
  stopping: { en: 'Stopping: what is in flight ends', ru: 'Останавливается: ждём ответы' },
  finished: { en: 'Finished', ru: 'Завершён' },
  open: {
    en: 'Finished, with rows of which it is not known how they ended',
    ru: 'Завершён; исход части строк неизвестен',
  },
  stopped: { en: 'Stopped', ru: 'Остановлен' },
  failed: { en: 'Failed', ru: 'Сбой' },
  broken_off: { en: 'Broken off', ru: 'Оборвался' },
} as const satisfies Record<Live['state'], Message>;

const rowsEn = (count: number): string => counted(count, { one: 'row', other: 'rows' });
const rowsRu = (count: number): string =>
  counted(count, { one: 'строка', few: 'строки', many: 'строк', other: 'строки' });

export const importText = {
  campaign: { en: 'Campaign', ru: 'Кампания' },
  asMapped: {
    en: (name: string) => `${name} (as the mapping says)`,
    ru: (name: string) => `${name} (из сопоставления)`,
  },
  noCampaign: { en: 'None: cards alone', ru: 'Без кампании: только карточки' },
  chooseCampaign: { en: 'Choose one', ru: 'Выберите' },
  campaignNumber: {
    en: (id: number) => `Campaign ${id}`,
    ru: (id: number) => `Кампания ${id}`,
  },
  campaignsLoading: { en: 'Asking for the campaigns…', ru: 'Запрашиваем кампании…' },
  again: { en: 'Ask again', ru: 'Запросить снова' },
  noSchedule: {
    en: 'It is started by hand, at any hour. Whether it is running, the contact center does not say.',
    ru: 'Запускается вручную, без ограничения по времени. Идёт ли она сейчас, контакт-центр не сообщает.',
  },
  automatic: {
    en: (day: string) => `starts by itself on ${day}`,
    ru: (day: string) => `запускается сама ${day}`,
  },
  byHand: { en: 'started by hand', ru: 'запускается вручную' },
  ended: { en: (day: string) => `ended on ${day}`, ru: (day: string) => `закончилась ${day}` },
  until: { en: (day: string) => `until ${day}`, ru: (day: string) => `до ${day}` },
  from: { en: (day: string) => `from ${day}`, ru: (day: string) => `с ${day}` },
  calls: { en: (span: string) => `calls ${span}`, ru: (span: string) => `звонки ${span}` },
  weekends: { en: (span: string) => `weekends ${span}`, ru: (span: string) => `выходные ${span}` },
  clientTime: {
    en: (span: string) => `${span} in the client’s time zone`,
    ru: (span: string) => `${span} по времени клиента`,
  },
  rejected: {
    en: (count: number) => `${rowsEn(count)} cannot be sent`,
    ru: (count: number) =>
      `${counted(count, { one: 'строку', few: 'строки', many: 'строк', other: 'строки' })} отправить нельзя`,
  },
  corrections: {
    en: (count: number) => `${counted(count, { one: 'cell is', other: 'cells are' })} corrected`,
    ru: (count: number) =>
      counted(count, {
        one: 'ячейка исправлена',
        few: 'ячейки исправлены',
        many: 'ячеек исправлено',
        other: 'ячейки исправлено',
      }),
  },
  counting: { en: 'The rows are being counted.', ru: 'Строки подсчитываются.' },
  canary: {
    en: (count: number) => `First ${number(count)} rows, then the rest`,
    ru: (count: number) => `Сначала ${rowsRu(count)}, затем остальные`,
  },
  canaryWhy: {
    en: 'If one of them fails, the others are not sent.',
    ru: 'Если одна из них не пройдёт, остальные не будут отправлены.',
  },
  recovery: { en: 'Restore deleted clients', ru: 'Восстанавливать удалённых клиентов' },
  recoveryWhy: {
    en: 'Where the contact center keeps them, as after an undo, they cannot be created again without it.',
    ru: 'Если контакт-центр их хранит, например после отмены, без этого их не создать снова.',
  },
  requestsPerSecond: { en: 'Requests a second, at most', ru: 'Запросов в секунду, не более' },
  clientsPerSecond: { en: 'Clients a second, at most', ru: 'Клиентов в секунду, не более' },
  permitted: {
    en: (limit: number) => `${number(limit)} permitted`,
    ru: (limit: number) => `разрешено ${number(limit)}`,
  },
  anyPace: { en: 'as it goes', ru: 'без ограничения' },
  limits: { en: 'Pace', ru: 'Темп' },
  typeNumber: {
    en: (count: number) => `Type ${count} to confirm`,
    ru: (count: number) => `Введите ${count} для подтверждения`,
  },
  notTyped: {
    en: 'Type the number of rows to confirm.',
    ru: 'Введите число строк для подтверждения.',
  },
  cannotUndo: {
    en: 'This cannot be taken back.',
    ru: 'Это нельзя отменить.',
  },
  starting: { en: 'Starting…', ru: 'Запускаем…' },
  startAnew: {
    en: 'Begin anew: send all rows again',
    ru: 'Начать заново: отправить все строки снова',
  },
  showRun: { en: 'Show that run', ru: 'Показать тот запуск' },
  progress: {
    en: (rows: number, of: string) => `${number(rows)} of ${of}`,
    ru: (rows: number, of: string) => `${number(rows)} из ${of}`,
  },
  about: {
    en: (count: number) => `about ${number(count)}`,
    ru: (count: number) => `около ${number(count)}`,
  },
  rows: { en: rowsEn, ru: rowsRu },
  rate: {
    en: (rate: number) => `${number(rate)} rows/s`,
    ru: (rate: number) => `${number(rate)} строк/с`,
  },
  left: { en: (time: string) => `${time} left`, ru: (time: string) => `осталось ${time}` },
  inFlight: {
    en: (count: number) =>
      counted(count, { one: 'request in flight', other: 'requests in flight' }),
    ru: (count: number) =>
      counted(count, {
        one: 'запрос в пути',
        few: 'запроса в пути',
        many: 'запросов в пути',
        other: 'запроса в пути',
      }),
  },
  took: { en: (time: string) => `in ${time}`, ru: (time: string) => `за ${time}` },
  outcome: { en: 'Outcome', ru: 'Исход' },
  rowsHeader: { en: 'Rows', ru: 'Строк' },
  waiting: { en: 'waiting', ru: 'ожидают' },
  outcomes: { en: 'Rows by outcome', ru: 'Строки по исходу' },
  reasons: {
    en: 'Why rows did not end well, the latest first',
    ru: 'Почему строки не прошли, последние сверху',
  },
  reason: { en: 'Reason', ru: 'Причина' },
  warnings: { en: 'Remarks', ru: 'Замечания' },
  pause: { en: 'Pause', ru: 'Приостановить' },
  continue: { en: 'Continue', ru: 'Продолжить' },
  stop: { en: 'Stop', ru: 'Остановить' },
  resume: { en: 'Continue the import', ru: 'Продолжить импорт' },
  toResult: { en: 'Next: result', ru: 'Далее: итог' },
  toPlan: { en: 'Change something and start again', ru: 'Изменить и начать снова' },
  wasDone: {
    en: 'Exactly this was imported before, so that nothing was sent now. This is how it ended then.',
    ru: 'Ровно это уже импортировано, поэтому сейчас ничего не отправлено. Ниже показано, чем закончился тот запуск.',
  },
  brokenOff: {
    en: 'cardline ended in the middle of this run. What was sent is on record: continuing looks up what was under way, and sends nothing twice.',
    ru: 'cardline остановился посреди этого запуска. Всё отправленное записано: при продолжении незавершённое будет проверено, и ничего не отправится дважды.',
  },
  elsewhere: {
    en: 'Another process works on this run, perhaps in a terminal. It is shown here every few seconds, and can be stopped there with Ctrl-C.',
    ru: 'С этим запуском работает другой процесс, возможно, в терминале. Здесь он показан раз в несколько секунд, остановить его можно там (Ctrl-C).',
  },
  paused: {
    en: 'Nothing is sent until you continue.',
    ru: 'Ничего не отправляется, пока вы не продолжите.',
  },
} as const satisfies Messages;
