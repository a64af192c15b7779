import { describe, expect, test } from 'vitest';
import type { MappedRow } from '../../src/mapping/compile.js';
import { clientOf, compiled } from './files.js';

const maps = new Map<string, Promise<(cells: (string | null)[]) => MappedRow>>();

/** What becomes of a cell in a column of phones of a country: what is sent, with the codes of remarks, or why nothing is. */
async function outcomeOf(country: string, cell: string, options = ''): Promise<string> {
  const key = country + options;
  const map = maps.get(key) ?? mapOf(country, options);
  maps.set(key, map);
  const row = (await map)(['1', 'x', cell]);
  if (row.status !== 'client') return row.problems.map(({ message }) => message).join(' ');
  const numbers = clientOf(row).phones.map(({ phoneNumber }) => phoneNumber);
  return [...numbers, ...(row.remarks ?? []).map(({ code }) => code)].join(' ');
}

async function mapOf(country: string, options: string) {
  const { map } = await compiled(`client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { id: Id, name: Name }
  phones: [{ column: Phone, type: MOB${options}, transform: [{ phone: { country: ${country} } }] }]
`);
  return map;
}

const SEVERAL = 'more than one phone';
const FORBIDDEN = 'must not be called';
const NONE = 'This is not a phone number';
const ROUNDED = 'rounded';

type Case = readonly [country: string, cell: string, outcome: string];

