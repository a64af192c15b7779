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
  'Let "cardline resume {} --ledger {}" bring it to its end first.':
    'Сначала доведите его до конца: «cardline resume {1} --ledger {2}».',
  'The process of run {} died, and {}.{}.mark, which tells how much of it should be in the ledger, is not there.':
    'Процесс запуска {1} погиб, а файла {2}.{3}.mark, который говорит, сколько от него должно быть в журнале, нет.',
  'Was the ledger copied alone?': 'Журнал скопировали без него?',
  'Bring {}-wal and the mark along, or let "cardline resume {} --ledger {} --settle-all" look every open row up before it sends anything.':
    'Принесите и {1}-wal с этим файлом, или пусть «cardline resume {2} --ledger {3} --settle-all» проверит каждую открытую строку до отправки.',
  'it does not know run {} of {}, of which {} facts were on the disk':
    'он не знает запуска {1} файла {2}, от которого на диске было записей: {3:number}',
  'it has {} facts of run {}, of which at least {} were on the disk':
    'в нём {1:запись|записи|записей} запуска {2}, а на диске было не меньше {3:number}',
  'the import of {} with --settle-all looks every row up before it sends anything; should that list never be imported again, remove {}.{}.mark':
    'импорт {1} с --settle-all проверит каждую строку до отправки; если этот список больше не импортировать, удалите {2}.{3}.mark',
  '"cardline resume {} --ledger {} --settle-all" looks every open row up before it sends anything':
    '«cardline resume {1} --ledger {2} --settle-all» проверит каждую открытую строку до отправки',
  'The ledger {} has lost its end: {}.': 'Журнал {1} потерял свой конец: {2:say}.',
  'Was {}-wal removed or damaged, or an older copy brought back?':
    '{1}-wal удалён или повреждён, или вернули старую копию?',
  'Bring the whole ledger back, or go on without: {}.':
    'Верните журнал целиком или продолжите без него: {1:say}.',
};
