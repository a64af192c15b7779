import type { Sentences } from '../catalogue/catalogue.js';

/** Why the contact center did not do what was asked for, where these are not its own words. */
export const centerSentences: Sentences = {
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
