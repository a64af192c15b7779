import type { Sentences } from '../catalogue/catalogue.js';

/** What is wrong with cells and rows. */
export const cellSentences: Sentences = {
  'Fill in the cell.': 'Заполните ячейку.',
  '{} is required.': '{1:may}: значение обязательно.',
  This: 'Это поле',
  'The field {}': 'Поле {1}',
  'The time of the callback': 'Время перезвона',
  'The name of the callback': 'Название перезвона',
  'The description of the callback': 'Описание перезвона',
  'The phone of the callback': 'Телефон перезвона',
  'The operator of the callback': 'Оператор перезвона',
  'The type of the phone': 'Вид телефона',
  'The type of the address': 'Вид адреса',
  'An address': 'Адрес',
  'An e-mail address': 'Адрес эл. почты',
  'The client id': 'Идентификатор клиента',
  'The UUID': 'UUID',
  'The status of the {}': 'Статус: {1:contact}',
  'The {}': 'Значение: {1:contact}',
  'Clocks skip this time, since they are put forward then.':
    'Такого времени нет: в этот час часы переводят вперёд.',
  'Write another one.': 'Укажите другое.',
  'The time names no offset from UTC.': 'У времени не указано смещение от UTC.',
  'Write it with one, such as +03:00, or name a time zone in the mapping.':
    'Укажите его, например +03:00, или задайте часовой пояс в сопоставлении.',
  'The time names no offset from UTC, so the time zone is required.':
    'У времени не указано смещение от UTC, поэтому нужен часовой пояс.',
  'There is no such time zone.': 'Такого часового пояса нет.',
  'Write an IANA name, such as Europe/Moscow.': 'Укажите имя IANA, например Europe/Moscow.',
  'This is no time zone that is known here, so the phone decides.':
    'Такой часовой пояс здесь неизвестен, поэтому он взят по телефону.',
  'Write an IANA name such as Europe/Moscow, or UTC+3.':
    'Укажите имя IANA, например Europe/Moscow, или UTC+3.',
  'The row names no time zone, and its phone is of none that is known.':
    'В строке нет часового пояса, и по её телефону он не известен.',
  'Fill in the cell, or give a default.': 'Заполните ячейку или задайте значение по умолчанию.',
  'The first digits of the phone do not say in which time zone it is.':
    'По первым цифрам телефона часовой пояс не определить.',
  'The first digits of the phone do not say in which time zone it is: {} is taken.':
    'По первым цифрам телефона часовой пояс не определить: взят {1}.',
  'By its first digits, the phone is in one of these time zones: {}.':
    'По первым цифрам телефон в одном из этих часовых поясов: {1}.',
  'By its first digits, the phone is in one of these time zones: {}; {} is taken.':
    'По первым цифрам телефон в одном из этих часовых поясов: {1}; взят {2}.',
  'By its first digits, the phone is in one of {} time zones from {} to {}.':
    'По первым цифрам телефон в одном из {1} часовых поясов от {2} до {3}.',
  'By its first digits, the phone is in one of {} time zones from {} to {}; {} is taken.':
    'По первым цифрам телефон в одном из {1} часовых поясов от {2} до {3}; взят {4}.',
  'This is not a number.': 'Это не число.',
  'Write digits, such as 1250 or 12.5.': 'Укажите цифры, например 1250 или 12.5.',
  'This is not a whole number.': 'Это не целое число.',
  'Write digits alone.': 'Укажите только цифры.',
  'This number has too many digits to be exact.':
    'В числе слишком много цифр: точным оно не останется.',
  'Numbers go up to 9007199254740991.': 'Числа могут быть до 9007199254740991.',
  'Write digits, with "{}" before decimals.': 'Укажите цифры, с «{1}» перед дробной частью.',
  'This is one number with a decimal point and another with a decimal comma.':
    'С десятичной точкой это одно число, с десятичной запятой — другое.',
  'Name the style in the mapping: {} or {}.': 'Укажите вид чисел в сопоставлении: {1} или {2}.',
  'This value is not allowed.': 'Такое значение не допускается.',
  'Use one of: {}.': 'Допустимы: {1}.',
  'Allowed: {}.': 'Допустимы: {1}.',
  'There is only white space.': 'Здесь только пробелы.',
  'A time zone has at most {} characters, such as Europe/Moscow.':
    'В часовом поясе не больше {1} символов, например Europe/Moscow.',
  'This is neither yes nor no.': 'Это не «да» и не «нет».',
  'Write {} or {}.': 'Укажите {1} или {2}.',
  'This is not a phone number: it has fewer than three digits.':
    'Это не номер телефона: в нём меньше трёх цифр.',
  'This is not a phone number: it has more than 100 characters.':
    'Это не номер телефона: в нём больше 100 знаков.',
  'Write the number alone.': 'Оставьте только номер.',
  'This is not a phone number.': 'Это не номер телефона.',
  'Write it with "+" and the country code, or name a country in the mapping.':
    'Укажите его с «+» и кодом страны или задайте страну в сопоставлении.',
  'This is not a phone number of {}, nor an international one.':
    'Это не номер телефона страны {1} и не международный номер.',
  'Check the digits.': 'Проверьте цифры.',
  'This is more than one phone number.': 'Здесь больше одного номера телефона.',
  'Write one number alone, or name in the mapping what stands between them, such as split: ";".':
    'Оставьте один номер или задайте в сопоставлении, что стоит между ними, например split: ";".',
  'The words say that this number must not be called, or that it is wrong.':
    'Из слов следует, что по этому номеру звонить нельзя или что он неверный.',
  'Remove the words where it may be called.': 'Уберите слова, если звонить можно.',
  'This is a number with a fraction, or one that a program has rounded.':
    'Это дробное число или число, которое округлила программа.',
  'Write all digits of the phone as text.': 'Укажите все цифры номера текстом.',
  'This may be a phone number of {} without its first zero, or one of another country without "+".':
    'Это может быть номер страны {1} без первого нуля или номер другой страны без «+».',
  'The words around the phone number are left out.': 'Слова рядом с номером не переданы.',
  'They say on what days or at what hours nobody may call.':
    'В них сказано, в какие дни или часы звонить нельзя.',
  'Put them into a column of their own.': 'Перенесите их в отдельный столбец.',
  'The number is not written as its numbering plan has it, and was read as what it most likely means.':
    'Номер записан не так, как принято в его стране, и прочитан по наиболее вероятному смыслу.',
  'Check it.': 'Проверьте его.',
  'This is no number of {}, but one of another country with the same country code.':
    'Это номер не страны {1}, а другой страны с тем же кодом.',
  'The extension is left out: a dialler may not take it for a part of the number.':
    'Добавочный номер не передан: набирающая система не должна принять его за часть номера.',
  'The digits begin with the country code of their own country, and can be two numbers.':
    'Цифры начинаются с кода своей же страны, и это могут быть два разных номера.',
  'They were taken for a number without a country code.':
    'Они прочитаны как номер без кода страны.',
  'Write the number with "+".': 'Укажите номер с «+».',
  'This is not an e-mail address.': 'Это не адрес электронной почты.',
  'The words say that nobody may write to this address.':
    'По словам рядом с адресом, писать на него нельзя.',
  'Remove the words where somebody may.': 'Уберите слова, если писать можно.',
  'It looks like name@example.com.': 'Он выглядит как name@example.com.',
  'The time of day is missing.': 'Нет времени суток.',
  'Write both: 2026-11-21T10:00:00.': 'Укажите и дату, и время: 2026-11-21T10:00:00.',
  'This time is long past.': 'Это время давно прошло.',
  'Check the year.': 'Проверьте год.',
  'This is not a date with a time.': 'Это не дата со временем.',
  'Write it as {}.': 'Укажите её в виде {1:or}.',
  'This is not a date that can be read in one way alone.':
    'Это не дата, или её можно прочесть по-разному.',
  'Name its pattern in the mapping, such as from: dd.MM.yyyy, and check that the day exists.':
    'Задайте её шаблон в сопоставлении, например from: dd.MM.yyyy, и проверьте, что такой день есть.',
  'This is not a date.': 'Это не дата.',
  'Write it as {}, and check that the day exists.':
    'Укажите её в виде {1:or} и проверьте, что такой день есть.',
  'The row has no phone.': 'В строке нет телефона.',
  'Fill in at least one phone column.': 'Заполните хотя бы один столбец с телефоном.',
  'There is no such role.': 'Такой роли нет.',
  'Roles: {}.': 'Роли: {1}.',
  'This is no client id.': 'Это не идентификатор клиента.',
  'An id is a whole number from 1 on.': 'Идентификатор — целое число от 1.',
  'The row has no contact that could get a status.':
    'В строке нет контакта, которому можно задать статус.',
  'Fill in a phone, an e-mail address or an address.':
    'Укажите телефон, адрес эл. почты или адрес.',
  'The same {} gets two different statuses.':
    'Для одного контакта ({1:contact}) указаны два разных статуса.',
  'Keep one of them.': 'Оставьте один из них.',
  'The row changes nothing.': 'Строка ничего не меняет.',
  'Fill in a cell beside the synchronization identifiers.':
    'Заполните хоть одну ячейку, кроме идентификаторов синхронизации.',
  'Left out: {}': 'Не передано: {1:say}',
  'Left out: the phone is on {}.': 'Не передано: телефон есть в {1:lists}.',
  'The row has a phone that must not be called: it is on {}.':
    'В строке телефон, по которому звонить нельзя: он есть в {1:lists}.',
  'The phone could not be compared with the lists of numbers that must not be called: it is no number with a country code.':
    'Телефон не сверен со списками номеров, по которым звонить нельзя: это не номер с кодом страны.',
  'Add the transform phone with its country.': 'Добавьте преобразование phone со страной.',
  'Left out by the mapping: it takes rows where {}.':
    'Пропущено по сопоставлению: оно берёт строки, где {1:condition}.',
  'This value is not in column "{}" of {}, so there is no "{}" for it.':
    'Этого значения нет в столбце «{1}» файла {2}, поэтому «{3}» для него нет.',
  'The mapping does not know this value.': 'Этого значения нет в заменах сопоставления.',
  'It knows: {}.': 'В них есть: {1}.',
  'The number of cells is {}, and that of the header {}.':
    'В строке {1:ячейка|ячейки|ячеек}, а в заголовке {2:number}.',
  'Check its quotes and delimiters.': 'Проверьте кавычки и разделители.',
  'The row has {} of {} cells: those that it lacks at its end are taken as empty.':
    'В строке {1:ячейка|ячейки|ячеек}, а в заголовке {2:number}: недостающие в конце считаются пустыми.',
  'The cells of this row are divided by {}, those of the table by {}.':
    'Ячейки этой строки разделены знаком {1}, а в таблице — знаком {2}.',
  'Put rows with one delimiter into one file.':
    'Соберите строки с одним разделителем в одном файле.',
  'The cell begins with a quote that is not closed, on line {}.':
    'Ячейка начинается с незакрытой кавычки, строка файла {1:number}.',
  'The quote was left out, and the lines below are rows of their own.':
    'Кавычка опущена, а следующие строки файла прочитаны как отдельные строки.',
  'A quote on line {} is closed within its cell.':
    'Кавычка в строке файла {1:number} закрыта внутри ячейки.',
  'Is the cell whole?': 'Ячейка целая?',
  'The row needs a request of {} bytes, and {} are allowed.':
    'Для строки нужен запрос в {1:байт|байта|байт}, а допускается {2:number}.',
  'Shorten its cells.': 'Сократите её ячейки.',
  'Corrected by hand.': 'Исправлено вручную.',
  'The row stands below the table, by source.until of the mapping.':
    'Строка стоит ниже таблицы, по source.until сопоставления.',
  'The format of this cell is missing from the workbook, so that a date could not be recognised.':
    'В книге нет формата этой ячейки, поэтому распознать дату нельзя.',
  'The formula in this cell has no stored value.':
    'У формулы в этой ячейке нет сохранённого значения.',
  'Open the file in a spreadsheet program, save it, and import it again.':
    'Откройте файл в программе для таблиц, сохраните и загрузите снова.',
  'The record has the name "{}"{}, which none of the first {} records has.':
    'В записи есть имя «{1}»{2:say}, которого нет ни в одной из первых {3:number} записей.',
  '(and {} more)': '(и ещё {1:number})',
  'Put a record with all names first.': 'Поставьте первой запись со всеми именами.',
  'The record has two values of the name "{}".': 'В записи два значения с именем «{1}».',
  'Rename one of them.': 'Переименуйте одно из них.',
  'the synchronization identifiers': 'идентификаторы синхронизации',
  'Further problems, of too many different kinds to be told apart.':
    'Другие ошибки: видов слишком много, чтобы различать их.',
  'The row has {} of row {}, which goes in its place.':
    'Совпадение со строкой {2:may} ({1:say}): вместо этой строки берётся та.',
  'a phone': 'телефон',
  '{} of {}': '{1:number} файла {2:may}',
  'another file': 'другого файла',
  'The row has {} of row {} in run {}, {} on {}, and is not sent again within {} {}.':
    'Совпадение со строкой {2:may} запуска {3} ({1:say}; клиент {4:done} {5}): до истечения срока в {6:день|дня|дней} эта строка не отправляется.',
  'Write an IANA name such as Europe/Moscow.': 'Укажите имя IANA, например Europe/Moscow.',
  'Not sent: {}': 'Не отправлено: {1:say}',
  'a phone must not be called any more: it has come onto {} since the run began.':
    'по телефону больше нельзя звонить: с начала запуска он появился в {1:lists}.',
  'phones valid': 'телефоны верны',
  'Phones that can exist.': 'Телефоны, которые могут существовать.',
  'Rows that repeat no other one, and whose phone is not that of many.':
    'Строки, которые не повторяют другие и телефон которых не общий у многих.',
  'not suppressed': 'можно звонить',
  'Rows without a phone that must not be called.':
    'Строки без телефонов, по которым звонить нельзя.',
  'time zone certain': 'часовой пояс известен',
  'Rows whose time zone is sure.': 'Строки, часовой пояс которых известен точно.',
  'Rows that are not too old.': 'Строки, которые не слишком стары.',
  'Rows that are neither rejected nor remarked for anything else.':
    'Строки, которые больше ни за что не отклонены и не отмечены.',
  'A phone of this row is that of {} rows before it: it may stand for one that is not known.':
    'Телефон этой строки стоит уже в {1} строках до неё: возможно, он вместо неизвестного.',
  'How old the row is cannot be seen: this is no date that can be read in one way alone.':
    'Возраст строки не определить: это не дата, или её можно прочесть по-разному.',
  'Fill in the cell, or name its pattern with the transform date.':
    'Заполните ячейку или задайте её шаблон преобразованием date.',
  'The date is in the future.': 'Дата в будущем.',
  'Correct the cell.': 'Исправьте ячейку.',
  'The row is {} old, and maxAge allows {}.':
    'Возраст строки — {1:say}, а maxAge допускает {2:say}.',
  'The row is as it was when it was {}; nothing was sent for it.':
    'Строка такая же, как когда клиент был {1:say}; для неё ничего не отправлено.',
  'The year is one of another calendar: {}.': 'Это год по другому календарю: {1:say}.',
  'Write the date by the Gregorian calendar.': 'Укажите дату по григорианскому календарю.',
  'Persian or Islamic (Hijri)': 'персидский или исламский (хиджра)',
  'Thai Buddhist': 'тайский буддийский',
  Hebrew: 'еврейский',
  'Japanese eras': 'японские эры',
  'Republic of China (Minguo)': 'Китайской Республики (Миньго)',
  'Islamic (Hijri)': 'исламский (хиджра)',
  Persian: 'персидский',
  'This date is yet to come, and it should lie in the past.':
    'Эта дата ещё не наступила, а должна быть в прошлом.',
  'The patterns of the mapping read two dates here: the day or the month may come first.':
    'По шаблонам сопоставления здесь две разные даты: первым может быть и день, и месяц.',
  'Leave one of them in the mapping, or write the date as yyyy-MM-dd.':
    'Оставьте в сопоставлении один из шаблонов или укажите дату как yyyy-MM-dd.',
  'The row is hidden in its sheet, by hand or by a filter, and was read all the same.':
    'Строка скрыта на листе, вручную или фильтром, и всё равно прочитана.',
  'The cell holds the error of a formula, such as #N/A or #REF!, and no value.':
    'В ячейке вместо значения ошибка формулы, например #REF! или #N/A.',
  'Mend the formula in a spreadsheet program, or clear the cell.':
    'Исправьте формулу в программе для таблиц или очистите ячейку.',
};
