import { counted, number, type Messages } from '../state/language.js';

const rowForms = {
  en: { one: 'row', other: 'rows' },
  ru: { one: 'строка', few: 'строки', many: 'строк', other: 'строки' },
};
/** In Russian after a preposition: `из 1 строки`, `из 5 строк`. */
const ofRowsRu = { one: 'строки', other: 'строк' };

export const columnsText = {
  title: { en: 'Columns', ru: 'Столбцы' },
  looked: {
    en: (sampled: number, rows: number) =>
      sampled >= rows
        ? `all ${counted(rows, rowForms.en)} looked at`
        : `${number(sampled)} of ${counted(rows, rowForms.en)} looked at`,
    ru: (sampled: number, rows: number) =>
      sampled >= rows
        ? `просмотрены все строки: ${number(rows)}`
        : `просмотрено ${number(sampled)} из ${counted(rows, ofRowsRu)}`,
  },
  sampled: {
    en: (sampled: number) => `${counted(sampled, rowForms.en)} from all over the file looked at`,
    ru: (sampled: number) => `просмотрено строк со всего файла: ${number(sampled)}`,
  },
  ofFirst: {
    en: (sampled: number, rows: number) =>
      `${number(sampled)} of the first ${counted(rows, rowForms.en)} looked at`,
    ru: (sampled: number, rows: number) =>
      `просмотрено ${number(sampled)} из первых ${counted(rows, ofRowsRu)}`,
  },
  column: { en: 'Column', ru: 'Столбец' },
  values: { en: 'Values in the file', ru: 'Значения в файле' },
  becomes: { en: 'Becomes', ru: 'Чем становится' },
  sure: { en: 'Sure', ru: 'Уверенность' },
  becomesOf: {
    en: (column: string) => `${column} becomes`,
    ru: (column: string) => `${column} становится`,
  },
  notImported: { en: 'not imported', ru: 'не импортируется' },
  empty: { en: 'empty', ru: 'пусто' },
  andMore: {
    en: (count: number) => `${number(count)} different`,
    ru: (count: number) => `различных: ${number(count)}`,
  },
  also: { en: 'Use it once more', ru: 'Использовать ещё раз' },
  alsoFor: {
    en: (column: string) => `${column} becomes also`,
    ru: (column: string) => `${column} становится также`,
  },
  nothingFound: { en: 'Nothing is named like this.', ru: 'С таким именем ничего нет.' },
  found: {
    en: (count: number) => counted(count, { one: 'choice', other: 'choices' }),
    ru: (count: number) => `вариантов: ${number(count)}`,
  },
  required: { en: 'required', ru: 'обязательно' },
  filledBy: {
    en: (columns: string) => `now ${columns}`,
    ru: (columns: string) => `сейчас ${columns}`,
  },
  together: {
    en: (target: string, columns: string) => `${target}: ${columns}`,
    ru: (target: string, columns: string) => `${target}: ${columns}`,
  },
  joinedWith: {
    en: (columns: string) => `put together: ${columns}`,
    ru: (columns: string) => `складывается: ${columns}`,
  },
  phoneType: { en: 'Kind of phone', ru: 'Вид телефона' },
  country: { en: 'Numbers without a country code', ru: 'Номера без кода страны' },
  noCountry: { en: 'only with a country code', ru: 'только с кодом страны' },
  datePattern: { en: 'Dates are written as', ru: 'Даты записаны как' },
  anyDate: { en: 'any form that is clear', ru: 'любая однозначная запись' },
  otherPattern: { en: 'another pattern …', ru: 'другой шаблон …' },
  ownPattern: { en: 'Pattern of the dates', ru: 'Шаблон дат' },
  patternHelp: {
    en: 'd day, M month, y year, H hour, m minute; several with a comma',
    ru: 'd день, M месяц, y год, H час, m минута; несколько — через запятую',
  },
  apply: { en: 'Apply', ru: 'Применить' },
  cancel: { en: 'Cancel', ru: 'Отменить' },
  map: { en: 'Values', ru: 'Значения' },
  mapCount: {
    en: (count: number) => `${counted(count, { one: 'value', other: 'values' })} replaced`,
    ru: (count: number) => `заменяется значений: ${number(count)}`,
  },
  mapUnknown: {
    en: (count: number) => `${counted(count, { one: 'value', other: 'values' })} not known`,
    ru: (count: number) => `неизвестных значений: ${number(count)}`,
  },
  mapOf: {
    en: (value: string) => `${value} becomes`,
    ru: (value: string) => `${value} становится`,
  },
  asItIs: { en: 'as it is', ru: 'как есть' },
  decide: { en: 'choose …', ru: 'выберите …' },
  blankWords: {
    en: (words: string) => `taken as empty: ${words}`,
    ru: (words: string) => `считается пустым: ${words}`,
  },
  isEmpty: { en: 'take as empty', ru: 'считать пустым' },
  invalid: { en: 'A wrong value', ru: 'Неверное значение' },
  reject: { en: 'rejects its row', ru: 'отклоняет строку' },
  drop: { en: 'is left out', ru: 'не передаётся' },
  emptyBecome: { en: 'Empty cells become', ru: 'Пустые ячейки становятся' },
  remove: { en: (what: string) => `Remove: ${what}`, ru: (what: string) => `Убрать: ${what}` },
  yourChoice: { en: 'your choice', ru: 'ваш выбор' },
  sure3: { en: 'sure', ru: 'точно' },
  sure2: { en: 'likely', ru: 'вероятно' },
  sure1: { en: 'a guess', ru: 'догадка' },
  suggested: {
    en: (target: string) => `Suggested: ${target}`,
    ru: (target: string) => `Предлагается: ${target}`,
  },
  unsure: {
    en: (target: string) => `not sure; suggested: ${target}`,
    ru: (target: string) => `нет уверенности; предлагается: ${target}`,
  },
  use: { en: 'Use', ru: 'Взять' },
  useFor: {
    en: (what: string, target: string) => `Use ${what} for ${target}`,
    ru: (what: string, target: string) => `Взять ${what} для «${target}»`,
  },
  missing: { en: 'Missing', ru: 'Не хватает' },
  missingTarget: {
    en: (target: string) => `${target} is required and has no column yet.`,
    ru: (target: string) => `«${target}» обязательно, а столбца для него ещё нет.`,
  },
  missingIdentifier: {
    en: (target: string) =>
      `${target} has no column yet. It is required: clients are told apart by it.`,
    ru: (target: string) =>
      `Для «${target}» ещё нет столбца, а он обязателен: по этому значению различают клиентов.`,
  },
  missingValue: {
    en: (value: string) => `Suggested: ${value} for all rows.`,
    ru: (value: string) => `Предлагается: ${value} для всех строк.`,
  },
  missingColumns: {
    en: (columns: string) => `Suggested: ${columns}.`,
    ru: (columns: string) => `Предлагается: ${columns}.`,
  },
  missingNothing: {
    en: 'Choose it at one of the columns below.',
    ru: 'Выберите его у одного из столбцов ниже.',
  },
  missingOrSame: {
    en: 'Choose it at one of the columns below, or fill it in under “The same for all rows”.',
    ru: 'Выберите его у одного из столбцов ниже или впишите его в «Одинаково для всех строк».',
  },
  mapping: { en: 'Mapping', ru: 'Сопоставление' },
  beginWith: { en: 'Begin with', ru: 'Начать с' },
  asNow: { en: 'as it is now', ru: 'как сейчас' },
  fromName: {
    en: (name: string, isChanged: boolean) => (isChanged ? `${name}, changed` : name),
    ru: (name: string, isChanged: boolean) => (isChanged ? `${name}, изменено` : name),
  },
  suggestion: { en: 'what is suggested', ru: 'предложенного' },
  replaceWork: {
    en: (from: string) =>
      `Replace the mapping by “${from}”? What was changed here and not saved under a name is lost.`,
    ru: (from: string) =>
      `Заменить сопоставление на «${from}»? Изменения, не сохранённые под именем, пропадут.`,
  },
  replace: { en: 'Replace', ru: 'Заменить' },
  name: { en: 'Name of the mapping', ru: 'Имя сопоставления' },
  save: { en: 'Save', ru: 'Сохранить' },
  saved: {
    en: (name: string) => `Saved as ${name}.`,
    ru: (name: string) => `Сохранено как ${name}.`,
  },
  taken: {
    en: (name: string) => `There is a mapping named ${name} already. Replace it?`,
    ru: (name: string) => `Сопоставление с именем ${name} уже есть. Заменить его?`,
  },
  keptHere: {
    en: 'Kept with this list, not yet saved under a name.',
    ru: 'Хранится с этим списком, под именем ещё не сохранено.',
  },
  yaml: { en: 'Mapping as YAML', ru: 'Сопоставление как YAML' },
  yamlHidden: {
    en: 'The text is hidden with --mask: its maps and comments hold words of clients.',
    ru: 'Текст скрыт из-за --mask: его замены и комментарии содержат данные клиентов.',
  },
  inStep: { en: 'In step with the columns', ru: 'Совпадает со столбцами' },
  notYet: { en: 'Typing …', ru: 'Ввод …' },
  noMistakes: { en: 'No mistakes', ru: 'Ошибок нет' },
  mistakes: {
    en: (count: number) => counted(count, { one: 'mistake', other: 'mistakes' }),
    ru: (count: number) =>
      counted(count, { one: 'ошибка', few: 'ошибки', many: 'ошибок', other: 'ошибки' }),
  },
  mistakeAt: {
    en: (line: number, column: number) => `Line ${number(line)}, column ${number(column)}`,
    ru: (line: number, column: number) => `Строка ${number(line)}, позиция ${number(column)}`,
  },
  broken: {
    en: 'The text cannot be read at the moment. The columns are shown as they were before.',
    ru: 'Текст сейчас не читается. Столбцы показаны такими, какими были до этого.',
  },
  takeBack: { en: 'Take the text back to then', ru: 'Вернуть прежний текст' },
  conflict: {
    en: 'The mapping was changed in another tab while you were typing. The columns show what is there now; your text is kept here.',
    ru: 'Пока вы вводили текст, сопоставление изменили в другой вкладке. Столбцы показаны по изменённому; ваш текст сохранён здесь.',
  },
  keepMine: { en: 'Use my text', ru: 'Взять мой текст' },
  takeTheirs: { en: 'Show what is there now', ru: 'Показать изменённый' },
  leave: {
    en: 'What you typed in the mapping is not on the server yet.',
    ru: 'Введённый текст сопоставления ещё не сохранён.',
  },
  anyway: { en: 'Leave all the same?', ru: 'Всё равно уйти?' },
  notIn: {
    en: (name: string) => `The mapping “${name}” does not have what was changed in this list.`,
    ru: (name: string) => `В сопоставлении «${name}» нет изменений этого списка.`,
  },
  forAll: { en: 'The same for all rows', ru: 'Одинаково для всех строк' },
  addField: { en: 'Another field', ru: 'Ещё поле' },
  inText: { en: 'as the YAML says', ru: 'как в YAML' },
  cards: { en: 'What the contact center gets', ru: 'Что получит контакт-центр' },
  next: { en: 'Next: check', ru: 'Далее: проверка' },
  blockedMissing: {
    en: (target: string) => `${target} has no column yet`,
    ru: (target: string) => `Для «${target}» ещё нет столбца`,
  },
  blockedMistakes: {
    en: (count: number) =>
      `The mapping has ${counted(count, { one: 'mistake', other: 'mistakes' })}`,
    ru: (count: number) =>
      `В сопоставлении ${counted(count, { one: 'ошибка', few: 'ошибки', many: 'ошибок', other: 'ошибки' })}`,
  },
} satisfies Messages;