/** By kind. What stands before a rejection is a part of its message; all else is the whole outcome. */
const KINDS: Readonly<Record<string, readonly Case[]>> = {
  'decimal points and exponents': [
    ['DE', '15123456789.0', '+4915123456789'],
    ['RU', '79161234567.0', '+79161234567'],
    ['US', '2125550123.00', '+12125550123'],
    ['FR', '33142685300,0', '+33142685300'],
    ['GB', '+442079460958.0', '+442079460958'],
    ['DE', '1.5123456789E+10', '+4915123456789'],
    ['RU', '7,9161234567e10', '+79161234567'],
    ['DE', '15123456789.5', ROUNDED],
    ['PL', '512345678.25', ROUNDED],
    ['RU', '7,91612E+10', ROUNDED],
    ['US', '2.12556E+09', ROUNDED],
    ['IT', '06 1234567.8', SEVERAL],
    ['DE', '030.12.34.50', '+4930123450'],
    ['US', '212.555.0123', '+12125550123'],
    ['FR', '01.42.68.53.00', '+33142685300'],
    ['PL', '512.345.678', '+48512345678'],
    ['PE', '912.345.678', '+51912345678'],
    ['TR', '5321234567.0', '+905321234567'],
    ['BR', '5511987654321,0', '+5511987654321'],
    ['IN', '9.19812E+11', ROUNDED],
    ['NL', '31612345678.4', ROUNDED],
  ],
  'alternatives and ranges': [
    ['DE', '030 12345/46', SEVERAL],
    ['DE', '030/123456-10/11', SEVERAL],
    ['DE', '030 123456/-8', SEVERAL],
    ['DE', '030 123456-10-12', SEVERAL],
    ['AT', '01 5123456/57', SEVERAL],
    ['IT', '06 1234567/8', SEVERAL],
    ['IT', '02 1234567-8', SEVERAL],
    ['RU', '8 (495) 123-45-67/68', SEVERAL],
    ['CN', '021-12345678~80', SEVERAL],
    ['DE', '030 123456 bis 59', SEVERAL],
    ['ES', '912 345 678 o 79', SEVERAL],
    ['CH', '044 668 18 00/01', SEVERAL],
    ['SE', '08-123 456 78, 79', SEVERAL],
    ['PL', '22 123 45 67 do 69', SEVERAL],
    ['KR', '02-1234-5678~9', SEVERAL],
    ['BR', '(11) 3123-4567/4568', SEVERAL],
    ['UA', '044 123-45-67(68)', NONE],
    ['HU', '06 1 234 5678-80', NONE],
    ['JP', '03-1234-5678〜80', NONE],
    ['DE', '0 30 / 12 34 56', '+4930123456'],
    ['AT', '0662/881234', '+43662881234'],
    ['DE', '+49/30/123456', '+4930123456'],
    ['DE', '030/123456-78', '+493012345678'],
    ['BE', '02/512.34.56', '+3225123456'],
  ],
  'two numbers': [
    ['DE', '0151 23450001\n030 1230001', SEVERAL],
    ['RU', '8 916 123-45-67; 8 916 123-45-68', SEVERAL],
    ['RU', '(4832) 777124,777129', SEVERAL],
    ['US', '(212) 555-0123 | (212) 555-0124', SEVERAL],
    ['GB', '020 7946 0958 ::: 020 7946 0959', SEVERAL],
    ['DE', '0151 23450001 und 030 1230001', SEVERAL],
    ['RU', '8 916 123-45-67 или 8 916 123-45-68', SEVERAL],
    ['UA', '067 123 45 67 або 050 123 45 67', SEVERAL],
    ['FR', '01 42 68 53 00 ou 01 42 68 53 01', SEVERAL],
    ['PT', '912 345 678 e 912 345 679', SEVERAL],
    ['PL', '512 345 678 lub 512 345 679', SEVERAL],
    ['TR', '0532 123 45 67 veya 0532 123 45 68', SEVERAL],
    ['CN', '13800138000或13800138001', SEVERAL],
    ['JP', '090-1234-5678または03-1234-5678', SEVERAL],
    ['SA', '050 123 4567 أو 050 123 4568', SEVERAL],
    ['VN', '091 234 56 78 hoặc 091 234 56 79', SEVERAL],
    ['IN', '98123 45678 या 98123 45679', SEVERAL],
    ['DE', '+49 30 123456+49 30 123457', SEVERAL],
    ['ES', '612 345 678 / 912 345 678', SEVERAL],
    ['DE', '0151 23450001<br>030 1230001', SEVERAL],
    ['SE', '070-123 45 67 eller 08-123 456 78', SEVERAL],
    ['GR', '694 123 4567 ή 21 0123 4567', SEVERAL],
    ['HU', '06 30 123 4567 vagy 06 1 234 5678', SEVERAL],
    ['IR', '0912 345 6789 یا 021 1234 5678', SEVERAL],
    ['TH', '081 234 5678 หรือ 02 123 4567', SEVERAL],
    ['KR', '010-1234-5678 또는 02-123-4567', SEVERAL],
    ['GE', '555 12 34 56 ან 032 212 34 56', SEVERAL],
    ['ID', '0812 3456 7890 atau 021 1234567', SEVERAL],
    ['US', '2125550123 2125550124', NONE],
    ['IN', '9812345678 9812345679', NONE],
    ['DE', '0151 23450001 · 030 1230001', NONE],
    ['DE', '1) 0151 23450001 2) 030 1230001', NONE],
    ['CN', '13800138000、13800138001', SEVERAL],
  ],
  'letters and words': [
    ['DE', '0151-2345678O', NONE],
    ['DE', '030 66778 O', NONE],
    ['RU', '8 9l6 123-45-67', NONE],
    ['US', '1-800-FLOWERS', NONE],
    ['GB', '020 7946 O958', 'This is'],
    ['DE', '0151 23450002 (Frau Zett)', '+4915123450002 phone_words'],
    ['RU', '8 916 123-45-67 спросить Анну', '+79161234567 phone_words'],
    ['US', '(212) 555-0123 after 5 pm', '+12125550123 phone_words'],
    ['FR', 'Mme Durand 01 42 68 53 00', '+33142685300 phone_words'],
    ['DE', '<a href="tel:+4915123450001">0151 23450001</a>', '+4915123450001'],
    ['DE', '<a href="tel:1">0151 23450001</a> <a>030 1230001</a>', NONE],
    ['DE', 'Mobil: 0151 23450001', '+4915123450001'],
    ['RU', 'тел. 8 495 123-45-67', '+74951234567'],
    ['DE', '030 123456 (privat)', '+4930123456'],
    ['CN', '手机：13800138000', '+8613800138000'],
    ['DE', 'Tel.-Nr. 030 123457', '+4930123457'],
    ['JP', '090-1234-5678 (夜)', '+819012345678 phone_words'],
    ['KR', '010-1234-5678 김철수', '+821012345678 phone_words'],
    ['TH', '081 234 5678 คุณสมชาย', '+66812345678 phone_words'],
    ['US', '212 555 0123 non-stop service', '+12125550123 phone_words'],
    ['DE', 'ok +49 30 123456', '+4930123456 phone_words'],
    ['DE', 'JA 030 123456', '+4930123456 phone_words'],
    ['RU', 'да +7 916 123-45-67', '+79161234567 phone_words'],
    ['DE', 'No. 030 123456 (mobile)', '+4930123456'],
    ['GB', 'Nr 020 7946 0958 work', '+442079460958'],
    ['DE', 'No. 30123456', NONE],
    ['DE', 'No. 30123456 Berlin', NONE],
    ['US', '212-555-O123', SEVERAL],
    ['FR', 'O6 12 34 56 78', NONE],
    ['RU', '8 916 123 45 6З', NONE],
  ],
  'words that forbid the call': [
    ['US', '(212) 555-0123 do not call', FORBIDDEN],
    ['US', "don't call: 212 555 0123", FORBIDDEN],
    ['DE', '030 123456 kein Anruf', FORBIDDEN],
    ['RU', '8 916 123-45-67 умерла', FORBIDDEN],
    ['RU', '8 916 123-45-67 Умеренков', '+79161234567 phone_words'],
    ['RU', '8 916 123-45-67 Померанцева', '+79161234567 phone_words'],
    ['GB', '0121 234 5678 no. 4 Ringwood', '+441212345678 phone_words'],
    ['GB', '0121 234 5678 Ms Robinson', '+441212345678 phone_words'],
    ['ES', '912 345 678 fallecida', FORBIDDEN],
    ['ES', '912 345 678 Sra. Bajardi', '+34912345678 phone_words'],
    ['LV', '+371 67 123 456 nezvanīt', FORBIDDEN],
    ['DE', '0151 23450002 bitte nicht mehr anrufen!', FORBIDDEN],
    ['RU', '8 916 123-45-67 не звонить', FORBIDDEN],
    ['UA', '067 123 45 67 не дзвонити', FORBIDDEN],
    ['KZ', '8 701 123 45 67 қоңырау шалмаңыз', FORBIDDEN],
    ['FR', '01 42 68 53 00 ne pas appeler', FORBIDDEN],
    ['ES', '912 345 678 (no llamar)', FORBIDDEN],
    ['PT', '912 345 678 não ligar', FORBIDDEN],
    ['IT', '06 1234567 non chiamare', FORBIDDEN],
    ['PL', '512 345 678 nie dzwonić', FORBIDDEN],
    ['TR', '0532 123 45 67 aramayın', FORBIDDEN],
    ['SA', '050 123 4567 لا تتصل', FORBIDDEN],
    ['IL', '050-123-4567 לא להתקשר', FORBIDDEN],
    ['CN', '13800138000 请勿致电', FORBIDDEN],
    ['JP', '090-1234-5678 電話しないでください', FORBIDDEN],
    ['VN', '091 234 56 78 không gọi', FORBIDDEN],
    ['IN', '98123 45678 कॉल न करें', FORBIDDEN],
    ['US', '212 555 0123 wrong number', FORBIDDEN],
    ['FI', '040 123 4567 älä soita', FORBIDDEN],
    ['CZ', '602 123 456 nevolat', FORBIDDEN],
    ['BG', '088 812 3456 не се обаждайте', FORBIDDEN],
    ['GR', '694 123 4567 μην καλείτε', FORBIDDEN],
    ['RS', '064 1234567 не зови', FORBIDDEN],
    ['LT', '612 34567 neskambinti', FORBIDDEN],
    ['EE', '5123 4567 mitte helistada', FORBIDDEN],
    ['IR', '0912 345 6789 تماس نگیرید', FORBIDDEN],
    ['KR', '010-1234-5678 전화하지 마세요', FORBIDDEN],
    ['TH', '081 234 5678 ห้ามโทร', FORBIDDEN],
    ['ID', '0812 3456 7890 jangan hubungi', FORBIDDEN],
    ['UZ', "90 123 45 67 qo'ng'iroq qilmang", FORBIDDEN],
    ['GE', '555 12 34 56 არ დარეკოთ', FORBIDDEN],
    ['SE', '070-123 45 67 ring inte', FORBIDDEN],
    ['GB', '020 7946 0958 TPS', FORBIDDEN],
    ['DE', '030 123456 nur SMS', FORBIDDEN],
    ['FR', '01 42 68 53 00 décédé', FORBIDDEN],
    ['RU', '8 916 123-45-67 не тот номер', FORBIDDEN],
  ],
  'other things': [
    ['DE', '01.02.1985', NONE],
    ['US', '12/11/2024', NONE],
    ['DE', '2024-11-12 00:00:00', NONE],
    ['DE', '1985-02-01', NONE],
    ['AT', '3-4-1977', NONE],
    ['DE', '1.2.85', NONE],
    ['DE', '1985', NONE],
    ['DE', '10115 Berlin', NONE],
    ['BR', '01310-100 São Paulo', NONE],
    ['RU', '101000 Москва', NONE],
    ['DE', 'K-123456', NONE],
    ['DE', 'https://example.com/030123456', NONE],
    ['DE', 'info@030123456.de', NONE],
    ['DE', '030 123456 (2019)', NONE],
    ['DE', '+49 30 123456 3. Stock', NONE],
    ['DE', '030 12 34 56. Frau Zett', '+4930123456 phone_words'],
    ['DE', 'DE812345678', NONE],
    ['DE', 'Kd-Nr. 30123456', NONE],
    ['DE', '192.168.100.10', NONE],
    ['AT', '10.0.0.15', NONE],
    ['DE', '-3012345678', NONE],
    ['DE', '1.234.567,89 €', NONE],
    ['DE', '30.123.456', NONE],
    ['RU', '9161234567 руб', NONE],
    ['DE', '4366412345002', 'or one of another country'],
    ['DE', '030 1985', '+49301985'],
    ['DE', '030-12-11-20', '+4930121120'],
    ['DK', '33.12.34.56', '+4533123456'],
    ['HU', '1985.06.14.', NONE],
    ['HU', '1985. 06. 14.', NONE],
    ['KR', '1985. 6. 14.', NONE],
    ['HR', '14. 06. 1985.', NONE],
    ['NO', '14.06.85', NONE],
    ['BR', '123.456.789-09', NONE],
    ['CL', '12.345.678-5', NONE],
    ['US', '123-45-6789', NONE],
    ['GB', 'SW1A 1AA', NONE],
    ['FR', 'FR76 3000 6000 0112 3456 7890 189', NONE],
    ['US', '40.7128,-74.0060', SEVERAL],
    ['CH', "CHF 1'234.50", NONE],
    ['ES', '91.234.56.78', '+34912345678'],
  ],
  'country codes and zeros': [
    ['DE', '49(0)30 123456', '+4930123456'],
    ['GB', '44 (0)20 7946 0958', '+442079460958'],
    ['CH', '+41 (0)44 668 18 00', '+41446681800'],
    ['IT', '+39 (0)6 1234567', '+39061234567'],
    ['DE', '+49 030 123456', '+4930123456'],
    ['DE', '++49 30 123456', '+4930123456'],
    ['DE', '+4949151 23456789', '+4915123456789 phone_rewritten'],
    ['FR', '+33 33 1 42 68 53 00', '+33142685300 phone_rewritten'],
    ['DE', '+0049 30 123456', '+4930123456 phone_rewritten'],
    ['RU', '+7 +7 916 123-45-67', '+79161234567 phone_rewritten'],
    ['DE', '49030123456', '+4930123456 phone_rewritten'],
    ['CO', '0057 300 1234567', '+573001234567 phone_rewritten'],
    ['TH', '0066 81 234 5678', '+66812345678 phone_rewritten'],
    ['JP', '0081 90 1234 5678', '+819012345678 phone_rewritten'],
    ['ID', '0062 812 3456 7890', '+6281234567890 phone_rewritten'],
    ['RU', '7 495 123 45 6', NONE],
    ['RU', '8 926 85 1821', NONE],
    ['RU', '8 495 123 45 678', NONE],
    ['UA', '067 123 45 678', NONE],
    ['JP', '03-1234-56789', NONE],
    ['BR', '3123-4567', NONE],
    ['CN', '8765 4321', NONE],
    ['PL', '123 45 67', NONE],
    ['FR', '0262 12 34 56', NONE],
    ['FR', '0692 12 34 56', NONE],
    ['US', '416 555 0123', '+14165550123 phone_elsewhere'],
    ['AT', '43(0)664 1234567', '+436641234567'],
    ['NL', '+31 (0)6 12345678', '+31612345678'],
    ['GB', '+44 44 7911 123456', '+447911123456 phone_rewritten'],
    ['US', '212 555 012', NONE],
    ['IN', '98123 456789', NONE],
    ['AU', '0412 345 67', NONE],
    ['AR', '4321-1234', NONE],
    ['VN', '3825 1234', NONE],
  ],
  'older and local forms': [
    ['MX', '044 55 1234 5678', '+525512345678 phone_rewritten'],
    ['MX', '045 55 1234 5678', '+525512345678 phone_rewritten'],
    ['MX', '01 55 1234 5678', '+525512345678 phone_rewritten'],
    ['MX', '+52 1 55 1234 5678', '+525512345678 phone_rewritten'],
    ['PL', '022 123 45 67', '+48221234567 phone_rewritten'],
    ['CZ', '0224 123 456', '+420224123456 phone_rewritten'],
    ['UA', '80 67 123 45 67', '+380671234567 phone_rewritten'],
    ['BR', '0xx11 3123-4567', '+551131234567'],
    ['BR', '(0XX11) 3123-4567', '+551131234567'],
    ['BR', '0 15 11 3123-4567', '+551131234567'],
  ],
  'prefixes and signs that are out of place': [
    ['FR', '06/12/34/56/78', '+33612345678'],
    ['FR', '0612345678/79', SEVERAL],
    ['UA', '8 067 123 45 67', '+380671234567 phone_rewritten'],
    ['UA', '8-067-123-45-67', '+380671234567 phone_rewritten'],
    ['RU', '+8 916 123-45-67', '+79161234567 phone_rewritten'],
    ['RU', '+8 (495) 123-45-67', '+74951234567 phone_rewritten'],
    ['RU', '+8 800 555-35-35', '+78005553535 phone_rewritten'],
    ['RU', '+84951234567', '+84951234567'],
  ],
  'signs of other scripts': [
    ['JP', '＋８１ ９０ １２３４ ５６７８', '+819012345678'],
    ['IR', '۰۹۱۲ ۳۴۵ ۶۷۸۹', '+989123456789'],
    ['SA', '٠٥٠ ١٢٣ ٤٥٦٧', '+966501234567'],
    ['DE', '\u202a+49 30 123456\u202c', '+4930123456'],
    ['DE', '030\u2013123456', '+4930123456'],
    ['DE', '030\u200b123456', '+4930123456'],
  ],
  'hours right behind the digits': [
    ['DE', '030 123456 (7 Uhr)', '+4930123456 phone_words'],
    ['DE', '030 123456 - 17 Uhr', '+4930123456 phone_words'],
    ['DE', '030 123456 18 Uhr bitte', '+4930123456 phone_words'],
    ['DE', '030 123456 7-8 Uhr', '+4930123456 phone_words'],
    ['DE', '030 123456 12.30 Uhr', '+4930123456 phone_words'],
    ['DE', '030 123456 (24 Stunden)', '+4930123456 phone_words'],
    ['DE', '030 123456 9-12 und 14-18 Uhr', '+4930123456 phone_words'],
    ['DE', 'bis 20 Uhr: 030 123456', '+4930123456 phone_words'],
    ['DE', '030 12 34 56 18 Uhr', '+4930123456 phone_words'],
    ['DE', '030 123456 8:00-17:00', '+4930123456 phone_words'],
    ['DE', '030 123456-12 ab 9 Uhr', '+493012345612 phone_words'],
    ['DE', '030 123456 24/7', '+4930123456 phone_words'],
    ['US', '212-555-0123 (24/7)', '+12125550123 phone_words'],
    ['US', '(212) 555-0123 9-5 pm', '+12125550123 phone_words'],
    ['FR', '01 42 68 53 00 18h', '+33142685300 phone_words'],
    ['FR', '01 42 68 53 12 h', '+33142685312'],
    ['ES', '912 345 678 (9 a 14 horas)', '+34912345678 phone_words'],
    ['RU', '8 916 123-45-67 с 9 до 18 ч', '+79161234567 phone_words'],
    ['NL', '020 123 4567 18 uur', '+31201234567 phone_words'],
    ['CN', '13800138000 18点后', '+8613800138000 phone_words'],
    ['KR', '010-1234-5678 18시 이후', '+821012345678 phone_words'],
    ['DE', 'ab 18 Uhr 030 123456', '+4930123456 phone_words'],
    ['US', 'call after 5pm: (212) 555-0123', '+12125550123 phone_words'],
    ['ES', 'a partir de las 18h 912 345 678', '+34912345678 phone_words'],
    ['PT', 'após 18h 912345678', '+351912345678 phone_words'],
    ['IT', 'dopo le 18:00 338 1234567', '+393381234567 phone_words'],
    ['PL', 'po godz. 18:00: 512 345 678', '+48512345678 phone_words'],
    ['CZ', 'po 18 h 601234567', '+420601234567 phone_words'],
    ['RU', 'после 18:00 8 916 123-45-67', '+79161234567 phone_words'],
    ['SE', 'efter kl 18:00 070-1234567', '+46701234567 phone_words'],
    ['JP', '18時以降 03-1234-5678', '+81312345678 phone_words'],
    ['US', 'do not call after 5pm: (212) 555-0123', FORBIDDEN],
    ['PL', 'po 18 512345678', NONE],
    // The hours or the digits before them may be those of the number.
    ['DE', '030 12 34 12 - 18 Uhr', NONE],
    ['DE', '030 12 34 12 h', NONE],
  ],
  'somebody before the prefix of calls within the country': [
    ['RU', 'вечером 89161234567', '+79161234567 phone_words'],
    ['RU', 'Мария: 8 916 123 45 67', '+79161234567 phone_words'],
    ['HU', 'este 06 30 123 4567', '+36301234567 phone_words'],
    ['IN', '(O) 022-23456789', '+912223456789 phone_words'],
    ['IN', '022-23456789(R)', '+912223456789 phone_words'],
    ['DE', '030 123456 (g)', '+4930123456 phone_words'],
    ['JP', '自宅03-1234-5678', '+81312345678'],
    ['RU', 'р.т. 8 495 123 45 67', '+74951234567'],
    ['PT', 'Telm: 912345678', '+351912345678'],
    ['HU', '06301234567 mell. 12', '+36301234567 phone_extension'],
    ['DE', '030 123456 (x)', NONE],
    ['IN', '022-23456789 R', NONE],
    ['US', 'order 12125550123', NONE],
  ],
  'digits that may be those of words': [
    ['DE', '030 123456 (2 Personen)', '+4930123456 phone_words'],
    ['RU', '8 916 123-45-67 (2 человека)', '+79161234567 phone_words'],
    ['GB', '020 7946 0958 (4 kids)', '+442079460958 phone_words'],
    ['DE', '030 123456 2 Personen', NONE],
    ['DE', '030 123456 - 2 Personen', NONE],
    ['DE', '030 12 34 56 3 Kinder', NONE],
    ['IT', '06 123456 2 persone', NONE],
    ['SE', '08-123456 3 barn', NONE],
    ['HR', '01 234567 3 kat', NONE],
    ['DE', '030 123456 10115 Berlin', NONE],
    ['AT', '0662 881234 5020 Salzburg', NONE],
    ['FI', '09 123456 00100 Helsinki', NONE],
    ['DE', '030 123456 12 Frau Zett', NONE],
    ['DE', '030 1234567 [12]', NONE],
    ['DE', '030 1234567 {12}', NONE],
    ['DE', '030 12 34 56 (12)', NONE],
    ['ID', '021 123456 {22}', NONE],
    ['IN', '98765 43210 office', '+919876543210'],
    ['IN', '98765 43210 Anna', '+919876543210 phone_words'],
    ['DE', '030 12 34 56 78 Frau Zett', '+493012345678 phone_words'],
    ['DE', '030 / 123456 - 78 Frau Zett', '+493012345678 phone_words'],
    ['ID', '0812 3456 7890 Anna', '+6281234567890 phone_words'],
  ],
  'numbers of a list': [
    ['DE', '2) 030 123456', '+4930123456 phone_words'],
    ['DE', '1. 0151 23450001', '+4915123450001 phone_words'],
    ['DE', '1: 0151 23450001', '+4915123450001 phone_words'],
    ['DE', '[1] 0151 23450001', '+4915123450001 phone_words'],
    ['DE', '12) +49 30 123456', '+4930123456 phone_words'],
    ['FR', '2) 06 12 34 56 78', '+33612345678 phone_words'],
    ['ES', '2) 912 345 678', '+34912345678 phone_words'],
    ['US', '1) (212) 555-0123', '+12125550123 phone_words'],
    ['RU', '1) 8 916 123-45-67', '+79161234567 phone_words'],
    ['DE', '2 030 123456', NONE],
    ['DE', 'Tel. 2) 030 123456', NONE],
    ['DE', '2) 30 123456', NONE],
    ['NL', '2 020 123 4567', NONE],
    ['BR', '11) 3123-4567', NONE],
    ['DE', '1. 06. 1985', NONE],
    ['CZ', '14. 06. 1985', NONE],
    ['AU', '02) 9123 4567', '+61291234567'],
    ['RU', '(8) (301) 145-87-99', '+73011458799'],
    ['PL', '(12) 311 86 80 44', NONE],
    ['DE', '(49) 030 123456', '+4930123456 phone_rewritten'],
  ],
  'signs of a list': [
    ['DE', '• 030 123456', '+4930123456 phone_words'],
    ['DE', 'a) 030 123456', '+4930123456 phone_words'],
    ['DE', 'B. 0151 23450001', '+4915123450001 phone_words'],
    ['DE', '- 030 123456', '+4930123456 phone_words'],
    ['DE', '* 030 123456', '+4930123456 phone_words'],
    ['DE', '① 030 123456', '+4930123456 phone_words'],
    ['FR', '1/ 06 12 34 56 78', '+33612345678 phone_words'],
    ['FR', '- +33 6 12 34 56 78', '+33612345678 phone_words'],
    ['ES', '1.- 912 345 678', '+34912345678 phone_words'],
    ['ES', 'a) 912 345 678', '+34912345678 phone_words'],
    ['IT', '• 338 1234567', '+393381234567 phone_words'],
    ['RU', 'а) 89161234567', '+79161234567 phone_words'],
    ['RU', '— 8 (916) 123-45-67', '+79161234567 phone_words'],
    ['GR', 'α) 6912345678', '+306912345678 phone_words'],
    ['JP', '①03-1234-5678', '+81312345678 phone_words'],
    ['JP', '・03-1234-5678', '+81312345678 phone_words'],
    ['DE', '• 030 123456\n• 0151 23450001', SEVERAL],
    ['DE', '• 030 123456 nicht anrufen', FORBIDDEN],
    ['DE', '-030 123456', NONE],
    ['ES', '- 912345678', NONE],
    ['RU', '-89161234567', NONE],
    ['DE', '• 10115 Berlin', NONE],
    ['DE', 'a) 123456', NONE],
  ],
  'words for a number before it': [
    ['DE', 'No. 030 123456', '+4930123456'],
    ['DE', 'Nr. 030 123456', '+4930123456'],
    ['FR', 'N° 01 42 68 53 00', '+33142685300'],
    ['ES', 'Nº 912 345 678', '+34912345678'],
    ['US', 'No. (212) 555-0123', '+12125550123'],
    ['IN', 'No. +91 98765 43210', '+919876543210'],
    ['US', 'No. 2125550123', NONE],
    ['DE', 'No 030 123456', NONE],
  ],
  'links to a chat': [
    ['DE', 'https://wa.me/4915123450001', '+4915123450001'],
    ['BR', 'wa.me/5511987654321?text=Oi', '+5511987654321'],
    ['RU', 'WhatsApp: https://api.whatsapp.com/send?phone=79161234567&text=Hi', '+79161234567'],
    ['DE', '0151 23450001 (https://wa.me/4915123450001)', '+4915123450001'],
    ['DE', '030 123456 https://wa.me/4915123450001', SEVERAL],
    ['DE', 'https://wa.me/12', NONE],
  ],
  'the same number twice': [
    ['DE', '030 123456; 030 123456', '+4930123456'],
    ['DE', '030 123456\n+49 30 123456', '+4930123456'],
    ['DE', '+49 30 123456 (030 123456)', '+4930123456'],
    ['DE', 'Tel: 030 123456, Mobil: 030/123456', '+4930123456'],
    ['US', '(212) 555-0123 or 212.555.0123', '+12125550123'],
    ['FR', '01 42 68 53 00 / +33 1 42 68 53 00', '+33142685300'],
    ['IN', '98765 43210 / 9876543210', '+919876543210'],
    ['JP', '090-1234-5678、09012345678', '+819012345678'],
    ['DE', '030 123456; 030 123457', SEVERAL],
    ['DE', '030 123456; 030 123456 nicht anrufen', FORBIDDEN],
    ['US', '212-555-0123; 212-555-0124; 212-555-0123', SEVERAL],
  ],
  extensions: [
    ['DE', '030 123456 DW 12', '+4930123456 phone_extension'],
    ['DE', '030 123456 App. 12', '+4930123456 phone_extension'],
    ['DE', '030 123456, Apparat 12', '+4930123456 phone_extension'],
    ['DE', '030 123456 nicht vor 9 Uhr', '+4930123456 phone_words'],
    ['DE', '030 123456 Durchwahl: -0', '+4930123456 phone_extension'],
    ['DE', '030 123456-0', '+49301234560'],
    ['US', '(212) 555-0123 ext. 12', '+12125550123 phone_extension'],
    ['US', '212-555-0123x12', '+12125550123 phone_extension'],
    ['US', '212-555-0123 #12', '+12125550123 phone_extension'],
    ['US', '212-555-0123,,12', '+12125550123 phone_extension'],
    ['RU', '8 495 123-45-67 доб. 12', '+74951234567 phone_extension'],
    ['RU', '8 495 123-45-67 (вн. 12)', '+74951234567 phone_extension'],
    ['BR', '(11) 3123-4567 ramal 12', '+551131234567 phone_extension'],
    ['PL', '22 123 45 67 wew. 12', '+48221234567 phone_extension'],
    ['FR', '01 42 68 53 00 poste 12', '+33142685300 phone_extension'],
    ['CN', '010 6123 4567 转 12', '+861061234567 phone_extension'],
  ],
};

