import type { CellProblem } from '../../shared/check.js';
import { language } from '../state/language.js';

/** What is wrong with rows, by the codes of reports. The server's own words are English, and more exact. */
const RU: Readonly<Record<string, string>> = {
  ambiguous_time_zone: 'По первым цифрам номера часовой пояс не определить.',
  ambiguous_number: 'Число можно прочесть двояко. Уточните формат на шаге «Столбцы».',
  corrected: 'Ячейка исправлена вручную.',
  long_past: 'Это время давно прошло.',
  no_contact: 'В строке нет ни одного контакта.',
  no_phone: 'В строке нет телефона: нужен хотя бы один.',
  no_such_time: 'Такого времени в этот день не было.',
  no_time: 'Нет времени звонка.',
  no_time_zone: 'Нет часового пояса.',
  not_a_boolean: 'Это не «да» и не «нет».',
  not_a_date: 'Это не дата.',
  not_a_number: 'Это не число.',
  not_a_phone: 'Это не номер телефона. Проверьте цифры.',
  not_a_time: 'Это не время.',
  not_a_time_zone: 'Это не часовой пояс.',
  not_allowed: 'Такое значение карточка не допускает.',
  not_an_email: 'Это не адрес электронной почты.',
  not_an_id: 'Это не идентификатор.',
  not_an_integer: 'Это не целое число.',
  not_compared: 'Номер без кода страны: со списками запрета звонков он не сверен.',
  not_in_map: 'Для этого значения не задана замена.',
  not_in_table: 'Этого значения нет в справочнике.',
  nothing_to_change: 'В строке нет ничего, что изменилось бы.',
  number_too_large: 'Число слишком велико.',
  phone_extension: 'У номера есть добавочный, который нельзя передать.',
  ragged: 'В строке другое число ячеек, чем в заголовке.',
  required: 'Обязательное значение не заполнено.',
  suppressed: 'Номер в списке тех, кому звонить нельзя.',
  too_long: 'Текст слишком длинный.',
  two_statuses: 'Для одного контакта указаны два разных состояния.',
  unknown_role: 'Такой роли клиента нет.',
};

/** What is wrong, in the person's language. */
export const problemWords = ({
  code,
  message,
}: {
  readonly code: string | null;
  readonly message: CellProblem['message'];
}): string => (language === 'ru' ? (RU[code ?? ''] ?? message) : message);
