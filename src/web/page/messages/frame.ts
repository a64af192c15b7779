import type { Center } from '../../shared/about.js';
import type { Step } from '../../shared/in-browser.js';
import type { Message, Messages } from '../state/language.js';

export const stepText = {
  file: { en: 'File', ru: 'Файл' },
  columns: { en: 'Columns', ru: 'Столбцы' },
  check: { en: 'Check', ru: 'Проверка' },
  import: { en: 'Import', ru: 'Импорт' },
  result: { en: 'Result', ru: 'Итог' },
} as const satisfies Record<Step, Message>;

export const kindText = {
  production: { en: 'production', ru: 'рабочий' },
  local: { en: 'this machine', ru: 'этот компьютер' },
  sandbox: { en: 'sandbox', ru: 'песочница' },
} as const satisfies Record<Center['kind'], Message>;

export const frameText = {
  skip: { en: 'To the content', ru: 'К содержимому' },
  steps: { en: 'Steps', ru: 'Шаги' },
  history: { en: 'History', ru: 'История' },
  language: { en: 'Language', ru: 'Язык' },
  noCenter: { en: 'no contact center', ru: 'нет контакт-центра' },
  readOnly: { en: 'view only', ru: 'только просмотр' },
  back: { en: 'Back', ru: 'Назад' },
  copy: { en: 'Copy', ru: 'Копировать' },
  copied: { en: 'Copied', ru: 'Скопировано' },
  command: { en: 'The same on the command line', ru: 'То же в командной строке' },
  loading: { en: 'Loading…', ru: 'Загрузка…' },
  tryAgain: { en: 'Try again', ru: 'Повторить' },
  nowhere: { en: 'There is no such page.', ru: 'Такой страницы нет.' },
  toStart: { en: 'Choose a spreadsheet', ru: 'Выбрать таблицу' },
  rejectsOf: {
    en: (name: string) => `Row numbers are those of ${name}, which holds the rejects of`,
    ru: (name: string) => `Номера строк — из файла ${name}: в нём отклонённые строки из`,
  },
  mendedRows: {
    en: (file: string) => `${file}, mended rows`,
    ru: (file: string) => `${file}, исправленные строки`,
  },
  gone: {
    en: 'cardline does not answer. Nothing is lost: this page goes on by itself as soon as it is there again.',
    ru: 'cardline не отвечает. Ничего не потеряно: страница продолжит сама, как только он снова будет доступен.',
  },
  goneNext: {
    en: 'If it was ended in the terminal, start it again with “cardline ui” and open the new address.',
    ru: 'Если его остановили в терминале, запустите «cardline ui» снова и откройте новый адрес.',
  },
  closed: { en: 'This page needs its address', ru: 'Этой странице нужен её адрес' },
  closedWhy: {
    en: 'cardline does not know this tab: it was started again since, or the tab was opened without the token.',
    ru: 'cardline не знает эту вкладку: он был запущен заново, или вкладка открыта без токена.',
  },
  closedNext: {
    en: 'Open the address that “cardline ui” has printed in the terminal: “The page is at http://127.0.0.1:…”. Lists and runs are all there.',
    ru: 'Откройте адрес, который «cardline ui» напечатал в терминале: «The page is at http://127.0.0.1:…». Все списки и запуски на месте.',
  },
} as const satisfies Messages;
