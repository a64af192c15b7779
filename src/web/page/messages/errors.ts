import { historyProblemText } from './history-errors.js';
import type { ProblemText } from './problem-text.js';
import { checkProblemText } from './check-errors.js';
import { resultProblemText } from './result-errors.js';
import { runProblemText } from './run-errors.js';
import type { Message } from '../state/language.js';

const SAVE_AS: Message = {
  en: 'Save it as .xlsx or CSV in a spreadsheet program, and choose that.',
  ru: 'Сохраните её как .xlsx или CSV в программе для таблиц и выберите этот файл.',
};
const CHOOSE_AGAIN: Message = { en: 'Choose the file again.', ru: 'Выберите файл ещё раз.' };
const OPEN_AGAIN: Message = {
  en: 'Open the address that “cardline ui” has printed.',
  ru: 'Откройте адрес, который напечатал «cardline ui».',
};

const DAMAGED: ProblemText = {
  sentence: { en: 'The workbook is damaged.', ru: 'Книга повреждена.' },
  next: {
    en: 'Open it in a spreadsheet program, save it, and choose it again.',
    ru: 'Откройте её в программе для таблиц, сохраните и выберите снова.',
  },
};
const CUT_OFF: ProblemText = {
  sentence: { en: 'The file is damaged or cut off.', ru: 'Файл повреждён или обрезан.' },
  next: {
    en: 'Copy or download it again, and choose that.',
    ru: 'Скопируйте или скачайте его снова и выберите новый.',
  },
};
const UNREADABLE: ProblemText = {
  sentence: {
    en: 'The file holds more in one place than a spreadsheet does.',
    ru: 'В файле на одном месте больше данных, чем бывает в таблице.',
  },
  next: SAVE_AS,
};

