import type { PageProblem } from '../../shared/route.js';
import { type Language, LANGUAGES } from '../../shared/in-browser.js';
import { Catalogue, type Sentences } from './catalogue/catalogue.js';
import { cellSentences } from './russian/cells.js';
import { fileSentences } from './russian/files.js';
import { mappingSentences } from './russian/mappings.js';
import { pageSentences } from './russian/page.js';
import { runSentences } from './russian/runs.js';
import { russianWords } from './russian/words.js';
import type { IncomingHttpHeaders } from 'node:http';

/** A sentence of engine or server in the language of the page. Words of others, such as the contact center's, stay. */
export function sentenceIn(language: Language, sentence: string): string {
  const own = withoutListFolders(sentence);
  return language === 'en' ? own : (russian.say(own) ?? own);
}

/** An absolute path into the folder of a list, up to the name of the file there. */
const LIST_FOLDER =
  /(?<=^|[\s"'“«(])(?:\/|[A-Za-z]:[\\/])(?:(?![:,;] )[^"“«\n])*?[\\/][0-9a-f]{18}[\\/](?:file[\\/])?/g;

/** The person knows a file by its name, and never saw where the page keeps its copy. */
const withoutListFolders = (sentence: string): string => sentence.replace(LIST_FOLDER, '');

/** A problem in the language of the page. */
export function problemIn(language: Language, problem: PageProblem): PageProblem {
  const { sentence, next } = problem;
  const translated = { ...problem, sentence: sentenceIn(language, sentence) };
  return next === undefined ? translated : { ...translated, next: sentenceIn(language, next) };
}

/** Where a mapping, and not the file, seems to be wrong. */
const suspicionSentences: Sentences = {
  '{}; add {}': '{1:say}; добавьте {2:may}',
  '{} of {} look like {}': '{1:number} из {2:number} похожи на {3:or}',
  '{} of {} have a decimal comma': 'в {1:number} из {2:number} — десятичная запятая',
  '{} of {} numbers can be read in two ways':
    '{1:number} из {2:number} чисел можно прочесть двояко',
  '{}, and {} have a decimal comma': '{1:say}, и в {2:number} — десятичная запятая',
  '{}, and {} have a decimal point': '{1:say}, и в {2:number} — десятичная точка',
  '{}, {} have a decimal comma and {} a point':
    '{1:say}, в {2:number} — десятичная запятая, в {3:number} — точка',
  'suspect the mapping: {}': 'возможно, дело в сопоставлении: {1:say}',
  'the right one: {}': 'то, что верно: {1:or}',
  '{} of {} look like': '{1:number} из {2:number} похожи на',
  '{} dates that need no pattern; leave out "from"':
    '{1:say} даты, которым шаблон не нужен; уберите «from»',
  '{} of {} dates are stored as such, all with a day up to 12, and {} are texts, all with a day above: a program has probably swapped day and month of the stored ones.':
    '{1:number} из {2:number} дат записаны как даты, и во всех день не больше 12, а {3:number} — текст, и во всех день больше: вероятно, программа поменяла местами день и месяц в первых.',
  'Compare them with where the list comes from': 'Сравните их с источником списка',
  '{} of {} dates can be read with the day first and with the month first; leave one order in "from"':
    '{1:number} из {2:number} дат можно прочесть и с днём впереди, и с месяцем; оставьте в «from» один порядок',
  '{} of {} dates have day and month in the order of "from", and {} in the other one, so that nobody knows what the {} are that can be read in both ways.':
    'в {1:number} из {2:number} дат день и месяц стоят в порядке «from», а в {3:number} — наоборот, так что неизвестно, что значат даты, которые можно прочесть двояко ({4:number}).',
  'Ask where the list comes from': 'Спросите того, от кого список',
  '{}: the mark for text, an apostrophe or ="…", was taken off {}.':
    '{1}: пометка «это текст» (апостроф или ="…") снята: {2:say}.',
  '{}: signs that nobody sees were taken off {}.': '{1}: невидимые знаки убраны: {2:say}.',
  '{} cells': '{1:number} ячеек',
  '1 cell': '1 ячейка',
  '{}: {} of {} values are dates that are sent as they stand, whether there is such a day or not; the transform date checks them.':
    '{1}: {2:number} из {3:number} значений — даты, которые отправляются как есть, есть ли такой день или нет; их проверяет преобразование date.',
};

