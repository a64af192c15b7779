import type { Sentences } from '../catalogue/catalogue.js';

/** Why the ledger cannot be read or written. */
export const ledgerSentences: Sentences = {
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