/** Parts that every client has. */
export const targetText = {
  phones: { en: 'Phone', ru: 'Телефон' },
  emails: { en: 'E-mail', ru: 'Эл. почта' },
  addresses: { en: 'Address', ru: 'Адрес' },
  timeZone: { en: 'Time zone', ru: 'Часовой пояс' },
  type: { en: 'Type of client (VIP)', ru: 'Тип клиента (VIP)' },
  clientRoleId: { en: 'Client role', ru: 'Роль клиента' },
  uuid: { en: 'UUID of the client', ru: 'UUID клиента' },
  clientId: { en: 'Internal id of the client', ru: 'Внутренний id клиента' },
  'callback.name': { en: 'Name of the callback', ru: 'Имя перезвона' },
  'callback.description': { en: 'Description of the callback', ru: 'Описание перезвона' },
  'callback.phone': { en: 'Phone of the callback', ru: 'Телефон перезвона' },
  'callback.operatorId': { en: 'Operator of the callback', ru: 'Оператор перезвона' },
  'callback.callAt': { en: 'Time of the callback', ru: 'Время перезвона' },
} satisfies Messages;

export const phoneTypeText = {
  MOB: { en: 'mobile', ru: 'мобильный' },
  HOME: { en: 'home', ru: 'домашний' },
  WORK: { en: 'work', ru: 'рабочий' },
  FAX: { en: 'fax', ru: 'факс' },
} satisfies Messages;

