import { language, type Messages } from '../state/language.js';

/** Reasons of suggestions in Russian, by the pattern of the English ones. They are put together with commas. */
const REASONS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^it has the name of the field (.+)$/, 'называется как поле $1'],
  [/^its name says (.+)$/, 'судя по имени: $1'],
  [/^its name and its cells say (.+)$/, 'судя по имени и ячейкам: $1'],
  [/^an address$/, 'это адрес'],
  [/^the first name, a part of the full name$/, 'имя — часть полного имени'],
  [/^the middle name, a part of the full name$/, 'отчество — часть полного имени'],
  [/^the last name, a part of the full name$/, 'фамилия — часть полного имени'],
  [/^its name and its cells say the full name$/, 'и имя столбца, и ячейки — полное имя'],
  [/^(\d+) % of its cells are phone numbers$/, '$1 % ячеек — номера телефонов'],
  [/^(\d+) % of its cells are e-mail addresses$/, '$1 % ячеек — адреса эл. почты'],
  [/^(\d+) % of its cells are time zones$/, '$1 % ячеек — часовые пояса'],
  [/^(\d+) % of its cells are classes of clients$/, '$1 % ячеек — категории клиентов'],
  [/^(\d+) % of its cells are values of the list$/, '$1 % ячеек — значения из списка'],
  [/^(\d+) % of its cells are whole numbers$/, '$1 % ячеек — целые числа'],
  [/^its cells are names of time zones$/, 'ячейки — названия часовых поясов'],
  [/^its cells are client roles$/, 'ячейки — роли клиентов'],
  [/^its cells are dates$/, 'ячейки — даты'],
  [/^its cells are numbers$/, 'ячейки — числа'],
  [/^its cells are empty$/, 'ячейки пусты'],
  [/^its cells are no numbers of one form$/, 'но ячейки — не числа одного вида'],
  [/^its cells are what it should hold$/, 'ячейки подходят'],
  [/^its cells look like addresses$/, 'ячейки похожи на адреса'],
  [/^its cells look like names of companies$/, 'ячейки похожи на названия компаний'],
  [/^all of its values are in the list of the field$/, 'все значения есть в списке поля'],
  [/^it answers whether a client is VIP$/, 'отвечает, VIP ли клиент'],
  [/^it has a UUID in every row$/, 'в каждой строке UUID'],
  [/^the domain of the link$/, 'домен из ссылки'],
  [/^whatever its name says$/, 'что бы ни говорило имя'],
  [/^no other column is like it$/, 'других похожих столбцов нет'],
  [/^its cells are not dates$/, 'но ячейки — не даты'],
  [/^its cells are not what it should hold$/, 'но ячейки не подходят'],
  [/^it is about somebody else than the client$/, 'это о другом человеке, не о клиенте'],
  [/^it says something about another column$/, 'поясняет другой столбец'],
  [/^nothing of the card is like it$/, 'в карточке нет ничего похожего'],
  [/^left out by (.+) before$/, 'раньше не брался: $1'],
  [/^(.+) took it from here before$/, 'раньше брался отсюда: $1'],
  [/^(\S+) is taken from "(.+)"$/, '$1 берётся из «$2»'],
];

/** Why something is suggested. What has no words in the person's language stays as the server has it. */
export function whyWords(why: string): string {
  if (language === 'en') return why;
  return why
    .split(/(?:, and|, but|;|,) (?=it|its|no other|the domain|\d+ %|whatever|all of)/)
    .map((part) => {
      const [pattern, words] = REASONS.find(([one]) => one.test(part)) ?? [];
      return pattern && words !== undefined ? part.replace(pattern, words) : part;
    })
    .join(', ');
}

/** What is wrong with values, by the codes of reports. */
export const valueProblemText = {
  not_a_phone: { en: 'not a phone number', ru: 'не номер телефона' },
  not_an_email: { en: 'not an e-mail address', ru: 'не адрес эл. почты' },
  not_a_date: { en: 'not a date', ru: 'не дата' },
  not_a_number: { en: 'not a number', ru: 'не число' },
  not_allowed: { en: 'the card does not allow it', ru: 'карточка этого не допускает' },
  not_in_map: { en: 'the map does not know it', ru: 'замена для этого не задана' },
  not_in_table: { en: 'the table does not have it', ru: 'в таблице этого нет' },
  not_a_time_zone: { en: 'not a time zone', ru: 'не часовой пояс' },
  not_yes_or_no: { en: 'neither yes nor no', ru: 'не да и не нет' },
} satisfies Messages;