/** Problems that the page has words of its own for. Of others it shows the server's. */
export const problemText: Readonly<Record<string, ProblemText>> = {
  ...runProblemText,
  header_hidden: {
    sentence: {
      en: 'Cells are hidden with --mask, and so no other row can be taken for the header.',
      ru: 'С --mask ячейки скрыты, поэтому другую строку заголовком сделать нельзя.',
    },
    next: {
      en: 'Start cardline without --mask to choose it.',
      ru: 'Чтобы выбрать её, запустите cardline без --mask.',
    },
  },
  list_at_work: {
    sentence: {
      en: 'The import of this list is under way.',
      ru: 'Импорт этого списка идёт прямо сейчас.',
    },
    next: {
      en: 'Stop it first, or wait until it has ended.',
      ru: 'Сначала остановите его или дождитесь конца.',
    },
  },
  ...historyProblemText,
  ...checkProblemText,
  ...resultProblemText,
  not_a_spreadsheet: {
    sentence: {
      en: 'This is no spreadsheet, but another kind of file, such as a PDF or an archive.',
      ru: 'Это не таблица, а файл другого вида, например PDF или архив.',
    },
    next: SAVE_AS,
  },
  empty_file: {
    sentence: { en: 'The file is empty.', ru: 'Файл пуст.' },
    next: {
      en: 'Export it again, or choose another one.',
      ru: 'Выгрузите его снова или выберите другой.',
    },
  },
  encrypted: {
    sentence: {
      en: 'The workbook is protected with a password.',
      ru: 'Книга защищена паролем.',
    },
    next: {
      en: 'Save it without a password, and choose it again.',
      ru: 'Сохраните её без пароля и выберите снова.',
    },
  },
  broken_workbook: DAMAGED,
  truncated_zip: DAMAGED,
  broken_zip: DAMAGED,
  not_a_zip: DAMAGED,
  not_a_workbook: DAMAGED,
  lost_sheet: DAMAGED,
  missing_part: DAMAGED,
  bad_reference: DAMAGED,
  malformed_xml: DAMAGED,
  truncated_xml: DAMAGED,
  doctype: DAMAGED,
  unsupported_compression: DAMAGED,
  truncated_gzip: CUT_OFF,
  broken_gzip: CUT_OFF,
  broken_parquet: CUT_OFF,
  gzip_holds_archive: {
    sentence: {
      en: 'The gzip file holds an archive, not a single spreadsheet.',
      ru: 'В файле gzip лежит архив, а не одна таблица.',
    },
    next: {
      en: 'Unpack it, and choose the spreadsheet itself.',
      ru: 'Распакуйте его и выберите саму таблицу.',
    },
  },
  broken_json: {
    sentence: {
      en: 'A line of the file is not valid JSON.',
      ru: 'Одна из строк файла — не JSON.',
    },
    next: {
      en: 'Export the file again.',
      ru: 'Выгрузите файл снова.',
    },
  },
  broken_csv: UNREADABLE,
  cell_too_long: UNREADABLE,
  row_too_long: UNREADABLE,
  too_deep: UNREADABLE,
  too_many_cells: UNREADABLE,
  too_many_columns: UNREADABLE,
  too_many_empty_cells: UNREADABLE,
  too_large: UNREADABLE,
  no_sheet: {
    sentence: { en: 'The workbook has no visible sheet.', ru: 'В книге нет видимого листа.' },
    next: SAVE_AS,
  },
  zip_bomb: {
    sentence: {
      en: 'The workbook unpacks to far more than a spreadsheet holds.',
      ru: 'Книга распаковывается в объём, какого у таблиц не бывает.',
    },
    next: SAVE_AS,
  },
  unclosed_quote: {
    sentence: {
      en: 'A quotation mark is opened and never closed.',
      ru: 'Кавычка открыта и нигде не закрыта.',
    },
    next: SAVE_AS,
  },
  invalid_text: {
    sentence: {
      en: 'The file is not text in this encoding.',
      ru: 'В этой кодировке файл не читается как текст.',
    },
    next: { en: 'Choose another encoding.', ru: 'Выберите другую кодировку.' },
  },
  unknown_sheet: {
    sentence: { en: 'The workbook has no such sheet.', ru: 'В книге нет такого листа.' },
    next: { en: 'Choose another sheet.', ru: 'Выберите другой лист.' },
  },
  no_header: {
    sentence: {
      en: 'There is no row here that could be a header.',
      ru: 'Здесь нет строки, которая могла бы быть заголовком.',
    },
    next: { en: 'Choose another row or sheet.', ru: 'Выберите другую строку или лист.' },
  },
  no_room: {
    sentence: {
      en: 'The disk has no room for a copy of this file.',
      ru: 'На диске нет места для копии этого файла.',
    },
    next: {
      en: 'Make room, or start “cardline ui FILE”, which reads the file where it is.',
      ru: 'Освободите место или запустите «cardline ui ФАЙЛ»: он читает файл там, где тот лежит.',
    },
  },
  disk_full: {
    sentence: { en: 'The disk is full.', ru: 'Диск заполнен.' },
    next: {
      en: 'Make room and try again; what was there before is kept.',
      ru: 'Освободите место и повторите; всё прежнее сохранено.',
    },
  },
  file_gone: {
    sentence: { en: 'The file is not there any more.', ru: 'Файла больше нет на месте.' },
    next: CHOOSE_AGAIN,
  },
  broken_off: {
    sentence: { en: 'The upload broke off.', ru: 'Загрузка прервалась.' },
    next: CHOOSE_AGAIN,
  },
  no_such_list: {
    sentence: {
      en: 'This list is not there any more. Lists are kept for a day.',
      ru: 'Этого списка больше нет. Списки хранятся один день.',
    },
    next: CHOOSE_AGAIN,
  },
  read_only: {
    sentence: {
      en: 'This page only shows: cardline was started with --read-only.',
      ru: 'Эта страница только показывает: cardline запущен с --read-only.',
    },
  },
  gone: {
    sentence: { en: 'cardline does not answer.', ru: 'cardline не отвечает.' },
    next: {
      en: 'Try again as soon as it is there.',
      ru: 'Повторите, как только он снова будет доступен.',
    },
  },
  no_session: {
    sentence: { en: 'cardline was started again.', ru: 'cardline был запущен заново.' },
    next: OPEN_AGAIN,
  },
  old_address: {
    sentence: {
      en: 'This address is from an earlier start of cardline.',
      ru: 'Этот адрес — от предыдущего запуска cardline.',
    },
    next: OPEN_AGAIN,
  },
  internal: {
    sentence: {
      en: 'This is an internal error of cardline, not of your file.',
      ru: 'Это внутренняя ошибка cardline, а не вашего файла.',
    },
    next: {
      en: 'Nothing that was recorded is lost. Reload the page.',
      ru: 'Ничего из записанного не потеряно. Обновите страницу.',
    },
  },
};