/** Why something is suggested for a column, or nothing. */
const suggestionSentences: Sentences = {
  '{}; no other column is like it': '{1:say}, других похожих столбцов нет',
  'left out by {} before': 'раньше не брался: {1}',
  '{} took it from here before': 'раньше брался отсюда: {1}',
  '{} is taken from "{}"': '{1} берётся из «{2}»',
  'hardly {}: {}': 'вряд ли {1}: {2:say}',
  'it is about somebody else than the client': 'это о другом человеке, не о клиенте',
  'it says something about another column': 'поясняет другой столбец',
  'it says how the numbers of "{}" begin': 'с этого начинаются номера столбца «{1}»',
  'its cells are empty': 'ячейки пусты',
  'nothing of the card is like it': 'в карточке нет ничего похожего',
  'its name says phone, and its cells are empty': 'судя по имени, это телефон, но ячейки пусты',
  'its name says e-mail, and its cells are empty': 'судя по имени, это эл. почта, но ячейки пусты',
  '{}, and its cells are numbers': '{1:say}, и ячейки — числа',
  '{}, but its cells are no numbers of one form': '{1:say}, но ячейки — не числа одного вида',
  '{}, and its cells are empty': '{1:say}, но ячейки пусты',
  '{}, whatever its name says': '{1:say}, что бы ни говорило имя',
  'its cells are names of time zones': 'ячейки — названия часовых поясов',
  'it answers whether a client is VIP': 'отвечает, VIP ли клиент',
  'its cells are client roles': 'ячейки — роли клиентов',
  'it has a UUID in every row': 'в каждой строке UUID',
  'its cells look like addresses': 'ячейки похожи на адреса',
  'its cells look like names of companies': 'ячейки похожи на названия компаний',
  'its cells look like names of persons': 'ячейки похожи на имена людей',
  'it has another value in every row': 'в каждой строке своё значение',
  'its cells are numbers, and the card has one field of numbers':
    'ячейки — числа, а числовое поле в карточке одно',
  'all of its values are in the list of the field': 'все значения есть в списке поля',
  'it has the name of the field {}': 'называется как поле {1:field}',
  'its name says {}': 'судя по имени: {1:concept}',
  'its name and its cells say {}': 'и имя столбца, и ячейки — {1:say}',
  '{}, a part of the full name': '{1:say} — часть полного имени',
  'the full name': 'полное имя',
  'the first name': 'имя',
  'the middle name': 'отчество',
  'the last name': 'фамилия',
  'an address': 'это адрес',
  '{}, a part of an address': '{1:concept} — часть адреса',
  '{} of its cells are phone numbers': '{1} ячеек — номера телефонов',
  '{} of its cells are e-mail addresses': '{1} ячеек — адреса эл. почты',
  '{} of its cells are time zones': '{1} ячеек — часовые пояса',
  '{} of its cells are classes of clients': '{1} ячеек — категории клиентов',
  '{} of its cells are domains or links': '{1} ячеек — домены или ссылки',
  '{}, and {} of its cells are values of the list': '{1:say}, {2} ячеек — значения из списка',
  '{}, and {} of its cells are whole numbers': '{1:say}, {2} ячеек — целые числа',
  '{}, and its cells are {}': '{1:say}, и ячейки — {2:say}',
  '{}, but its cells are not {}': '{1:say}, но ячейки — не {2:say}',
  dates: 'даты',
  'what it should hold': 'то, что нужно',
};