describe.each(Object.entries(KINDS))('%s', (_kind, cases) => {
  test.each(cases)('%s: %j', async (country, cell, outcome) => {
    const found = await outcomeOf(country, cell);
    if (/^\+/.test(outcome)) expect(found).toBe(outcome);
    else expect(found).toContain(outcome);
  });
});

test.each([
  ['DE', ';', '0151 23450001; 030 1230001', '+4915123450001 +49301230001'],
  ['DE', 'und', '0151 23450001 und 030 1230001', '+4915123450001 +49301230001'],
  ['RU', ',', '8 916 123-45-67, 8 916 123-45-68', '+79161234567 +79161234568'],
  ['US', '|', '(212) 555-0123|(212) 555-0124', '+12125550123 +12125550124'],
])('%s: with split: %j, %j are two phones', async (country, split, cell, outcome) => {
  expect(await outcomeOf(country, cell, `, split: '${split}'`)).toBe(outcome);
});

describe('a ban beside several numbers', () => {
  const [ONE, OTHER] = ['0151 23450001', '030 1230001'];
  const firstOf = (cell: string, part = 1): Promise<string> =>
    outcomeOf('DE', cell, `, split: ';', part: ${part}`);

  test.each([
    `${ONE}; do not call`,
    `${ONE}; ${OTHER}; do not call`,
    `do not call: ${ONE}; ${OTHER}`,
    `${ONE}; nicht anrufen; ${OTHER}`,
    `${ONE} (do not call); ${OTHER}`,
    `${ONE}; ${OTHER}; email only`,
    `${ONE}; no sms, no calls`,
    `${ONE}; widerrufen`,
    `${ONE} (nein); ${OTHER}`,
  ])('stands for the first: %s', async (cell) => {
    expect(await firstOf(cell)).toContain('must not be called');
  });

  test.each([
    `${ONE}; ${OTHER}`,
    `${ONE}; ${OTHER} (do not call)`,
    `${ONE}; ${OTHER} do not call`,
    `${ONE}; do not call ${OTHER}`,
    `${ONE}; no sms, only calls`,
    `Tel. ${ONE}; Frau Zett`,
    `${ONE}; DNC: no`,
  ])('stands for another, or for none: %s', async (cell) => {
    expect(await firstOf(cell)).toContain('+4915123450001');
  });

  test('stands for the second where it is before it or alone', async () => {
    expect(await firstOf(`do not call; ${ONE}; ${OTHER}`, 2)).toContain('must not be called');
    expect(await firstOf(`${ONE}; do not call ${OTHER}`, 2)).toContain('must not be called');
  });

  test.each(['{ replace: { pattern: "[^0-9]" } }', 'digits'])('stays behind %s', async (left) => {
    const { map } = await compiled(`client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { id: Id, name: Name }
  phones: [{ column: Phone, type: MOB, transform: [${left}] }]
`);
    expect(JSON.stringify(map(['1', 'x', '015123450001 do not call']))).toContain(
      'must not be called',
    );
    expect(JSON.stringify(map(['1', 'x', '015123450001 mobile']))).not.toContain('must not');
  });
});

test.each([
  '0151 23450001\n030 1230001',
  '0151 23450001 und 030 1230001',
  '8 916 123-45-67; 8 916 123-45-68',
  '(212) 555-0123 ::: (212) 555-0124',
])('two phones in a cell that nothing reads are not sent as one: %j', async (cell) => {
  const { map } = await compiled(`client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { id: Id, name: Name }
  phones: [{ column: Phone, type: MOB }]
`);
  expect(map(['1', 'x', cell])).toMatchObject({
    status: 'rejected',
    problems: [{ column: 'Phone' }],
  });
});