/** What is done with the cells, in words. */
export const stepText = {
  trim: { en: 'without spaces at the ends', ru: 'без пробелов по краям' },
  collapse: { en: 'several spaces become one', ru: 'лишние пробелы убираются' },
  upper: { en: 'in capitals', ru: 'прописными буквами' },
  lower: { en: 'in small letters', ru: 'строчными буквами' },
  title: { en: 'Each Word With a Capital', ru: 'Каждое Слово с Прописной' },
  digits: { en: 'digits alone', ru: 'только цифры' },
  replace: { en: 'parts are replaced', ru: 'части заменяются' },
  split: { en: 'one part of the cell', ru: 'одна часть ячейки' },
  date: { en: 'a date', ru: 'дата' },
  number: { en: 'a number', ru: 'число' },
  boolean: { en: 'yes or no', ru: 'да или нет' },
  phone: { en: 'a phone number', ru: 'номер телефона' },
  map: { en: 'values are replaced', ru: 'значения заменяются' },
  lookup: { en: 'looked up in a table', ru: 'ищется в таблице' },
  default: { en: 'a value for empty cells', ru: 'значение для пустых ячеек' },
  template: { en: 'put into a text', ru: 'подставляется в текст' },
} satisfies Messages;

const goodOf = (en: string, ru: string) => ({
  en: (good: number, filled: number) => `${number(good)} of ${number(filled)} ${en}`,
  ru: (good: number, filled: number) => `${number(good)} из ${number(filled)} — ${ru}`,
});

export const goodText = {
  good_phones: goodOf('are valid numbers', 'верные номера'),
  good_emails: goodOf('are e-mail addresses', 'адреса эл. почты'),
  good_numbers: goodOf('are numbers', 'числа'),
  good_dates: goodOf('are dates', 'даты'),
  good_values: goodOf('can be used', 'подходят'),
} satisfies Messages;