/** Why the contact center did not do what was asked for, where these are not its own words. */
const centerSentences: Sentences = {
  'HTTP {}, check the credentials': 'HTTP {1}, проверьте учётные данные',
  '{}: the contact center is busy (HTTP {})': '{1}: контакт-центр занят (HTTP {2})',
  '{}: the gateway got no answer (HTTP {})': '{1}: шлюз не получил ответа (HTTP {2})',
  "{}: the answer (HTTP {}, {}) is not one of the interface's":
    '{1}: ответ (HTTP {2}, {3:parts}) — не из интерфейса',
  'JSON of another form': 'JSON другого вида',
  'JSON that is cut short': 'оборванный JSON',
  'an empty body': 'пустой ответ',
  'a body that cannot be unpacked': 'ответ, который не распаковать',
  'a page': 'страница',
  'a redirect': 'переадресация',
  'certFile and keyFile belong together; give both.': 'certFile и keyFile бывают только вместе.',
  'It must be a PEM file.': 'Нужен файл PEM.',
  'cannot be used{}.': 'использовать нельзя{1}.',
  'must be an address like http://host:8080.': 'здесь нужен адрес вроде http://host:8080.',
  'must have no user name, query or fragment; credentials go into headers.':
    'здесь не может быть имени, запроса и фрагмента; учётные данные — в headers.',
  'is not a name that a header can have.': 'у заголовка запроса не может быть такого имени.',
  'is set by cardline itself; leave it out.': 'его ставит сам cardline; уберите его.',
  'needs the file {}, which is not there, is empty or may not be read.':
    'нужен файл {1}, а его нет, он пуст или его нельзя прочитать.',
  'needs the credential {} of systemd (LoadCredential), which is not passed.':
    'нужен секрет {1} из systemd (LoadCredential), а он не передан.',
  'needs {} from the environment, which is not set.':
    'нужна переменная окружения {1}, а она не задана.',
  'Set it, or leave this out.': 'Задайте её или уберите это.',
  'holds a character that a header must not have, such as a line break.':
    'здесь знак, которого в заголовке быть не может, например конец строки.',
  'The installation permits requests {}, so nothing was sent.':
    'Описание контакт-центра разрешает запросы {1}, поэтому ничего не отправлено.',
  'The same works from {} there.': 'Это можно с {1} по тамошнему времени.',
  '{}: no whole answer within {} s': '{1}: за {2} с не пришёл полный ответ',
  '{}, and it was not sent': '{1:say}, и запрос не отправлен',
  '{}: given up while waiting for the answer': '{1}: ожидание ответа прервано',
  '{}: given up before it was sent': '{1}: прервано до отправки',
  '{}: not sent, since this process did not answer the ledger for too long, and another one may have taken the run':
    '{1}: не отправлено: этот процесс слишком долго не отвечал журналу, и запуск мог взять другой процесс',
  '{}: no answer from {}: {}': '{1}: {2} не ответил: {3:say}',
  '{}: {} was not reached: {}': '{1}: {2} недоступен: {3:say}',
  'it refuses connections: it is not running, or the address is wrong':
    'он не принимает соединений; запущен ли он и верен ли адрес',
  'its host name is not known': 'имя узла неизвестно',
  'its host name cannot be looked up just now': 'имя узла сейчас не определить',
  'its network cannot be reached': 'его сеть недоступна',
  'the connection broke': 'соединение прервалось',
  'it does not react': 'он не отвечает',
  'it closed the connection without a whole answer': 'он закрыл соединение, не ответив полностью',
  'its answer is larger than transport.responseBytes': 'его ответ больше transport.responseBytes',
  'this client has been closed': 'соединение уже закрыто',
  'the proxy asks for credentials': 'прокси требует учётные данные',
  'the proxy opened no tunnel to it': 'прокси не открыл к нему туннель',
  'its answer is not HTTP': 'его ответ — не HTTP',
  'no secure connection was agreed on': 'не удалось установить защищённое соединение',
  'a network error': 'ошибка сети',
  'readClient: the answer shows nothing of a card': 'readClient: в ответе нет карточки',
  '{} does not answer as a contact center does (HTTP {}, {}).':
    '{1} отвечает не так, как контакт-центр (HTTP {2}, {3:parts}).',
  'Check --url: the paths of the interface, such as /api/v1/clients, begin behind it.':
    'Проверьте адрес: за ним начинаются пути интерфейса, такие как /api/v1/clients.',
  'Check --header.': 'Проверьте учётные данные.',
  'Give every synchronization identifier of a client that exists, each with an --id of its own.':
    'Укажите все идентификаторы синхронизации существующего клиента.',
  'Give the synchronization identifiers with --id.': 'Укажите идентификаторы синхронизации.',
  '--id takes name=value, such as offerId=7, but got "{}".':
    'Идентификатор пишется как имя и значение, например offerId и 7, а задано «{1}».',
  '--id takes a name, or name=value, but got "{}".':
    'Идентификатор пишется без типа, а задано «{1}».',
  'Give its type with --field as well, such as --id dealId --field dealId:Number.':
    'Его тип задаётся отдельно, с --field.',
  '--id: "{}" is given twice.': 'Идентификатор «{1}» задан дважды.',
  '--id: {} has no value.': 'У идентификаторов нет значения: {1}.',
  'Give all values to have a client read, or none.':
    'Чтобы прочитать клиента, задайте все значения, или не задавайте ни одного.',
  '--field takes the name of a card field, such as fullName or budget:Number, but got "{}".':
    'Поле карточки пишется как fullName или budget:Number, а задано «{1}».',
  '--field {}: "{}" is no type of a field.': 'Поле {1}: «{2}» — не вид поля.',
  "--header takes a name and a value, such as 'Authorization: Bearer ${CC_TOKEN}'.":
    'У заголовка — имя и значение, например «Authorization: Bearer ${CC_TOKEN}».',
  '--header: the value of {} holds a credential, which must not stand in a file.':
    'В значении заголовка {1} — учётные данные, а в файле их быть не должно.',
  "Put it into a variable of the environment, such as CC_TOKEN, and name that in single quotes, so that your shell leaves it alone: --header '{}'":
    'Задайте их в переменной окружения, например CC_TOKEN, и укажите её имя: {1}',
  'the proxy opened no tunnel': 'прокси не открыл туннель',
};

