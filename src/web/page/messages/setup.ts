import { counted, type Messages } from '../state/language.js';

export const setupText = {
  title: { en: 'Which contact center is it about?', ru: 'С каким контакт-центром работаем?' },
  why: {
    en: 'None is described yet. Files can be looked at, and nothing can be sent.',
    ru: 'Ни один ещё не описан. Файлы можно просмотреть, но ничего нельзя отправить.',
  },
  sandbox: { en: 'Try it in a sandbox', ru: 'Попробовать в песочнице' },
  sandboxWhy: {
    en: 'A contact center of your own on this machine, with samples. Nobody is called.',
    ru: 'Собственный контакт-центр на этом компьютере, с примерами. Никому не звонят.',
  },
  describe: { en: 'Describe yours', ru: 'Описать свой' },
  readOnly: {
    en: 'Start cardline with “-i FILE”, or with “--sandbox”.',
    ru: 'Запустите cardline с «-i ФАЙЛ» или с «--sandbox».',
  },
  url: { en: 'Address', ru: 'Адрес' },
  urlHint: { en: 'such as https://cc.example.com', ru: 'например, https://cc.example.com' },
  credentials: { en: 'Credentials', ru: 'Учётные данные' },
  credentialsWhy: {
    en: 'They are taken from a variable of the environment in which cardline runs. They reach neither this page nor the file.',
    ru: 'Они берутся из переменной окружения, в котором работает cardline, и не попадают ни на эту страницу, ни в файл.',
  },
  header: { en: 'Header', ru: 'Заголовок запроса' },
  headerHint: { en: 'empty: no credentials', ru: 'пусто: без учётных данных' },
  scheme: { en: 'Word before them', ru: 'Слово перед ними' },
  variable: { en: 'Variable', ru: 'Переменная' },
  ids: { en: 'Synchronization identifiers', ru: 'Идентификаторы синхронизации' },
  idsWhy: {
    en: 'One a line, such as offerId. With the values of a client that exists, offerId=7, the fields of the card are read from it; nothing is changed.',
    ru: 'По одному в строке, например offerId. Если указать значения существующего клиента, offerId=7, поля карточки будут прочитаны из него; ничего не меняется.',
  },
  fields: { en: 'Other fields of the card', ru: 'Другие поля карточки' },
  fieldsWhy: {
    en: 'One a line, such as fullName or budget:Number. Those that were read need not be named.',
    ru: 'По одному в строке, например fullName или budget:Number. Прочитанные называть не нужно.',
  },
  make: { en: 'Write the installation file', ru: 'Записать файл описания' },
  making: { en: 'Asking the contact center…', ru: 'Обращаемся к контакт-центру…' },
  file: {
    en: (path: string) => `It becomes ${path}.`,
    ru: (path: string) => `Файл будет здесь: ${path}.`,
  },
  made: {
    en: (path: string, fields: number) =>
      `${path} is written, with ${counted(fields, { one: 'field', other: 'fields' })}.`,
    ru: (path: string, fields: number) =>
      `${path} записан, ${counted(fields, { one: 'поле', few: 'поля', many: 'полей', other: 'поля' })}.`,
  },
  look: {
    en: 'Look at the lines that are marked with “Check”: the contact center does not show which fields are required, nor what a choice allows.',
    ru: 'Проверьте строки с пометкой «Check»: контакт-центр не сообщает, какие поля обязательны и какие значения допустимы.',
  },
  missing: {
    en: (variable: string) =>
      `Before anything can be sent, set the variable ${variable} in the terminal and start cardline again:`,
    ru: (variable: string) =>
      `Прежде чем что-либо отправлять, задайте в терминале переменную ${variable} и запустите cardline снова:`,
  },
} as const satisfies Messages;
