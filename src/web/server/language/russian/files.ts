import type { Sentences } from '../catalogue/catalogue.js';

/** Why a file cannot be read (further), and what to do. */
export const fileSentences: Sentences = {
  'unknown encoding "{}".': 'неизвестная кодировка «{1}».',
  'Use a name such as {}.': 'Подойдёт имя вроде {1:or}.',
  'the delimiter must be up to {} characters, tab, or auto, and hold no quote or line end; got {}.':
    'разделитель — до {1} символов, tab или auto, без кавычек и концов строк; задано {2}.',
  'a cell begins with a quote ({}) that is never closed.':
    'ячейка начинается с кавычки ({1}), которая нигде не закрыта.',
  'Close it, or double it if it belongs to the text.':
    'Закройте её или удвойте, если она часть текста.',
  'a cell is longer than 1 MiB.': 'ячейка длиннее 1 МиБ.',
  'Is there a quote (") before it that was never closed?':
    'Нет ли перед ней незакрытой кавычки (")?',
  'a row is longer than 4 MiB.': 'строка длиннее 4 МиБ.',
  'Is this the right delimiter, and is every quote (") closed?':
    'Верен ли разделитель, и все ли кавычки (") закрыты?',
  'a row has more than {} cells, the most that a spreadsheet can have.':
    'в строке больше {1:number} ячеек, а больше в таблице не бывает.',
  'Is this the right delimiter?': 'Верен ли разделитель?',
  'nearly all rows or cells up to here are empty, and they are too many.':
    'почти все строки или ячейки до этого места пусты, и их слишком много.',
  'Delete the empty rows and columns.': 'Удалите пустые строки и столбцы.',
  'the text cannot be read as CSV here.': 'здесь текст не читается как CSV.',
  'Save the file as UTF-8, or name its encoding: --encoding, or "source: { encoding: … }" in the mapping.':
    'Сохраните файл в UTF-8 или укажите его кодировку.',
  'Is this the right encoding?': 'Верна ли кодировка?',
  'this is UTF-8, and other rows are {}.': 'здесь UTF-8, а в других строках {1}.',
  'Save all rows as UTF-8.': 'Сохраните все строки в UTF-8.',
  'this is no valid {} text.': 'это не текст в кодировке {1}.',
  'this is neither a workbook nor a text file.': 'это не книга и не текстовый файл.',
  'Save it as .xlsx or CSV in a spreadsheet program.':
    'Сохраните как .xlsx или CSV в программе для таблиц.',
  'Check the path.': 'Проверьте путь.',
  'Ask for the right to read it.': 'Попросите право читать его.',
  'Name a file in it.': 'Назовите файл в ней.',
  'this is a {}, which cannot be read twice.': 'это {1:file}: дважды прочесть его нельзя.',
  'Give what comes out of it as standard input, as in "cardline import - < PIPE", or save it to a file first.':
    'Сначала сохраните его содержимое в файл.',
  'Check that it was saved whole.': 'Проверьте, целиком ли он сохранён.',
  'the file cannot be read ({}).': 'файл прочитать не удаётся ({1:may}).',
  'unknown cause': 'причина неизвестна',
  'the gzip file unpacks to more than {} times its size, as files do that are made to harm.':
    'файл gzip распаковывается больше чем в {1:number} раз, как у вредоносных файлов.',
  'If you trust it, unpack it yourself and give the .csv file.':
    'Если вы ему доверяете, распакуйте его сами и возьмите файл .csv.',
  'the gzip file is cut off.': 'файл gzip обрезан.',
  'the gzip file is damaged.': 'файл gzip повреждён.',
  'Copy or download it again.': 'Скопируйте или скачайте его снова.',
  'Sheet "{}" is empty.': 'Лист «{1}» пуст.',
  'Choose another one: {}.': 'Выберите другой: {1}.',
  'there is no header here: the row is empty or missing.':
    'здесь нет заголовка: строка пуста или её нет.',
  'Check headerRow.': 'Проверьте номер строки заголовка.',
  'the header has {} columns, and more than {} leave no room to mark rejected rows.':
    'в заголовке {1:столбец|столбца|столбцов}: если больше {2:number}, отметить отклонённые строки негде.',
  'Remove columns that are not needed.': 'Уберите лишние столбцы.',
  '{} above the header in row {} look like the rows below it, and would be left out.':
    'Над заголовком в строке {2:number} есть строки, похожие на строки под ним ({1}); они пропали бы.',
  '{} rows ({} to {})': '{1:строка|строки|строк} ({2:number}–{3:number})',
  'Put the header above them.': 'Поставьте заголовок над ними.',
  'Where no row is a header: "source: { headerRow: none }".':
    'Если ни одна строка не заголовок: «source: { headerRow: none }».',
  'To leave them out, name its row: "source: { headerRow: {} }" in the mapping.':
    'Чтобы пропустить их, назовите его строку: «source: { headerRow: {1:number} }» в сопоставлении.',
  '{} and {} have the same name in the header.': 'в заголовке у {1:say} и {2:say} одно имя.',
  'column {} ({})': 'столбца {1} ({2})',
  'a line is longer than 4 MiB.': 'строка длиннее 4 МиБ.',
  'Is each record on a line of its own, and does each line end?':
    'Каждая ли запись в своей строке, и кончается ли каждая строка?',
  'this is no valid UTF-8 text, which JSON is written in.':
    'это не текст UTF-8, а JSON пишется в нём.',
  'Save the file as UTF-8.': 'Сохраните файл в UTF-8.',
  'values are nested more than {} deep in this record.':
    'в этой записи больше {1:number} уровней вложенности.',
  'Take it apart first.': 'Сначала разберите её на части.',
  'the line is no JSON object.': 'строка — не объект JSON.',
  'Write one record on each line, as in {"name": "value"}.':
    'В каждой строке — одна запись, как {"name": "value"}.',
  'the workbook is encrypted.': 'книга зашифрована.',
  'Save it without a password and try again.': 'Сохраните её без пароля и повторите.',
  'Save it without a password.': 'Сохраните её без пароля.',
  'the text of a cell is longer than {} bytes.': 'текст ячейки длиннее {1:number} байт.',
  'the file is an OpenDocument file, but no spreadsheet.': 'это файл OpenDocument, но не таблица.',
  'Open it in a spreadsheet program, save it as .xlsx and try again.':
    'Откройте её в программе для таблиц, сохраните как .xlsx и повторите.',
  'the workbook has too many sheets.': 'в книге слишком много листов.',
  'the workbook has too many styles.': 'в книге слишком много стилей.',
  'the workbook has too many sheets or styles.': 'в книге слишком много листов или стилей.',
  'the workbook has too many relationships.': 'в книге слишком много связей.',
  'the workbook has more than {} texts.': 'в книге больше {1:number} текстов.',
  'the workbook holds more than {} different texts.': 'в книге больше {1:number} разных текстов.',
  'Save it as .xlsx or CSV.': 'Сохраните её как .xlsx или CSV.',
  'Save it as .xlsx or CSV, which have no such limit.':
    'Сохраните её как .xlsx или CSV: у них такого предела нет.',
  'Save it as CSV.': 'Сохраните её как CSV.',
  'Save it as CSV and try again.': 'Сохраните её как CSV и повторите.',
  'the {} file holds another packed file or a workbook.':
    'в файле {1} ещё один сжатый файл или книга.',
  'Unpack it first and give what is inside.': 'Сначала распакуйте его и возьмите то, что внутри.',
  'Unpack it first and give the file inside.': 'Сначала распакуйте его и возьмите файл внутри.',
  'this is no spreadsheet but a {}.': 'это не таблица, а {1:say}.',
  'Pack it again.': 'Упакуйте его заново.',
  'the archive holds more than {} lists, 16 GiB, or {} times its size.':
    'в архиве больше {1:number} таблиц, 16 ГиБ или {2:number} его размеров.',
  'Pack them into several archives.': 'Упакуйте их в несколько архивов.',
  'RAR archive': 'архив RAR',
  '7-Zip archive': 'архив 7-Zip',
  'bzip2 archive': 'архив bzip2',
  'zstd archive': 'архив zstd',
  'xz archive': 'архив xz',
  'empty ZIP archive': 'пустой архив ZIP',
  'PDF document': 'документ PDF',
  'PNG image': 'изображение PNG',
  'JPEG image': 'изображение JPEG',
  'GIF image': 'изображение GIF',
  'RTF document': 'документ RTF',
  'SQLite database': 'база SQLite',
  'page of HTML or XML': 'страница HTML или XML',
  'row group {} of {} of the Parquet file {}.': 'группа строк {1} из {2} файла Parquet {3:say}.',
  'takes {} MiB, unpacked, and the limit is {} MiB':
    'занимает распакованной {1} МиБ при пределе {2} МиБ',
  'has {} rows of {} columns, and the limit is {} cells':
    'содержит {1:number} строк по {2:number} столбцов при пределе {3:number} ячеек',
  'Write it with smaller row groups, or as CSV.':
    'Запишите его меньшими группами строк или как CSV.',
  'the Parquet file is cut off or damaged.': 'файл Parquet обрезан или повреждён.',
  'the Parquet file is compressed with {}, which cannot be read here.':
    'файл Parquet сжат способом {1}, который здесь не читается.',
  'Write it with Snappy or gzip.': 'Запишите его со Snappy или gzip.',
  'a lookup table is CSV, .xlsx, .ods or JSON Lines, and this is a {}.':
    'справочник — это CSV, .xlsx, .ods или JSON Lines, а здесь {1:may}.',
  'the records have more than {} names.': 'в записях больше {1:number} имён.',
  'Is this a table?': 'Таблица ли это?',
  '{} is no workbook but {}, and has no sheets.': '{1} — не книга, а {2:may}: листов в нём нет.',
  'Leave --sheet out, or name another file.': 'Уберите выбор листа или возьмите другой файл.',
  'the text is in {} or in {}, and either makes sense.':
    'текст в кодировке {1} или {2}: подходят обе.',
  '"cardline rows" shows a word in both.': 'Шаг «Файл» показывает слово в обеих.',
  'Name the right one with --encoding, or "source: { encoding: … }" in the mapping.':
    'Выберите верную на шаге «Файл».',
  'the workbook {}: files of this kind are read into memory whole.':
    'книга {1:say}: файлы этого вида читаются в память целиком.',
  'has {}, and the limit is {}': 'занимает {1}, а предел — {2}',
  'holds {}, unpacked, and the limit is {}': 'занимает распакованной {1}, а предел — {2}',
  'the workbook is damaged, or of a kind that cannot be read.':
    'книга повреждена или такого вида, который не читается.',
  'sheet "{}" is a chart or dialog without rows.': 'лист «{1}» — диаграмма или окно без строк.',
  'Name another sheet.': 'Выберите другой лист.',
  'the row holds more than 4 MiB of text.': 'в строке больше 4 МиБ текста.',
  'up to here, the rows hold far more than the file has bytes for, as in files that are made to harm.':
    'до этого места в строках гораздо больше, чем есть байт в файле, как у вредоносных файлов.',
  'Delete stray cells far to the right, and long texts and rows that repeat themselves, or save the sheet as CSV.':
    'Удалите лишние ячейки далеко справа, длинные тексты и повторяющиеся строки или сохраните лист как CSV.',
  'the workbook has no visible sheet with rows.': 'в книге нет видимого листа со строками.',
  'there is no {}.': 'такого листа нет: {1:say}.',
  'sheet number {}': 'номер {1}',
  'sheet "{}"': '«{1}»',
  'It has no sheets with rows.': 'Листов со строками в ней нет.',
  'Its sheets are: {}.': 'Её листы: {1:may}.',
  'the workbook is damaged: it does not say where sheet "{}" is stored.':
    'книга повреждена: не указано, где хранится лист «{1}».',
  'its part {} is not well-formed XML: {}.': 'её часть {1} — не правильный XML: {2:say}.',
  'its part {} {}.': 'её часть {1} {2:say}.',
  'its part {} is no worksheet.': 'её часть {1} — не лист.',
  'a cell has a reference that is none.': 'у ячейки неверная ссылка.',
  'a cell refers to a text that the workbook does not hold.':
    'ячейка ссылается на текст, которого в книге нет.',
  'the file is {}, not a workbook.': 'это {1:say}, а не книга.',
  'a Word document (.docx)': 'документ Word (.docx)',
  'a PowerPoint presentation (.pptx)': 'презентация PowerPoint (.pptx)',
  'a document of Numbers, Pages or Keynote': 'документ Numbers, Pages или Keynote',
  'the file is a zip container without a workbook.': 'это контейнер zip без книги.',
  'the file is cut off or damaged.': 'файл обрезан или повреждён.',
  'its part {} is not whole: {}': 'её часть {1} не целая: {2:say}',
  'the workbook lacks its part {}.': 'в книге нет её части {1}.',
  'the workbook holds its part {} twice.': 'в книге её часть {1} есть дважды.',
  'its part {} cannot be found: {}': 'её часть {1} найти не удаётся: {2:say}',
  'the end of the zip container is missing: {}': 'у контейнера zip нет конца: {1:say}',
  'the zip container holds more than {} parts.': 'в контейнере zip больше {1:number} частей.',
  'the directory of the zip container cannot be read: {}':
    'оглавление контейнера zip не читается: {1:say}',
  'the file is not an .xlsx workbook.': 'это не книга .xlsx.',
  'the file cannot be opened.': 'открыть файл не удаётся.',
  'Check its name and whether you may read it.': 'Проверьте его имя и право его читать.',
  'the file is an old Office document, not a workbook.': 'это старый документ Office, а не книга.',
  'the zip container is encrypted.': 'контейнер zip зашифрован.',
  'its part {} is compressed in a way ({}) that is not known here.':
    'её часть {1} сжата неизвестным здесь способом ({2}).',
  'its part {} is larger than {} bytes.': 'её часть {1} больше {2:number} байт.',
  'its part {} cannot be inflated: the file is damaged.':
    'её часть {1} не распаковать: файл повреждён.',
  'Copy it again.': 'Скопируйте его снова.',
  'its part {} inflates to more than {} times its size, as a zip bomb does.':
    'её часть {1} распаковывается больше чем в {2:number} раз, как zip-бомба.',
  'its part {} {}: the file is damaged.': 'её часть {1} {2:say}: файл повреждён.',
  'is longer than it says': 'длиннее, чем указано',
  'is shorter than it says': 'короче, чем указано',
  'does not match its checksum': 'не сходится со своей контрольной суммой',
  'its many texts need a temporary file, which fails.':
    'для её многих текстов нужен временный файл, а записать его не удаётся.',
  'Make room in the temporary folder.': 'Освободите место во временной папке.',
  'reading it needs more than {} MiB of memory, which no list should; it may be damaged or made to harm.':
    'для чтения нужно больше {1} МиБ памяти, чего у списков не бывает: файл повреждён или вредоносен.',
  'the table{} was read without a header: its columns are A, B, C and so on.':
    'таблица{1:say} прочитана без заголовка: её столбцы — A, B, C и так далее.',
  'row {} was taken for the header.': 'заголовком взята строка {1:may}.',
  'Name another one with source.headerRow.': 'Другую можно указать на шаге «Файл».',
  'Other sheets: {}.': 'Другие листы: {1:list}.',
  'source.until holds for more than {} rows in a row from here on.':
    'условие source.until отсюда выполняется больше чем для {1:number} строк подряд.',
  'Is it the right column?': 'Тот ли это столбец?',
  'the text is {} now, and run {} read it as {}.':
    'текст теперь в {1}, а запуск {2} прочитал его как {3}.',
  'Clients of that run may be wrong.': 'Клиенты того запуска могут быть неверны.',
  'the file has no such row of data.': 'в файле нет такой строки с данными.',
  'Remove this line.': 'Уберите это исправление.',
  '{} of sheet "{}"': '{1:number} листа «{2}»',
  'of sheet "{}"': 'листа «{1}»',
  '{} more': 'ещё {1:number}',
  '{} and {} more': '{1} и ещё {2:number}',
  'bytes that are no text in this encoding': 'байты, которые в этой кодировке — не текст',
  'a cell lies in another row': 'ячейка лежит в другой строке',
  'a cell lies beyond the last possible column, XFD':
    'ячейка лежит за последним возможным столбцом XFD',
  'it has more columns than a sheet can have': 'в ней больше столбцов, чем бывает на листе',
  'a cell is given twice': 'ячейка дана дважды',
  'row numbers go from 1 to {}, and this is none of them':
    'номера строк идут от 1 до {1:number}, а это не такой номер',
  'it comes after row {}': 'она идёт после строки {1:number}',
  'attributes touch': 'атрибуты стоят слитно',
  'a tag has an attribute twice': 'у тега атрибут стоит дважды',
  'an attribute has no value': 'у атрибута нет значения',
  'the value of an attribute has no quotes': 'значение атрибута без кавычек',
  'the value of an attribute holds a "<"': 'в значении атрибута «<»',
  'the value of an attribute has no end': 'значение атрибута не закончено',
  'holds a DOCTYPE, which no workbook needs': 'содержит DOCTYPE, который книгам не нужен',
  'ends in the middle': 'обрывается на середине',
  'holds far more tags than the file has bytes for, as in files that are made to harm':
    'содержит гораздо больше тегов, чем есть байт в файле, как у вредоносных файлов',
  'holds a text or tag that does not end': 'содержит незаконченный текст или тег',
  'it is not valid {}': 'это не {1}',
  'its encoding is not known here': 'её кодировка здесь неизвестна',
  'it holds a declaration that does not belong there': 'в ней объявление не на своём месте',
  'it holds text outside of its root element': 'в ней текст вне корневого элемента',
  'an end tag does not match its start tag': 'закрывающий тег не подходит к открывающему',
  'it holds a "<" that begins no tag': 'в ней «<», с которого не начинается тег',
  'it has two root elements': 'в ней два корневых элемента',
  'its elements nest too deeply': 'её элементы вложены слишком глубоко',
  'a tag has no end': 'тег не закончен',
  'it holds bytes that are not UTF-8': 'в ней байты не UTF-8',
  'it refers to half a character': 'в ней ссылка на половину знака',
  'it refers to a character that is none': 'в ней ссылка на знак, которого нет',
  'it holds an "&" that begins no known entity':
    'в ней «&», с которого не начинается известная сущность',
  'one encoding': 'одной кодировке',
  workbook: 'книга',
  'workbook (.xls)': 'книга (.xls)',
  'workbook (.xlsb)': 'книга (.xlsb)',
  'workbook (.ods)': 'книга (.ods)',
  'JSON array': 'массив JSON',
  'Pack it again without a password.': 'Упакуйте его заново без пароля.',
  'the zip file holds no list.': 'в файле zip нет таблицы.',
  'Check that it was packed whole.': 'Проверьте, целиком ли он упакован.',
  'the zip file holds several files: {}.': 'в файле zip несколько файлов: {1:list}.',
  'Unpack it and give the list, or all of them.':
    'Распакуйте его и возьмите нужную таблицу или все.',
  'the file holds zero bytes in place of text.': 'в файле вместо текста нулевые байты.',
  'It was not saved or copied whole: get it again.':
    'Он сохранён или скопирован не целиком: получите его снова.',
  'behind record {}, {}.': 'после записи {1:number}: {2:say}.',
  'Is it one array of objects, as in [{"name": "value"}]?':
    'Это один массив объектов, как [{"name": "value"}]?',
  'the array does not end: the file is cut off': 'массив не закончен: файл обрезан',
  'there is no array': 'массива нет',
  'there is no object, which each record is written as': 'нет объекта, а каждая запись — объект',
  'the record is broken': 'запись повреждена',
  'there is neither a comma nor the end of the array': 'нет ни запятой, ни конца массива',
  'there is more text': 'есть лишний текст',
  'a record is longer than 4 MiB.': 'запись длиннее 4 МиБ.',
  'Is this a list?': 'Список ли это?',
  'the array holds no records.': 'в массиве нет записей.',
  'Write each one as an object, as in [{"name": "value"}].':
    'Запишите каждую как объект: [{"name": "value"}].',
  'the record is no JSON object.': 'запись — не объект JSON.',
  'Write each record as in {"name": "value"}.': 'Каждая запись пишется как {"name": "value"}.',
  '{}: the list goes on: {} {} with the same columns {} not read.':
    '{1}: список продолжается на других листах с теми же столбцами, а они не прочитаны: {3:list}.',
  'Take all with --sheet all, or name them: --sheet "{}".':
    'В командной строке все листы берёт --sheet all, а эти — --sheet "{1}".',
  'Take all with --sheet all.': 'В командной строке все листы берёт --sheet all.',
  'Give them other names, and take them with --sheet.':
    'Переименуйте их: тогда в командной строке их берёт --sheet.',
  'Take them with --sheet "{}".': 'В командной строке их берёт --sheet "{1}".',
  '{}: {} hidden {} {} not read: {}.': '{1}: скрытые листы не прочитаны ({2:number}): {5:list}.',
  'Take one with --sheet and its name.': 'Нужный можно выбрать на шаге «Файл».',
  'sheet "{}" has other columns than "{}".': 'на листе «{1}» не те столбцы, что на листе «{2}».',
  'Name the sheets that belong together with --sheet, separated by commas, or import each with a mapping of its own.':
    'Назовите листы с одними столбцами в --sheet, через запятую, или импортируйте каждый со своим сопоставлением.',
  '{} may be one of {} files: {}.': '{1} может быть любым из {2:файла|файлов|файлов}: {3:list}.',
  'Their names are no UTF-8 and cannot be told apart here.':
    'Их имена не в UTF-8, и здесь их не различить.',
};