/** Why the ledger cannot be read or written. */
const ledgerSentences: Sentences = {
  'The ledger {}: {}.': 'Журнал {1}: {2:say}.',
  'The ledger {}: this is a database of another program; give another file with --ledger.':
    'Журнал {1}: это база другой программы; укажите другой файл в --ledger.',
  'The ledger {}: this is a database of another program, and was left as it is; give another file with --ledger.':
    'Журнал {1}: это база другой программы, она не тронута; укажите другой файл в --ledger.',
  '{} was written by a later version of cardline; use that version, or another --ledger.':
    '{1} записан более новой версией cardline; используйте ту версию или другой --ledger.',
  'a connection pooler before the server, or the server, does not take what is asked for; a pooler needs pool_mode = transaction or session; {}':
    'пул соединений перед сервером или сам сервер не принимает запрос; пулу нужен pool_mode = transaction или session; {1:say}',
  'it cannot be used': 'использовать его нельзя',
  'the file is not a ledger; give another file with --ledger':
    'это не журнал; укажите другой файл в --ledger',
  'the file is damaged; bring a copy back, or give another file with --ledger':
    'файл повреждён; верните копию или укажите другой файл в --ledger',
  'another process is using it; wait for it, or give another --ledger':
    'им пользуется другой процесс; дождитесь его или укажите другой --ledger',
  'it may not be written; check its permissions':
    'писать в него не разрешено; проверьте права доступа',
  'the file cannot be opened; check the path': 'файл не открывается; проверьте путь',
  'the disk reports an error; what was recorded before holds':
    'диск сообщает об ошибке; записанное ранее сохранено',
  'The ledger {}: writing failed.': 'Журнал {1}: запись не удалась.',
  'The ledger {} is a folder; give the path of a file.': 'Журнал {1} — папка; укажите путь файла.',
  'the disk is full or reports an error': 'диск заполнен или сообщает об ошибке',
  'The ledger {} is the file {} by another name; give that one with --ledger.':
    'Журнал {1} — это файл {2} под другим именем; укажите тот в --ledger.',
  'The ledger {} was {} before, and another process has it open.':
    'Журнал {1} раньше был {2}, и его держит открытым другой процесс.',
  'The ledger {} is a link that leads nowhere; mend it, or give another --ledger.':
    'Журнал {1} — ссылка, которая никуда не ведёт; исправьте её или укажите другой --ledger.',
  'The ledger {} is no regular file, and was left as it is; give another --ledger.':
    'Журнал {1} — не обычный файл, он не тронут; укажите другой --ledger.',
  'The ledger {} has a second name (a hard link), by which another process could work on it unseen.':
    'У журнала {1} есть второе имя (жёсткая ссылка), под которым с ним незаметно мог бы работать другой процесс.',
  'Remove one of the names, or copy the file.': 'Уберите одно из имён или скопируйте файл.',
  'The ledger {}: the file is not a ledger, and was left as it is; give another file with --ledger.':
    'Журнал {1}: это не журнал, файл не тронут; укажите другой файл в --ledger.',
  'Run {} lost facts, and not all of its rows have been looked up since.':
    'Часть записей о запуске {1} потеряна, и не все его строки с тех пор проверены.',
  'Let "{}" bring it to its end first.': 'Сначала доведите его до конца: «{1}».',
  'The process of run {} died, and {}.{}.mark, which tells how much of it should be in the ledger, is not there.':
    'Процесс запуска {1} оборвался, а файла {2}.{3}.mark, который говорит, сколько от него должно быть в журнале, нет.',
  'Was the ledger copied alone?': 'Журнал скопировали без него?',
  'Bring {}-wal and the mark along, or let "{}" look every open row up before it sends anything.':
    'Верните и {1}-wal с этим файлом, или пусть «{2}» проверит каждую открытую строку до отправки.',
  'it does not know run {} of {}, of which {} facts were on the disk':
    'он не знает запуска {1} файла {2}, от которого на диске было записей: {3:number}',
  'it has {} facts of run {}, of which at least {} were on the disk':
    'в нём {1:запись|записи|записей} запуска {2}, а на диске было не меньше {3:number}',
  'the import of {} with --settle-all looks every row up before it sends anything; should that list never be imported again, remove {}.{}.mark':
    'импорт {1} с --settle-all проверит каждую строку до отправки; если этот список больше не импортировать, удалите {2}.{3}.mark',
  '"{}" looks every open row up before it sends anything':
    '«{1}» проверит каждую открытую строку до отправки',
  'The ledger {} has lost its end: {}.': 'В журнале {1} не хватает конца: {2:say}.',
  'Was {}-wal removed or damaged, or an older copy brought back?':
    '{1}-wal удалён или повреждён, или вернули старую копию?',
  'Bring the whole ledger back, or go on without: {}.':
    'Верните журнал целиком или продолжите без него: {1:say}.',
  'The address of the ledger holds a password, which the list of processes and histories of commands would show.':
    'В адресе журнала есть пароль: его показали бы список процессов и история команд.',
  'Leave it out, and give it with PGPASSWORD, in ~/.pgpass, or in the file that PGPASSFILE names.':
    'Уберите его и задайте в PGPASSWORD, в ~/.pgpass или в файле, который называет PGPASSFILE.',
  'The address of the ledger cannot be read; write it as postgres://user@host:5432/database, with special characters as %XX.':
    'Адрес журнала не читается; напишите его как postgres://user@host:5432/database, особые знаки — как %XX.',
  'The ledger {}: sslmode is one of verify-full and disable.':
    'Журнал {1}: sslmode бывает verify-full или disable.',
  'The ledger {}: the certificate {} cannot be read ({}); check sslrootcert.':
    'Журнал {1}: сертификат {2} не читается ({3}); проверьте sslrootcert.',
  'The ledger {} was moved, removed or replaced while a run was at work in it.':
    'Журнал {1} переместили, удалили или заменили, пока в нём работал запуск.',
  'Nothing more is sent.': 'Больше ничего не отправляется.',
  'Another process has taken run {}, since this one did not answer for too long.':
    'Запуск {1} взял другой процесс, так как этот слишком долго не отвечал.',
  'Nothing more is sent here; look at the run there.':
    'Здесь больше ничего не отправляется; следите за запуском там.',
  'there is no host of this name; check the address': 'узла с таким именем нет; проверьте адрес',
  'no server answers there; check host and port, or start it, and {}':
    'там никакой сервер не отвечает; проверьте узел и порт или запустите его и {1:may}',
  'the server does not answer in time; check host, port and firewall, and {}':
    'сервер не отвечает вовремя; проверьте узел, порт и межсетевой экран и {1:may}',
  'the server refuses this user or password; give the password with PGPASSWORD or in ~/.pgpass':
    'сервер не принимает пользователя или пароль; задайте пароль в PGPASSWORD или в ~/.pgpass',
  'the server has no such database; check its name, or create it':
    'такой базы на сервере нет; проверьте её имя или создайте её',
  'the role may not create or use the tables; "cardline ledger init" with this address prints what an administrator has to execute in this database':
    'роли не разрешено создавать таблицы или пользоваться ими; «cardline ledger init» с этим адресом печатает, что администратор должен выполнить в этой базе',
  "the server's certificate does not verify; give the authority's certificate with sslrootcert, or the name that the certificate has":
    'сертификат сервера не проходит проверку; задайте сертификат центра в sslrootcert или имя, которое в нём стоит',
  'the server is a read-only copy; give the address of the one that is written to':
    'этот сервер — копия только для чтения; укажите адрес того, в который пишут',
  'another process has put the same on record; {}': 'другой процесс уже записал то же; {1:may}',
  'the disk of the server is full; free some space and {}':
    'диск сервера заполнен; освободите место и {1:may}',
  'the server has no connection left; wait, and {}':
    'у сервера не осталось соединений; подождите и {1:may}',
  'another process is using it; {}': 'им пользуется другой процесс; {1:may}',
  'the connection to the server was lost; what was recorded before holds; {}':
    'соединение с сервером потеряно; записанное ранее сохранено; {1:may}',
  'Run {} is not at its end, and the database has been restored, or another server has taken over, since it was open: its last facts may be missing.':
    'Запуск {1} не доведён до конца, а база с тех пор восстановлена из копии, или её заменил другой сервер: последних записей может не быть.',
  'Let "{}" look every open row up before it sends anything.':
    'Пусть «{1}» проверит каждую открытую строку до отправки.',
  'The ledger {} was written by a later version of cardline; use that version, or another --ledger.':
    'Журнал {1} записан более новой версией cardline; используйте ту версию или другой --ledger.',
  'The ledger {}: its schema "{}" belongs to something else, and was left as it was; give another database with --ledger.':
    'Журнал {1}: его схема «{2}» — чужая, она не тронута; укажите другую базу в --ledger.',
  'The ledger {}: the server is PostgreSQL {}; it has to be 13 or later.':
    'Журнал {1}: сервер — PostgreSQL {2}, а нужен 13 или новее.',
  'The ledger {}: {} is off, so that the server may forget what it has confirmed, and clients would be sent twice.':
    'Журнал {1}: {2} выключен, и сервер может забыть подтверждённое, а клиенты отправились бы дважды.',
  'Turn it on, for this role at the least.': 'Включите его хотя бы для этой роли.',
  'no server answers there': 'там никакой сервер не отвечает',
  'the server does not answer in time': 'сервер не отвечает вовремя',
  'another process has put the same on record': 'другой процесс уже записал то же',
  'the disk of the server is full': 'диск сервера заполнен',
  'the server has no connection left': 'у сервера не осталось соединений',
  'another process is using it': 'им пользуется другой процесс',
  'the connection to the server was lost; what was recorded before holds':
    'соединение с сервером потеряно; записанное ранее сохранено',
  'The ledger {} is being read by another process, which keeps old pages of it.':
    'Журнал {1} читает другой процесс и держит его старые страницы.',
  'The ledger {}: the server asks for a password, and there is none; give it with PGPASSWORD, in ~/.pgpass, or in the file that PGPASSFILE names.':
    'Журнал {1}: сервер требует пароль, а его нет; задайте его в PGPASSWORD, в ~/.pgpass или в файле, который называет PGPASSFILE.',
  'The ledger {}: {} holds passwords, and others may read it; run chmod 600 on it.':
    'Журнал {1}: в {2} пароли, а читать его могут другие; выполните для него chmod 600.',
  'The ledger {}: the file of passwords {} cannot be read ({}).':
    'Журнал {1}: файл паролей {2} не читается ({3}).',
  'Run {} is shared by several machines, and {} of its pieces are left.':
    'Запуск {1} ведут несколько машин; осталось частей: {2}.',
  'Run {} is shared by several machines, and not all of its rows have been handed over.':
    'Запуск {1} ведут несколько машин; ещё не все его строки переданы.',
  '"{}" goes on with it, as any "cardline worker" does; "{}" takes it back from them.':
    'Его продолжит «{1}» или любой «cardline worker»; «{2}» заберёт его у машин.',
  'Run {} was handed over by {}, and this version does not read its pieces.':
    'Запуск {1} передан версией {2}, и его части эта версия не читает.',
  'Let that version bring it to its end, or take it back from the machines: "{}"; then this command goes on with it.':
    'Доведите его до конца той версией или заберите у машин: «{1}»; затем эта команда его продолжит.',
  'Run {} is not in the ledger {}.': 'Запуска {1} нет в журнале {2}.',
  'Run {} is not shared, or all of its pieces have ended: other commands can work on it.':
    'Запуск {1} не ведут несколько машин, или все его части завершены: с ним могут работать другие команды.',
};

/** What engine and server say in English, in Russian: no sentence is in two parts. */
export const russianParts: readonly Sentences[] = [
  cellSentences,
  centerSentences,
  fileSentences,
  ledgerSentences,
  mappingSentences,
  pageSentences,
  runSentences,
  suggestionSentences,
  suspicionSentences,
];

/** How places and codes stand beside sentences. */
const glue: Sentences = {
  '- {}': '- {1:say}',
  '{}: {}': '{1}: {2:say}',
  '{} ({})': '{1:say} ({2})',
  '{} ({}).': '{1:say} ({2}).',
};

export const russian = new Catalogue(
  Object.fromEntries([...russianParts, glue].flatMap((part) => Object.entries(part))),
  russianWords,
);

/** The language that a request asks for first: the page names its own, which may be another than the browser's. */
export function languageOf({ 'accept-language': asked = '' }: IncomingHttpHeaders): Language {
  const first = asked.slice(0, 2).toLowerCase();
  return LANGUAGES.find((language) => language === first) ?? 'en';
}
