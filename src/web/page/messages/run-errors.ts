import type { ProblemText } from './problem-text.js';

/** What can go wrong with a run. */
export const runProblemText = {
  canary: {
    sentence: {
      en: 'Some of the first rows failed, so that the others were not sent.',
      ru: 'Часть первых строк не прошла, поэтому остальные не отправлены.',
    },
    next: {
      en: 'Look at the reasons below. When they are mended, or do not matter, continue with the other rows.',
      ru: 'Посмотрите причины ниже. Если они устранены или неважны, продолжите с остальными строками.',
    },
  },
  interrupted: {
    sentence: { en: 'It was stopped.', ru: 'Импорт остановлен.' },
    next: {
      en: 'What was sent is on record. Continue sends the rest.',
      ru: 'Всё отправленное записано. «Продолжить» отправит остальное.',
    },
  },
  unreachable: {
    sentence: {
      en: 'The contact center does not answer.',
      ru: 'Контакт-центр не отвечает.',
    },
    next: {
      en: 'Nothing is lost. Continue as soon as it is there again.',
      ru: 'Ничего не потеряно. Продолжите, как только он снова будет доступен.',
    },
  },
  not_authorized: {
    sentence: {
      en: 'The contact center refuses the credentials.',
      ru: 'Контакт-центр не принимает учётные данные.',
    },
    next: {
      en: 'Set the right value in the environment variable that the installation names, start cardline again, and continue.',
      ru: 'Задайте верное значение переменной окружения, которую называет описание контакт-центра, запустите cardline снова и продолжите.',
    },
  },
  no_center_there: {
    sentence: {
      en: 'What answers at this address is no contact center.',
      ru: 'По этому адресу отвечает не контакт-центр.',
    },
    next: {
      en: 'Check the address in the installation, the proxy, and whether a login stands in between.',
      ru: 'Проверьте адрес в описании контакт-центра, прокси и не стоит ли между ними страница входа.',
    },
  },
  works_elsewhere: {
    sentence: {
      en: 'Another process works on this run.',
      ru: 'С этим запуском работает другой процесс.',
    },
    next: {
      en: 'Stop it there with Ctrl-C, or wait until it has ended.',
      ru: 'Остановите его там (Ctrl-C) или дождитесь его конца.',
    },
  },
  not_at_work: {
    sentence: { en: 'This run is not at work any more.', ru: 'Этот запуск уже не работает.' },
  },
  ledger: {
    sentence: {
      en: 'What was sent cannot be put on record.',
      ru: 'Не удаётся записать, что было отправлено.',
    },
    next: {
      en: 'What was recorded before holds. Look at the folder of the ledger, then continue.',
      ru: 'Записанное ранее сохранено. Проверьте папку журнала и продолжите.',
    },
  },
  other_center: {
    sentence: {
      en: 'This run was on another contact center than the one that this page is for.',
      ru: 'Этот запуск был в другом контакт-центре, не в том, для которого открыта страница.',
    },
    next: {
      en: 'Start “cardline ui” with the installation that the run was made with.',
      ru: 'Запустите «cardline ui» с тем описанием, с которым был сделан запуск.',
    },
  },
  changed_since: {
    sentence: {
      en: 'An earlier import of this file is not at its end, and something has changed since it began.',
      ru: 'Прежний импорт этого файла не доведён до конца, и с его начала что-то изменилось.',
    },
    next: {
      en: 'Restore what has changed, take back what it did, or begin anew, which sends all rows again.',
      ru: 'Верните как было, отмените сделанное или начните заново: тогда все строки будут отправлены ещё раз.',
    },
  },
  no_such_run: {
    sentence: { en: 'There is no such run.', ru: 'Такого запуска нет.' },
    next: {
      en: 'The History lists those that there are.',
      ru: 'Все запуски перечислены в «Истории».',
    },
  },
  plan_changed: {
    sentence: {
      en: 'What would be sent has changed since this page showed it.',
      ru: 'С тех пор как страница это показала, изменилось то, что будет отправлено.',
    },
    next: {
      en: 'It is shown as it is now. Look at it, and start again.',
      ru: 'Показано, как есть сейчас. Проверьте и начните снова.',
    },
  },
  not_confirmed: {
    sentence: {
      en: 'The number that was typed is not the number of rows.',
      ru: 'Введённое число не равно числу строк.',
    },
    next: {
      en: 'Type the number that the button names.',
      ru: 'Введите число, указанное на кнопке.',
    },
  },
  no_installation: {
    sentence: {
      en: 'cardline was started without an installation, which describes your contact center.',
      ru: 'cardline запущен без описания вашего контакт-центра.',
    },
  },
} as const satisfies Readonly<Record<string, ProblemText>>;
