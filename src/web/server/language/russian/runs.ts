import type { Sentences } from '../catalogue/catalogue.js';

/** What becomes of runs and their rows, and why a run does not begin or go on. */
export const runSentences: Sentences = {
  'Client already exists': 'Клиент уже есть',
  'Client not found in campaign': 'Клиента нет в кампании',
  'Success (confirmed by lookup)': 'Успешно (подтверждено проверкой)',
  '{} by run {} on {}': '{1:done} запуском {2} ({3})',
  'The run ended before the contact center answered; whether this took effect is not known.':
    'Запуск закончился раньше ответа контакт-центра; подействовало ли это, неизвестно.',
  'It is not known what the run did with this row, and it was left as it is; importing its file again looks it up.':
    'Неизвестно, что запуск сделал с этой строкой, и она оставлена как есть; повторный импорт файла это выяснит.',
  'The answer to its creation was lost, and the card may have been there before; it was left as it is.':
    'Ответ о создании потерян, и карточка могла быть раньше; она оставлена как есть.',
  'The answer was lost when it was added to the campaign, and it may have been there before; its call application was left.':
    'Ответ о добавлении в кампанию потерян, и заявка могла быть раньше; она оставлена.',
  '1 added contact stays: no operation takes contacts from a card.':
    'Остаётся 1 добавленный контакт: убрать контакты из карточки нельзя.',
  '{} added contacts stay: no operation takes contacts from a card.':
    'Остаётся {1:добавленный контакт|добавленных контакта|добавленных контактов}: убрать контакты из карточки нельзя.',
  'The folder of temporary files, {}: {} ({}).': 'Папка временных файлов, {1}: {2:say} ({3}).',
  'the disk is full': 'диск заполнен',
  'it cannot be written': 'записать в неё нельзя',
  'Facts of the run were lost, so that this may have been sent already.':
    'Часть записей о запуске потеряна, и это могло быть уже отправлено.',
  'The input or the mapping gives other rows than when this run began, so it is not continued.':
    'Таблица или сопоставление дают другие строки, чем в начале запуска, поэтому он не продолжен.',
  'Restore them to continue it; or take back what it did (cardline undo); or begin anew with --again, which sends all rows, also those that it has sent.':
    'Верните как было, чтобы продолжить; или отмените сделанное; или начните заново: тогда все строки будут отправлены ещё раз.',
  'Too many of the first rows failed, so the others were not sent.':
    'Слишком много первых строк не прошло, поэтому остальные не отправлены.',
  'Look at the report.': 'Посмотрите итог.',
  'The answer was lost.': 'Ответ потерян.',
  "The client's call application in campaign {} has a callback, which may be this one or another: look whether it has one for {}.":
    'У заявки клиента в кампании {1} есть перезвон, этот или другой: проверьте, есть ли у неё перезвон на {2}.',
  'The contact center did not say how this client stands, so that nothing was changed.':
    'Контакт-центр не ответил, каков этот клиент сейчас, поэтому ничего не изменено.',
  'Another card has these identifiers now; it was left as it is.':
    'Эти идентификаторы теперь у другой карточки; она оставлена как есть.',
  'The client is not there any more.': 'Этого клиента больше нет.',
  'Field {} is not shown by the contact center, and was left as it is.':
    'Поле {1} контакт-центр не показывает; оно оставлено как есть.',
  'Field {} has been changed since, and was left as it is.':
    'Поле {1} с тех пор изменено; оно оставлено как есть.',
  'The contact center answered none of the requests for this client.':
    'Контакт-центр не ответил ни на один запрос об этом клиенте.',
  'The contact center did not say whether this client is there.':
    'Контакт-центр не ответил, есть ли этот клиент.',
  'The answer of the contact center does not say what became of this client.':
    'В ответе контакт-центра не сказано, что стало с этим клиентом.',
  'An earlier request for this client was not answered.':
    'На прежний запрос об этом клиенте ответа не было.',
  'The answer of the contact center names clients that were not sent.':
    'В ответе контакт-центра названы клиенты, которых не отправляли.',
  '{} of {} rows did not end well, more than the {} that are allowed.':
    '{1:number} из {2:may} строк неуспешны, а допускается {3:number}.',
  'about {}': 'примерно {1:number}',
  'The contact center could not be asked for this client.':
    'Спросить контакт-центр об этом клиенте не удалось.',
  '{} holds rejects of a run, but is not where that run left them: what became of their clients is not known, and those that exist are created once more.':
    'Файл {1} содержит отклонённые строки запуска, но лежит не там, где запуск их оставил: что стало с этими клиентами, неизвестно, и те, что уже есть, будут созданы ещё раз.',
  'Import the file by the path that it had, or with --settle-all, which looks every client up first.':
    'Загрузите файл по прежнему пути или с --settle-all, при котором каждый клиент сначала ищется.',
  'Run {} did not learn what became of its request for this client.':
    'Запуск {1} не узнал, что стало с его запросом об этом клиенте.',
  '{}; trying on.': '{1:say}; попытки продолжаются.',
  "The contact center did not accept the credentials (HTTP {}); check the installation's headers.":
    'Контакт-центр не принял учётные данные (HTTP {1}); проверьте заголовки в описании контакт-центра.',
  'Check baseUrl in the installation, with its path, the proxy, and whether a login stands in between.':
    'Проверьте baseUrl в описании контакт-центра с его путём, прокси и не стоит ли между ними страница входа.',
  'Nothing was sent.': 'Ничего не отправлено.',
  'This is no contact center, or not its address: {} answered with {}.':
    'Это не контакт-центр или не его адрес: {1} ответил: {2:say}.',
  'HTTP {} and {}': 'HTTP {1} и {2:parts}',
  'HTTP {}, a redirect to {}': 'HTTP {1}, переадресация на {2}',
  'Requests are permitted {}, and the run was not to wait.':
    'Запросы разрешены {1}, а ждать запуск не должен.',
  'Requests are permitted {}; the run pauses until {} there, and goes on by itself.':
    'Запросы разрешены {1}; запуск ждёт до {2} по тамошнему времени и продолжится сам.',
  'Waiting up to {} s: the contact center may still be working on {} lost; {} sent again only then. transport.serverDeadlineMs sets this time.':
    'Ожидание до {1} с: контакт-центр может ещё работать над клиентами ({2:say}); лишь потом они отправляются снова. Это время задаёт transport.serverDeadlineMs.',
  '1 client whose answer was': '1 без ответа',
  '{} clients whose answers were': '{1:number} без ответа',
  'The client is not in the campaign either.': 'Клиента нет и в кампании.',
  'The card is still there.': 'Карточка всё ещё есть.',
  'The client is still in the campaign.': 'Клиент всё ещё в кампании.',
  'The synchronization identifiers stand in {}, too.':
    'Те же идентификаторы синхронизации есть и в {1:say}.',
  'row {} of {}': 'строке {1:number} файла {2}',
  'row {}': 'строке {1:number}',
  'card {}': 'карточки {1}',
  'The synchronization identifiers belong to the card of {}.':
    'Эти идентификаторы синхронизации у карточки строки: {1:say}.',
  'Waiting for {}: it is asked for its campaigns.': 'Ожидание: у {1} запрошены кампании.',
  'The campaigns are asked for: {}': 'Запрос кампаний: {1:say}',
  'Campaign {} could not be looked for: {}.': 'Кампанию {1} найти не удалось: {2:say}.',
  'The contact center has no campaign {}; check --campaign or the mapping.':
    'В контакт-центре нет кампании {1}; проверьте выбор кампании или сопоставление.',
  'There is no campaign {} here.': 'Кампании {1} здесь нет.',
  'Campaign {} "{}" {}.': 'Кампания {1} «{2}» {3:say}.',
  'is used': 'используется',
  'was created, started, and is used': 'создана, запущена и используется',
  'The check was stopped.': 'Проверка остановлена.',
  'They take more room than is given to them; mend the others first.':
    'Их слишком много для отведённого места; исправьте сначала остальные.',
  'The index could not be written ({}).': 'Указатель строк не удалось записать ({1}).',
  'there is no such file of corrections.': 'файла исправлений нет.',
  'this is not JSON.': 'это не JSON.',
  'Remove the line, or correct the cell anew.': 'Удалите строку или исправьте ячейку заново.',
  'a later version of cardline wrote this line.':
    'эту строку записала более новая версия cardline.',
  'Update it.': 'Обновите её.',
  'this is no correction': 'это не исправление',
  'several inputs are called "{}".': 'несколько файлов называются «{1}».',
  'Name the path of one.': 'Укажите путь одного из них.',
  '"{}" is none of the inputs.': '«{1}» — не из этих файлов.',
  '{} has several sheets; name the one that is meant with "sheet".':
    'в {1} несколько листов; назовите нужный в «sheet».',
  'Sheet "{}" of {} is not read.': 'Лист «{1}» файла {2} не читается.',
  '{} has a header and no data rows.': 'В {1} есть заголовок, но нет строк с данными.',
  'rows {} and {}': 'строках {1:number} и {2:number}',
  '{}: the header was found in {}.': '{1}: заголовок найден в {2:say}.',
  'Lines above it that are left out: {}.': 'Пропущено строк над ним: {1:number}.',
  '{}, sheet "{}": lines above the header that are left out: {}.':
    '{1}, лист «{2}»: пропущено строк над заголовком: {3:number}.',
  '{}: lines above the header that are left out: {}.':
    '{1}: пропущено строк над заголовком: {2:number}.',
  'A mapping is named with letters, digits, spaces and _ . - ( ), at most 100, and begins with a letter or digit.':
    'В имени сопоставления — буквы, цифры, пробелы и _ . - ( ), не больше 100, и начинается оно с буквы или цифры.',
  'Mode delete deletes the client of every row.': 'Режим delete удаляет клиента каждой строки.',
  'If that is meant, say so with --yes.': 'Если это и нужно, подтвердите.',
  'Mode {} has no use for a campaign; leave --campaign out.':
    'Режиму {1} кампания не нужна; уберите её.',
  'Mode {} creates no clients, so there is nothing to recover.':
    'Режим {1} не создаёт клиентов, и восстанавливать нечего.',
  'Mode {} needs a campaign: give --campaign, or a campaign section in the mapping.':
    'Режиму {1} нужна кампания: выберите её или добавьте раздел campaign в сопоставление.',
  'With "keep: last", the last of several rows is sent, and a part of the file does not show which one that is.':
    'С «keep: last» отправляется последняя из нескольких строк, а по части файла не видно, какая это.',
  'Look at a part with check, or import all rows.':
    'Часть можно посмотреть проверкой; импортируйте все строки.',
  'Without an installation, rows are not compared with those of earlier runs: give it with -i.':
    'Без описания контакт-центра строки не сравниваются с прежними запусками: укажите его в -i.',
  'With duplicates by phone, the first row with a phone is sent and later ones are skipped.':
    'При поиске повторов по телефону отправляется первая строка с телефоном, а следующие пропускаются.',
  '{} was changed while it was being read: rows are missing, and what was read after the change was not sent.':
    'Файл {1} изменился во время чтения: строк не хватает, а прочитанное после изменения не отправлено.',
  '{} was replaced while it was being read, by another list of the same size and time: rows of both may have been sent, and the report says which.':
    'Вместо файла {1} во время чтения оказался другой список того же размера и с тем же временем: могли быть отправлены строки обоих, какие — сказано в отчёте.',
  'Import it again, once nobody writes to it.':
    'Импортируйте его снова, когда в него никто не пишет.',
  '{} was changed after it had been read: what it holds now was not imported.':
    'Файл {1} изменился после чтения: его нынешнее содержимое не импортировано.',
  'Import it again where that is another list.': 'Импортируйте его снова, если это другой список.',
  '{} was changed while it was being read: what was found is not of the whole file.':
    'Файл {1} изменился во время чтения: найденное относится не ко всему файлу.',
  'Check it again, once nobody writes to it.': 'Проверьте его снова, когда в него никто не пишет.',
  'Import those that the report lacks, and only those: the others would be scheduled a second time.':
    'Импортируйте только те строки, которых нет в отчёте: остальные были бы назначены второй раз.',
  'The content of the inputs could not be put on record ({}).':
    'Содержимое файлов не удалось записать в журнал ({1}).',
  'Continue it first ({}), or take back what it did ({}); or begin anew with --again, which sends all rows, also those that it has sent.':
    'Сначала продолжите его или отмените сделанное; или начните заново: тогда все строки будут отправлены ещё раз.',
  'Restore what has changed to continue it; or take back what it did ({}); or begin anew with --again, which sends all rows, also those that it has sent.':
    'Верните как было, чтобы продолжить; или отмените сделанное; или начните заново: тогда все строки будут отправлены ещё раз.',
  'the input': 'таблица',
  'the mapping (or --mode, --recovery, --limit or --rows)':
    'сопоставление (или режим и границы строк)',
  'the campaign': 'кампания',
  'the installation': 'описание контакт-центра',
  'a lookup file of the mapping': 'справочник сопоставления',
  '--sheet, --encoding or --delimiter': 'лист, кодировка или разделитель',
  'the settings of the campaign': 'настройки кампании',
  'the list of corrections': 'список исправлений',
  "the installation's name": 'имя контакт-центра',
  "the installation's address (baseUrl)": 'адрес контакт-центра (baseUrl)',
  "the installation's card": 'карточка контакт-центра',
  "the installation's client roles": 'роли клиентов контакт-центра',
  "the installation's recovery": 'recovery контакт-центра',
  'Run {} was taken back by an undo; import its file again.':
    'Запуск {1} отменён; импортируйте его файл снова.',
  'A later run of the same file has come to its end since run {} broke off; import the file again, which sends what both have left.':
    'С тех пор как запуск {1} оборвался, более поздний запуск того же файла дошёл до конца; импортируйте файл снова: будет отправлено то, что осталось от обоих.',
  'Run {}, which takes back run {} of the same file, is not at its end.':
    'Запуск {1}, отменяющий запуск {2} того же файла, не доведён до конца.',
  'Let "{}" bring it there first, or begin anew with --again.':
    'Сначала продолжите его или начните заново.',
  'Run {} was on another contact center than the one that installation "{}" describes.':
    'Запуск {1} был в другом контакт-центре, не в том, который описывает «{2}».',
  '{} rows, where the last file of the same source had {}: is the file whole?':
    '{1:строка|строки|строк}, а в прошлом файле того же источника {2:number}: весь ли это файл?',
  '{} was changed while it was imported: its rejects from {} on are left out. report.csv has all rows.':
    '{1} изменился во время импорта: отклонённых строк, начиная с {2:say}, в файле нет. О всех строках говорит отчёт.',
  'sheet "{}", row {}': 'листа «{1}», строки {2:number}',
  'The log {} cannot be written ({}); the run goes on without it.':
    'Протокол {1} записать не удаётся ({2:may}); запуск идёт без него.',
  'unknown reason': 'причина неизвестна',
  'Run {} was begun by another version; run its command again.':
    'Запуск {1} начала другая версия; запустите его снова.',
  'Facts of this run were lost: every row of which nothing is on record is looked up, one by one, before anything is sent for it.':
    'Часть записей об этом запуске потеряна: каждая строка без записи сначала проверяется в контакт-центре.',
  'Continuing run {}.': 'Запуск {1} продолжается.',
  'Waiting until other runs on this contact center have ended: {}.':
    'Ожидается, пока закончатся другие запуски в этом контакт-центре: {1}.',
  'Another run is at work on this contact center: run {}.':
    'В этом контакт-центре идёт ещё один запуск: {1}.',
  'What is in doubt may be sent by both; an import with --wait-for-runs waits for its end.':
    'Спорное могут отправить оба; импорт с --wait-for-runs дождётся его конца.',
  'Other runs are at work on this contact center: runs {}.':
    'В этом контакт-центре идут другие запуски: {1}.',
  'What is in doubt may be sent by several; an import with --wait-for-runs waits for their end.':
    'Спорное могут отправить несколько; импорт с --wait-for-runs дождётся их конца.',
  '{} of {} rows {} ({}), more than the {} that --max-failures allows, {}.':
    '{1:number} из {2:may} строк {3:say} ({4}): больше, чем допускает --max-failures ({5:number}), {6:say}.',
  'are rejected': 'отклонены',
  'are rejected or were refused': 'отклонены или получили отказ',
  'so nothing was sent': 'поэтому ничего не отправлено',
  'so nothing more was sent': 'поэтому больше ничего не отправлено',
  'Most frequent: {}.': 'Чаще всего: {1}.',
  'Every run in {} is finished; there is nothing to resume.':
    'Все запуски в {1} завершены; продолжать нечего.',
  'Run {} read standard input; run its command again with the same input.':
    'Запуск {1} читал стандартный ввод; повторите его команду с теми же данными.',
  'Run {} is of mode {}, and cannot be taken back: {}.':
    'Запуск {1} (режим {2}) отменить нельзя: {3:say}.',
  'a call application that was removed cannot be put back as it was':
    'снятую заявку на обзвон нельзя вернуть такой же',
  'the interface does not show what the statuses of contacts were':
    'контакт-центр не показывает прежние статусы контактов',
  'no operation removes a callback': 'перезвон удалить нельзя',
  'the interface does not show what the identifiers were':
    'контакт-центр не показывает прежние идентификаторы',
  'a deleted client only comes back when it is added again, with "recovery"':
    'удалённый клиент возвращается, только если добавить его снова с «recovery»',
  'import its rows again instead': 'вместо этого импортируйте его строки снова',
  'it changed nothing': 'он ничего не менял',
  'it is under way': 'он ещё выполняется',
  'The run did nothing with this row that could be taken back.':
    'Запуск не сделал с этой строкой ничего, что можно отменить.',
  'Run {} is of mode {}; check the import itself.':
    'Запуск {1} — в режиме {2}; сверьте сам импорт.',
  'Run {} is under way; it can be checked when it has ended.':
    'Запуск {1} выполняется; сверить его можно, когда он закончится.',
  'Run {} read {} rows, and its outcomes add up to {}.':
    'Запуск {1} прочитал {2:строку|строки|строк}, а его исходов {3:number}.',
  'The report claims nothing of this row that could be looked for.':
    'Об этой строке отчёт не говорит ничего, что можно проверить.',
  '{}: {} in the spreadsheet, {} on the card': '{1}: {2} в таблице, {3} в карточке',
  'it is {} old, and maxAge allows {}.': 'его возраст — {1:say}, а maxAge допускает {2:say}.',
  '{} days': '{1:день|дня|дней}',
  '{} cannot be read or compiled ({}).': '{1:say} прочитать не удаётся ({2}).',
  'List "{}" ({})': 'Список «{1}» ({2})',
  '{}: {} Fetch a new one, or set "old: warn" for the list.':
    '{1:say}: {2:say} Возьмите новый или задайте для списка «old: warn».',
  '{}: none of its {} lines holds a phone number.':
    '{1:say}: ни в одной из его {2:number} строк нет номера телефона.',
  'Check its "format", "column" and "country".': 'Проверьте его «format», «column» и «country».',
  '{}: {} of its lines hold no phone number, the first of them is line {}.':
    '{1:say}: в {2:строке|строках|строках} нет номера телефона, первая из них — {3:number}.',
  'the list has no column "{}".': 'в списке нет столбца «{1}».',
  'there is no column "{}".': 'столбца «{1}» нет.',
  'this row holds no range of numbers with {} digits.':
    'в этой строке нет диапазона номеров из {1} цифр.',
  'Check "columns" and "digits".': 'Проверьте «columns» и «digits».',
  'this is no time zone.': 'это не часовой пояс.',
  'Interrupted.': 'Остановлено.',
  '1 contact stays that the run may have added: no operation takes contacts from a card.':
    'Остаётся 1 контакт, возможно добавленный запуском: убрать контакты из карточки нельзя.',
  '{} contacts stay that the run may have added: no operation takes contacts from a card.':
    'Остаётся {1:контакт, возможно добавленный|контакта, возможно добавленных|контактов, возможно добавленных} запуском: убрать контакты из карточки нельзя.',
  'The contact center {}: {}.': 'Контакт-центр {1:say}: {2:may}.',
  'stayed busy': 'всё время занят',
  'could not be reached': 'недоступен',
  'Run {}, which sends rejects of this file, is not at its end.':
    'Запуск {1}, который отправляет отклонённые строки этого файла, не доведён до конца.',
  'Run {} of the same file is not at its end, and {} {} changed since it began.':
    'Запуск {1} того же файла не доведён до конца, а с его начала изменилось: {2:and}.',
  'Another process{} has been working on run {}.': 'С запуском {2} работает другой процесс{1:may}.',
  'Another process has been working on run {}, and ended after this command had begun.':
    'С запуском {1} работал другой процесс и закончил, когда эта команда уже началась.',
  '({} on {})': '({1} на {2})',
  '{} since {}': '{1:say} с {2}',
  'since {}': 'с {1}',
  'Rows from the middle would be sent before it, and the phone twice.':
    'Строки из середины были бы отправлены раньше неё, и телефон — дважды.',
  'Try the first rows with --limit, or look at these with check --rows.':
    'Попробуйте первые строки с --limit или посмотрите эти с check --rows.',
  'Mode {} distinguishes the rows of a client by their order, so that only the first ones can be tried: use --limit.':
    'Режим {1} различает строки клиента по порядку, поэтому попробовать можно только первые: задайте --limit.',
  '"cardline check" lists the rejected ones; a higher --max-failures {}.':
    'Отклонённые перечисляет шаг «Проверка»; с большим --max-failures {1:say}.',
  'continues the run': 'запуск продолжится',
  'begins the import': 'импорт начнётся',
  '{} has no run {}; "{}" lists what it has.':
    'В {1} нет запуска {2}; все запуски перечислены в «Истории».',
  'Did you mean {}?': 'Может быть, {1}?',
  '{} has no {}.': 'В {1} нет: {2:say}.',
  'run that can be taken back': 'запуска, который можно отменить',
  'there is no ledger here.': 'журнала здесь нет.',
  'is forgotten with the command, and nothing could be continued':
    'забывается вместе с командой, и продолжить было бы нечего',
  'is a database of PostgreSQL; a sandbox keeps a file':
    'база данных PostgreSQL, а песочница хранит файл',
  'is a name that SQLite uses beside a database': 'имя, которым SQLite пользуется рядом с базой',
  'Check its path, which --ledger gives.': 'Проверьте его путь: его задаёт --ledger.',
  'Run {} was not of a file.': 'Запуск {1} был не для файла.',
  '{} has no run of the mapping {}.': 'В {1} нет запусков сопоставления {2}.',
  'The run is {}.': 'Состояние запуска: {1:may}.',
  'the cell does not hold what was corrected, so the file has changed since.':
    'в ячейке не то, что было исправлено: файл с тех пор изменился.',
  'Correct it anew, or remove this line.': 'Исправьте её заново или уберите исправление.',
  'line {} of {} corrects this cell, and {}':
    'строка {1:number} файла {2} исправляет эту ячейку, а {3:say}',
  'is the ledger, and is not replaced': 'это журнал, он не заменяется',
  '{} exists already, and was left as it is.': '{1} уже есть и оставлен как есть.',
  'Give another path with -o, or --force to replace it.': 'Укажите другой путь.',
  '{} is a folder.': '{1} — папка.',
  'Give the path of a file.': 'Укажите путь файла.',
  'A mapping of mode {} does not say what a card should look like.':
    'Сопоставление режима {1} не говорит, какой должна быть карточка.',
  'Give one of mode create, upsert, update or enqueue.':
    'Нужно сопоставление режима create, upsert, update или enqueue.',
  'The mapping gives no field {} to compare.': 'Сопоставление не даёт поля {1} для сверки.',
  'It gives: {}.': 'Оно даёт: {1}.',
  'this is not any more the row that was compared: the file has changed.':
    'это уже не та строка, которую сверяли: файл изменился.',
  'Compare it once more.': 'Сверьте его ещё раз.',
  'Name at least one input file, or - for standard input.': 'Укажите хотя бы один файл.',
  '{} is named twice; name each input file once.':
    '{1} указан дважды; укажите каждый файл один раз.',
  '--fix works on one file at a time.': '--fix работает с одним файлом за раз.',
  'The client was {}, and is not sent again; --again sends all rows anew.':
    'Клиент уже {1:say} и ещё раз не отправляется.',
  'standard input': 'стандартный ввод',
  'the rejects': 'отклонённые строки',
  'it was taken back': 'он отменён',
  'The last day in {} is {}: is it up to date?': 'Последний день в {1:may} — {2}: свежий ли он?',
  'the calendar': 'календаре',
  'Erased: what the record held of the person was removed.':
    'Стёрто: то, что запись содержала о человеке, удалено.',
  'The hours of campaign {} were not compared with callable: {}':
    'Часы кампании {1} не сверены с callable: {2:say}',
  'the contact center cannot be reached.': 'контакт-центр недоступен.',
  '"delta: { missing: dequeue }" removes clients from a campaign: give --campaign, or a campaign section in the mapping.':
    '«delta: { missing: dequeue }» снимает клиентов с кампании: выберите её или добавьте раздел campaign в сопоставление.',
  'The mapping was changed since run {} sent this list: {} of {} rows are not as they were sent.':
    'Сопоставление изменено с тех пор, как запуск {1} отправил этот список: {2:number} из {3:number} строк не такие, как были отправлены.',
  '{} of {} clients of the lists before are not in this one, more than the {} that "delta: maxMissing" allows, so that nothing was sent.':
    '{1:number} из {2:number} клиентов прежних списков нет в этом: больше, чем допускает «delta: maxMissing» ({3}), поэтому ничего не отправлено.',
  'Is the file whole, and is it of the same list?': 'Весь ли это файл, и того ли он списка?',
  'If it is, raise maxMissing in the mapping, or keep the clients with "missing: keep".':
    'Если да, увеличьте maxMissing в сопоставлении или оставьте клиентов с «missing: keep».',
  'a check of the mapping': 'проверку сопоставления',
  '{} checks of the mapping': '{1:проверку|проверки|проверок} сопоставления',
  'The list does not pass {}, so nothing was sent:':
    'Список не прошёл {1:say}, поэтому ничего не отправлено:',
  '{}: {}, and {} allowed{}.': '{1:check}: {2:say}, а допускается {3:check}{4:may}.',
  'rows: the list has {}, and {} are allowed.':
    'строк в списке {1:number}, а допускается {2:check}.',
  '{} of {} ({})': '{1:say} из {2:number} ({3})',
  '1 row': '1 строка',
  '{} rows': '{1:строка|строки|строк}',
  '; row {}': '; строка {1}',
  '; rows {}': '; строки {1}',
  'The ledger has too many earlier runs of this list.':
    'В журнале слишком много прежних запусков этого списка.',
  'Forget old ones with "cardline runs prune", or begin anew with --again.':
    'Удалите старые командой «cardline runs prune» или начните заново.',
  '{} rows are looked up one by one, with up to {} requests: {}.':
    'Строки проверяются в контакт-центре по одной ({1:count}), запросов — до {2:number}: {3:list}.',
  '{} at {} requests a second': '{1:lasting} при {2:запросе|запросах|запросах} в секунду',
  'This row was rejected, and run {} sent it from the rejects.':
    'Эта строка была отклонена, и запуск {1} отправил её из файла отклонённых.',
  'Give another path; nothing was done.': 'Укажите другой путь; ничего не сделано.',
  '{} is writing into {}.': '{1:writer} пишет в {2}.',
  'Nothing can be written into {} ({}).': 'В {1} ничего нельзя записать ({2:may}).',
  'Give another folder with --out.': 'Укажите другую папку: её задаёт --out.',
  'it is no folder': 'это не папка',
};
