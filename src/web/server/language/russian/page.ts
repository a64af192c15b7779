import type { Sentences } from '../catalogue/catalogue.js';

/** What the server of the page refuses, and what a person does next. */
export const pageSentences: Sentences = {
  'The page does not answer to this host.': 'На этот адрес страница не отвечает.',
  'Open the address that "cardline ui" has printed.':
    'Откройте адрес, который напечатал «cardline ui».',
  'Another site has asked for this.': 'Это запросил другой сайт.',
  'cardline does not know this page, or was started anew since.': 'cardline был запущен заново.',
  'This download was used already, or is too old.': 'Эта ссылка уже использована или устарела.',
  'Click on it again.': 'Нажмите на неё ещё раз.',
  'This page only shows: cardline was started with --read-only.':
    'Эта страница только показывает: cardline запущен с --read-only.',
  'Start it without, to change something.':
    'Чтобы что-то менять, запустите его без этого параметра.',
  'There is no such page.': 'Такой страницы нет.',
  'This page works on this run at the moment.': 'Эта страница сейчас работает с этим запуском.',
  'Wait until it has ended, or stop it: the History leads to it.':
    'Дождитесь, пока он завершится, или остановите его: он есть в «Истории».',
  'This text is too long for a mapping.': 'Для сопоставления этот текст слишком длинный.',
  'Put long lists of values into a table, and name it with "lookup".':
    'Длинные списки значений перенесите в таблицу и назовите её в «lookup».',
  'Choose another row or sheet.': 'Выберите другую строку или лист.',
  'Choose another one in the step File.': 'Другую можно выбрать на шаге «Файл».',
  'Choose the right one in the step File.': 'Верную можно выбрать на шаге «Файл».',
  'Save the file as UTF-8, or choose its encoding in the step File.':
    'Сохраните файл в UTF-8 или выберите кодировку на шаге «Файл».',
  'Choose another file.': 'Выберите другой файл.',
  'Choose another sheet in the step File.': 'Выберите другой лист на шаге «Файл».',
  'The page has asked for something that the server does not understand.':
    'Страница запросила то, чего сервер не понимает.',
  'Reload the page.': 'Обновите страницу.',
  'cardline was started again since these rows were shown.':
    'cardline был запущен заново с тех пор, как показаны эти строки.',
  'The page shows them anew: correct the cell again.':
    'Страница показывает их заново: исправьте ячейку ещё раз.',
  'The mapping does not fit this file.': 'Сопоставление не подходит к этому файлу.',
  'Change it in the step Columns.': 'Измените его на шаге «Столбцы».',
  'Row {} does not hold any more what was corrected in the column {}: the file has changed since.':
    'В строке {1:number}, столбец {2}, уже не то, что было исправлено: файл с тех пор изменился.',
  'Take this correction back.': 'Отмените это исправление ниже.',
  'The mapping is written in a way that this rule cannot be added to.':
    'Сопоставление записано так, что это правило в него не добавить.',
  'Add it by hand in the step Columns.': 'Добавьте его вручную на шаге «Столбцы».',
  'Here the new value may hold neither $ nor \\.':
    'Здесь в новом значении не может быть ни $, ни \\.',
  'Choose another one, or add a value map in the step Columns.':
    'Выберите другое или добавьте замену на шаге «Столбцы».',
  'The mapping does not use this column any more.':
    'Сопоставление больше не использует этот столбец.',
  'The column is part of a text that is put together in the mapping.':
    'Столбец — часть текста, который собирается в сопоставлении.',
  'What is there is the same in all rows, or a text that is put together: no column can be added.':
    'Здесь одно значение для всех строк или собранный текст: столбец не добавить.',
  'Something else stands in the mapping where this belongs.':
    'В сопоставлении на этом месте стоит другое.',
  'This place of the mapping is written in a way that cannot be changed by a click.':
    'Это место сопоставления записано так, что изменить его щелчком нельзя.',
  'A mapping cannot hold this name.': 'Такого имени в сопоставлении быть не может.',
  'The new value holds signs that mean something else in a pattern.':
    'В новом значении знаки, которые в выражении значат другое.',
  'The mapping is no valid YAML at the moment.': 'Сопоставление сейчас — не правильный YAML.',
  'Mend it in the text, or take back the last text that could be read.':
    'Исправьте текст или верните последний, который можно было прочитать.',
  'This cannot be used: {}': 'Это использовать нельзя: {1:say}',
  'Change it in the text.': 'Измените это в тексте.',
  'Change it in the text, in line {}.': 'Измените это в тексте, в строке {1}.',
  'The import cannot start as it is now.': 'Сейчас импорт начать нельзя.',
  'What would be sent has changed since this page showed it.':
    'С тех пор как страница это показала, изменилось то, что будет отправлено.',
  'It is shown as it is now.': 'Показано, как есть сейчас.',
  'Look at it, and start again.': 'Проверьте и начните снова.',
  'The number that was typed is not the number of rows.': 'Введённое число не равно числу строк.',
  'Type the number that the button names.': 'Введите число, указанное на кнопке.',
  'The mapping has been changed elsewhere since, perhaps in another tab.':
    'Сопоставление с тех пор изменено, возможно в другой вкладке.',
  'Make your change again if it is still wanted.': 'Повторите своё изменение, если оно ещё нужно.',
  'There is a mapping named {} already.': 'Сопоставление с именем {1} уже есть.',
  'Replace it, or choose another name.': 'Замените его или выберите другое имя.',
  'The disk has no room for a copy of this file.': 'На диске нет места для копии этого файла.',
  'Make room, or name the file on the command line: cardline ui FILE reads it where it is.':
    'Освободите место или назовите файл в командной строке: «cardline ui ФАЙЛ» читает его там, где он лежит.',
  'The disk is full.': 'Диск заполнен.',
  'Make room and try again; what was there before is kept.':
    'Освободите место и повторите; всё прежнее сохранено.',
  'The file is not there any more.': 'Файла больше нет на месте.',
  'Choose it again.': 'Выберите его ещё раз.',
  'This route takes another kind of content.': 'Здесь нужно содержимое другого вида.',
  'This is too much for one request.': 'Для одного запроса это слишком много.',
  'This is an internal error of cardline, not of your file.':
    'Это внутренняя ошибка cardline, а не вашего файла.',
  'Nothing that was recorded is lost.': 'Ничего из записанного не потеряно.',
  'The upload broke off.': 'Загрузка прервалась.',
  'Choose the file again.': 'Выберите файл ещё раз.',
  'This list is not there any more.': 'Этого списка больше нет.',
  'cardline was started without an installation, which describes your contact center.':
    'cardline запущен без описания вашего контакт-центра.',
  'Make one with "cardline init" and name it with -i; or start "cardline ui --sandbox".':
    'Создайте его командой «cardline init» и укажите в -i; или запустите «cardline ui --sandbox».',
  'The rejects of this run are not there any more.':
    'Отклонённых строк этого запуска больше нет на месте.',
  'Look at its rows, and correct them in the spreadsheet itself.':
    'Посмотрите строки здесь и исправьте их в самой таблице.',
  'The mapping of this run is not there any more.':
    'Сопоставления этого запуска больше нет на месте.',
  'Download the rejects, and choose them as a new spreadsheet.':
    'Скачайте отклонённые строки и выберите их как новую таблицу.',
  'This run was begun by another version of cardline.':
    'Этот запуск начала другая версия cardline.',
  'This file of the run is not there any more.': 'Этого файла запуска больше нет.',
  'The reports can be made again from the ledger.': 'Отчёты можно создать снова по журналу.',
  'This file holds personal data, which this page hides.':
    'В этом файле персональные данные, а страница их скрывает.',
  'Start cardline ui without --mask to download it.':
    'Чтобы скачать его, запустите cardline ui без --mask.',
  'There is no such run.': 'Такого запуска нет.',
  'The History lists those that there are.': 'Все запуски перечислены в «Истории».',
  'Another process works on this run.': 'С этим запуском работает другой процесс.',
  'Stop it there with Ctrl-C, or wait until it has ended.':
    'Остановите его там (Ctrl-C) или дождитесь его конца.',
  'This run is not at work any more.': 'Этот запуск уже не выполняется.',
  'This run was on another contact center than the one that this page is for.':
    'Этот запуск был в другом контакт-центре, не в том, для которого открыта страница.',
  'Start "cardline ui" with the installation that the run was made with.':
    'Запустите «cardline ui» с тем описанием, с которым был сделан запуск.',
  'Another program has the ledger for itself at this moment.':
    'Журнал сейчас занят другой программой.',
  'Try again in a moment.': 'Повторите чуть позже.',
  'A later version of cardline has written the ledger.':
    'Журнал записан более новой версией cardline.',
  'Use that version, or start "cardline ui" with another --ledger.':
    'Используйте ту версию или запустите «cardline ui» с другим --ledger.',
  'What lies at the place of the ledger is none.': 'На месте журнала лежит что-то другое.',
  'Start "cardline ui" with another --ledger.': 'Запустите «cardline ui» с другим --ledger.',
  'The ledger cannot be read.': 'Журнал не удаётся прочитать.',
  'Look at its disk and its permissions, and try again.':
    'Проверьте диск и права доступа и повторите.',
  'The request is not valid JSON.': 'Запрос — не JSON.',
  'This address is from an earlier start of cardline.':
    'Этот адрес — от предыдущего запуска cardline.',
  'The text of the mapping is hidden with --mask, and so it cannot be typed in.':
    'С --mask текст сопоставления скрыт, поэтому править его нельзя.',
  'Start cardline without --mask to edit it.': 'Чтобы править его, запустите cardline без --mask.',
  'There is no such sample.': 'Такого примера нет.',
  'The file of this list is there already.': 'Файл этого списка уже есть.',
  'The import of this list is under way.': 'Импорт этого списка идёт прямо сейчас.',
  'Stop it first, or wait until it has ended.': 'Сначала остановите его или дождитесь конца.',
  'Cells are hidden with --mask, and so no other row can be taken for the header.':
    'С --mask ячейки скрыты, поэтому другую строку заголовком сделать нельзя.',
  'Start cardline without --mask to choose it.': 'Чтобы выбрать её, запустите cardline без --mask.',
  'The number is not that of the rows that would be taken back.':
    'Это не число строк, которые будут отменены.',
  'Look at what would be done, and type the number again.':
    'Посмотрите, что будет сделано, и введите число снова.',
  'This page has a contact center already.': 'У этой страницы уже есть контакт-центр.',
  'For another one, start "cardline ui" with its installation.':
    'Для другого запустите «cardline ui» с его описанием.',
  'What was sent is on record.': 'Всё отправленное записано.',
  'Continue sends the rest.': '«Продолжить» отправит остальное.',
  'Look at the reasons below.': 'Посмотрите причины ниже.',
  'When they are mended, or do not matter, continue with the other rows.':
    'Если они устранены или неважны, продолжите с остальными строками.',
  'Nothing is lost.': 'Ничего не потеряно.',
  'Continue as soon as it is there again.': 'Продолжите, как только он снова будет доступен.',
  'Set the right value in the environment variable that the installation names, start cardline again, and continue.':
    'Задайте верное значение переменной окружения, которую называет описание контакт-центра, запустите cardline снова и продолжите.',
  'Check the address in the installation, the proxy, and whether a login stands in between.':
    'Проверьте адрес в описании контакт-центра, прокси и не стоит ли между ними страница входа.',
  'What was recorded before holds.': 'Записанное ранее сохранено.',
  'Look at the folder of the ledger, then continue.': 'Проверьте папку журнала и продолжите.',
  'Restore what has changed, take back what it did, or begin anew, which sends all rows again.':
    'Верните как было, отмените сделанное или начните заново: тогда все строки будут отправлены ещё раз.',
  'Save it as .xlsx or CSV in a spreadsheet program, and choose that.':
    'Сохраните как .xlsx или CSV в программе для таблиц и выберите этот файл.',
};
