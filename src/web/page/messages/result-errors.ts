import type { ProblemText } from './problem-text.js';

const AS_A_FILE = {
  en: 'Download the rejects, and choose them as a new spreadsheet.',
  ru: 'Скачайте отклонённые строки и выберите их как новую таблицу.',
};

/** What can go wrong with a result. */
export const resultProblemText = {
  no_file: {
    sentence: {
      en: 'This file of the run is not there any more.',
      ru: 'Этого файла запуска больше нет.',
    },
    next: {
      en: 'The reports can be made again from the ledger.',
      ru: 'Отчёты можно создать снова по журналу.',
    },
  },
  masked: {
    sentence: {
      en: 'This file holds personal data, which this page hides.',
      ru: 'В этом файле персональные данные, а страница их скрывает.',
    },
    next: {
      en: 'Start cardline ui without --mask to download it.',
      ru: 'Чтобы скачать его, запустите cardline ui без --mask.',
    },
  },
  no_rejects: {
    sentence: {
      en: 'The rejects of this run are not there any more.',
      ru: 'Отклонённых строк этого запуска больше нет на месте.',
    },
    next: {
      en: 'Look at its rows, and correct them in the spreadsheet itself.',
      ru: 'Посмотрите строки здесь и исправьте их в самой таблице.',
    },
  },
  no_mapping: {
    sentence: {
      en: 'The mapping of this run is not there any more.',
      ru: 'Правил столбцов этого запуска больше нет на месте.',
    },
    next: AS_A_FILE,
  },
  other_version: {
    sentence: {
      en: 'This run was begun by another version of cardline.',
      ru: 'Этот запуск начала другая версия cardline.',
    },
    next: AS_A_FILE,
  },
  undo_changed: {
    sentence: {
      en: 'The number is not that of the rows that would be taken back.',
      ru: 'Это не число строк, которые будут отменены.',
    },
    next: {
      en: 'Look at what would be done, and type the number again.',
      ru: 'Посмотрите, что будет сделано, и введите число снова.',
    },
  },
} as const satisfies Readonly<Record<string, ProblemText>>;
