// Writes the leads anew, and mistakes.csv: `node samples/generate.mjs`. The same seed gives the same files, byte by byte.
// Everybody in them is made up: phone numbers are of the block 7 999 000, mail goes to example domains.
import { writeFileSync } from 'node:fs';
import { TextDecoder } from 'node:util';
import ExcelJS from 'exceljs';
import JSZip from 'jszip';

const SEED = 20261120;
const WRITTEN = new Date('2026-11-20T09:00:00Z');
const at = (name) => new URL(name, import.meta.url);

// --- chance -----------------------------------------------------------------------------------------------------

/** The generator mulberry32. */
function chance(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const random = chance(SEED);
const whole = (from, to) => from + Math.floor(random() * (to - from + 1));
const one = (list) => list[whole(0, list.length - 1)];
const often = (share) => random() < share;

function shuffled(list) {
  const left = [...list];
  return list.map(() => left.splice(whole(0, left.length - 1), 1)[0]);
}

function uuid() {
  const hex = Array.from({ length: 32 }, () => whole(0, 15).toString(16));
  hex[12] = '4';
  hex[16] = (8 + whole(0, 3)).toString(16);
  return [8, 12, 16, 20, 32]
    .map((end, index) => hex.slice([0, 8, 12, 16, 20][index], end).join(''))
    .join('-');
}

// --- people -----------------------------------------------------------------------------------------------------

const FIRST = [
  ...['Анна', 'Борис', 'Вера', 'Глеб', 'Дарья', 'Егор', 'Жанна', 'Захар', 'Ирина', 'Кирилл'],
  ...['Лариса', 'Максим', 'Нина', 'Олег', 'Полина', 'Руслан', 'Софья', 'Тимур', 'Ульяна', 'Фёдор'],
  ...['Alice', 'Ben', 'Chloé', 'Daniel', 'Elif', 'François', 'Grace', 'Hugo', 'Inès', 'Jürgen'],
];
const LAST = [
  ...['Бережко', 'Вьюгин-Лес', 'Громыхало', 'Дубок', 'Ёлкин', 'Журавль', 'Зимородко', 'Ивушко'],
  ...['Калинко', 'Ландыш', 'Мостовенко', 'Незабудко', 'Облачко', 'Пирожок', 'Ручейко', 'Синичко'],
  ...['Applewood', 'Brookfield', "O'Larkspur", 'Dewdrop', 'Evergreen', 'Fernhill', 'Müllerin'],
];
const CITIES = ['Москва', 'Казань', 'Екатеринбург', 'Новосибирск', 'Самара', 'Калининград'];
const STREETS = ['Вымышленная', 'Сказочная', 'Садовая-Дальняя', 'Example', 'Nowhere'];
const SITES = ['shop.example.com', 'auto.example.org', 'flats.example.net'];
const ZONES = ['', '', '', 'Europe/Samara', 'Asia/Yekaterinburg', 'Asia/Novosibirsk'];
const NOTES = [
  ...['', '', '', '', 'call after 18:00', 'перезвонить утром', 'asked for "the big one", twice'],
  ...['просил скидку; думает', 'first line\nsecond line', '=SUM(A1:A9)', '- wants e-mail only'],
];

let nextPhone = 79990001000;
/** A number that nobody has had in these samples before, as digits with the country code. */
const newPhone = () => String(nextPhone++);

function writtenPhone(digits) {
  const [code, block, pair, last] = [1, 4, 7, 9].map((from, i) =>
    digits.slice(from, [4, 7, 9, 11][i]),
  );
  return one([
    `+${digits}`,
    digits,
    `8${digits.slice(1)}`,
    `+7 ${code} ${block}-${pair}-${last}`,
    `8 (${code}) ${block}-${pair}-${last}`,
    digits.slice(1),
  ]);
}

function person() {
  return { first: one(FIRST), last: one(LAST), phone: newPhone(), city: one(CITIES) };
}

const mail = () =>
  `lead${whole(10000, 99999)}@${one(['example.com', 'example.org', 'example.net'])}`;
const address = (city) => `${city}, ул. ${one(STREETS)}, ${whole(1, 120)}`;
const two = (value) => String(value).padStart(2, '0');
const isoDay = () => `2026-${two(whole(8, 10))}-${two(whole(1, 28))}`;
const russianDay = (iso) => iso.split('-').reverse().join('.');

// --- files ------------------------------------------------------------------------------------------------------

const needsQuotes = (text, delimiter) => /["\r\n]/.test(text) || text.includes(delimiter);
const field = (delimiter) => (cell) => {
  const text = String(cell ?? '');
  return needsQuotes(text, delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
};
const csv = (rows, delimiter, end) =>
  rows.map((row) => row.map(field(delimiter)).join(delimiter) + end).join('');

/** The bytes of windows-1251: the reverse of how a decoder reads each of the 256. */
function windows1251(text) {
  const bytes = new Map();
  const decoder = new TextDecoder('windows-1251');
  for (let byte = 0; byte < 256; byte += 1) bytes.set(decoder.decode(Uint8Array.of(byte)), byte);
  return Uint8Array.from(text, (character) => {
    const byte = bytes.get(character);
    if (byte === undefined) throw new Error(`windows-1251 has no ${character}`);
    return byte;
  });
}

// --- leads.csv: 1,240 leads, with every way in which a row can end ----------------------------------------------

function lead(offerId) {
  const { first, last, phone, city } = person();
  const registered = isoDay();
  return {
    'Lead UUID': uuid(),
    'Offer ID': offerId,
    Site: one(['', 'https://', 'https://www.']) + one(SITES) + (often(0.2) ? '/landing' : ''),
    'First name': first,
    'Last name': often(0.1) ? ` ${last} ` : last,
    Mobile: writtenPhone(phone),
    'Other phones': often(0.15) ? [newPhone(), newPhone()].slice(whole(0, 1)).join('; ') : '',
    'E-mail': often(0.8) ? mail() : '',
    Address: often(0.6) ? address(city) : '',
    Segment: one(['cold', 'Cold', 'warm', 'WARM ', 'hot', '']),
    Tier: one(['', '', 'Silver', 'Gold']),
    TZ: one(ZONES),
    Status: one(['new', 'new', 'open']),
    Registered: often(0.5) ? registered : russianDay(registered),
    Budget: often(0.7) ? String(whole(5, 900) * 1000) : '',
    Consent: one(['yes', 'no', 'Yes', 'да', '']),
    Comment: one(NOTES),
  };
}

/** How many leads each fault befalls, and what it does to them. */
const LEAD_FAULTS = [
  [8, (row) => (row.Status = 'closed')],
  [4, (row) => (row.Status = 'do not call')],
  [4, (row) => (row.Mobile = one(['12345', 'нет телефона', '+7 999 000', '8-800']))],
  [2, (row) => (row.Mobile = '')],
  [3, (row) => (row['Offer ID'] = '')],
  [2, (row) => (row['Offer ID'] = 'A-17')],
  [3, (row) => ([row['First name'], row['Last name']] = ['', ' '])],
  [3, (row) => (row.Segment = one(['lukewarm', 'n/a']))],
  [3, (row) => (row.Registered = one(['31.02.2026', 'вчера', '2026-13-01']))],
  [1, (row) => ([row.Mobile, row.Segment, row.Registered] = ['?', '?', '?'])],
];
const BLACKLISTED = ['79990000666', '79990000667', '79990000668', '79990000669'];
const EXISTING = 6;
const SAME_PHONE = 3;
const DUPLICATES = 8;

function leads() {
  const rows = Array.from({ length: 1240 - DUPLICATES }, (_, index) => lead(10001 + index));
  // The first 40 are good, so that whoever looks at the beginning sees what a lead should be.
  const lot = shuffled(rows.slice(40));
  for (const [count, spoil] of LEAD_FAULTS) for (const row of lot.splice(0, count)) spoil(row);
  for (const phone of BLACKLISTED) lot.pop().Mobile = writtenPhone(phone);
  const pairs = lot.splice(0, SAME_PHONE * 2);
  for (let i = 0; i < pairs.length; i += 2) pairs[i].Mobile = pairs[i + 1].Mobile;
  const existing = lot.splice(0, EXISTING);
  for (const row of lot.splice(0, DUPLICATES)) {
    rows.splice(whole(rows.indexOf(row) + 1, rows.length), 0, { ...row, 'Lead UUID': uuid() });
  }
  return { rows, existing };
}

function writeLeads() {
  const { rows, existing } = leads();
  const headers = Object.keys(rows[0]);
  const cells = rows.map((row) => headers.map((header) => row[header]));
  writeFileSync(at('leads.csv'), csv([headers, ...cells], ',', '\n'));
  const clients = existing.map(existingClient);
  writeFileSync(at('existing-clients.json'), `${JSON.stringify({ clients }, null, 2)}\n`);
}

/** A lead whom the contact center knows already: the body of 4.1 that makes it so. */
function existingClient(row) {
  return {
    uuid: uuid(),
    clientRoleId: 1,
    type: 'SIMPLE',
    timeZone: 'Europe/Moscow',
    fields: {
      offerId: row['Offer ID'],
      offerDomain: row.Site.replace(/^https:\/\/(www\.)?/, '').replace(/\/.*/, ''),
      fullName: `${row['First name']} ${row['Last name'].trim()}`,
    },
    phones: [{ phoneNumber: `+${newPhone()}`, type: 'MOB' }],
    addresses: [],
    emails: [],
  };
}

// --- leads-1251.csv: as a Russian Excel saves it ----------------------------------------------------------------

const MONEY = ['1 250,50', '990', '12\u00a0500,00', '75 000,9', ''];

function russianLead(index) {
  const { city, phone } = person();
  const [first, last] = [FIRST[whole(0, 19)], LAST[whole(0, 15)]];
  return [
    `№ ${50001 + index}`,
    one(SITES).toUpperCase(),
    often(0.3) ? `${last}  ${first}`.toUpperCase() : `${last} ${first}`,
    writtenPhone(phone),
    often(0.2) ? `${writtenPhone(newPhone())} / ${writtenPhone(newPhone())}` : '',
    often(0.7) ? mail() : '',
    city,
    address(city).replace(/Example|Nowhere/, 'Тихая'),
    one(['холодный', 'тёплый', 'горячий', 'Горячий']),
    one(MONEY),
    `${two(whole(1, 28))}.${two(whole(1, 12))}.${whole(1955, 2004)}`,
    one(['да', 'нет', 'Да']),
  ];
}

function writeRussianLeads() {
  const headers =
    'Номер предложения;Сайт;ФИО;Телефон;Доп. телефоны;Эл. почта;Город;Адрес;Сегмент;Бюджет;Дата рождения;Согласие';
  const rows = Array.from({ length: 300 }, (_, index) => russianLead(index));
  rows[57][3] = 'звонить в офис';
  rows[111][6] = 'Атлантида';
  rows[140][9] = 'много';
  rows[202][10] = '30.02.1990';
  rows[203][0] = '';
  rows[250] = [...rows[25]];
  const title = ['Выгрузка лидов', 'ноябрь 2026'];
  const text = csv([title, [], headers.split(';'), ...rows], ';', '\r\n');
  writeFileSync(at('leads-1251.csv'), windows1251(text));
}

// --- leads.xlsx: several sheets, a hidden one, numbers for phones, real dates -----------------------------------

const SHEET_COLUMNS = [
  ...['Offer ID', 'Site', 'Client', 'Phone', 'Work phone', 'E-mail', 'Segment', 'VIP'],
  ...['Registered', 'Callback at', 'Budget', 'Branch', 'Notes'],
];

function sheetLead(offerId) {
  const { first, last, phone } = person();
  const registered = new Date(`${isoDay()}T00:00:00Z`);
  const callback = new Date(registered.getTime() + whole(30, 3000) * 60_000);
  return [
    offerId,
    one(SITES),
    `${last}, ${first}`,
    Number(phone),
    often(0.2) ? writtenPhone(newPhone()) : null,
    often(0.7) ? mail() : null,
    one(['cold', 'warm', 'hot']),
    often(0.1),
    registered,
    often(0.4) ? callback : null,
    often(0.6) ? whole(500, 90000) / 4 : null,
    `00${whole(1, 9)}`,
    one([null, null, 'Ёж — 100 %', 'two\nlines', '_x0041_ is not A']),
  ];
}

function addLeads(workbook, name, rows, state) {
  const sheet = workbook.addWorksheet(name, { state, views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.addRow(SHEET_COLUMNS).font = { bold: true };
  sheet.addRows(rows);
  sheet.getColumn(9).numFmt = 'dd.mm.yyyy';
  sheet.getColumn(10).numFmt = 'dd.mm.yyyy hh:mm';
  sheet.getColumn(11).numFmt = '#,##0.00';
}

async function writeWorkbook() {
  const workbook = new ExcelJS.Workbook();
  Object.assign(workbook, { creator: 'cardline', lastModifiedBy: 'cardline' });
  Object.assign(workbook, { created: WRITTEN, modified: WRITTEN });
  const about = workbook.addWorksheet('Read me');
  about.addRows([['Leads of November 2026'], ['Everybody in this workbook is made up.']]);
  const rows = Array.from({ length: 400 }, (_, index) => sheetLead(70001 + index));
  rows[33][3] = 123;
  rows[90][8] = 'soon';
  rows[150][0] = null;
  rows[151][2] = null;
  rows[222] = [...rows[220]];
  rows[300][1] = { richText: [{ text: 'shop.' }, { text: 'example.com', font: { bold: true } }] };
  rows[301][0] = { formula: '70000+302', result: 70302 };
  addLeads(workbook, 'Leads', rows, 'visible');
  const archive = Array.from({ length: 25 }, (_, index) => sheetLead(60001 + index));
  addLeads(workbook, 'Archive', archive, 'hidden');
  // The archive's entries would bear the time of writing; exceljs leaves no other way to set it.
  JSZip.defaults.date = WRITTEN;
  writeFileSync(at('leads.xlsx'), await workbook.xlsx.writeBuffer());
}

// --- mistakes.csv: a line for each thing that goes wrong --------------------------------------------------------

/** Lines as they stand in the file; the last cell says what is wrong. */
const MISTAKES = [
  'Offer ID,Site,Client,Phone,E-mail,Segment,Registered,What is wrong',
  '90001,shop.example.com,Анна Ландыш,+7 999 000-80-01,anna@example.com,warm,2026-10-01,nothing',
  '90002,shop.example.com,"Борис ""Боб"" Дубок",89990008002,bob@example.org,cold,02.10.2026,nothing: quotes',
  '90003,shop.example.com,"Вера',
  'Ивушко",79990008003,vera@example.com,warm,2026-10-03,nothing: a newline in a cell',
  '90004,shop.example.com,Глеб "Гром" Синичко,79990008004,,cold,2026-10-04,nothing: quotes without quoting',
  '90005,shop.example.com,Daniel Dewdrop,79990008005,,hot',
  '90006,shop.example.com,Elif Fernhill,79990008006,,hot,2026-10-06,too many cells,one,two',
  ',shop.example.com,Hugo Evergreen,79990008007,,cold,2026-10-07,no offer id',
  '90008,,Inès Brookfield,79990008008,,cold,2026-10-08,no site',
  '90009,shop.example.com,,79990008009,,cold,2026-10-09,no name',
  '90010,shop.example.com,Полина Журавль,,,cold,2026-10-10,no phone',
  'ninety,shop.example.com,Руслан Ручейко,79990008011,,cold,2026-10-11,offer id is no number',
  '90012,shop.example.com,Софья Облачко,555,,cold,2026-10-12,phone is too short',
  '90013,shop.example.com,Тимур Калинко,+7 999 000-80-13 доб.,,cold,2026-10-13,nothing: words behind the phone',
  '90014,shop.example.com,Ульяна Незабудко,phone,,cold,2026-10-14,phone is no number',
  '90015,shop.example.com,Фёдор Пирожок,79990008015,,cold,31.02.2026,no such day',
  '90016,shop.example.com,Grace Applewood,79990008016,,cold,tomorrow,date is no date',
  '90017,shop.example.com,Jürgen Müllerin,79990008017,,tepid,2026-10-17,segment is unknown',
  'x,,,none,,tepid,never,everything',
  '90001,shop.example.com,Анна Ландыш,+7 999 000-80-01,anna@example.com,warm,2026-10-01,same as the first',
  '90001,SHOP.example.com ,Анна Ландыш,+7 999 000-80-20,,warm,2026-10-01,"same as the first, written otherwise"',
  '',
  '90023,shop.example.com,=HYPERLINK("http://example.com"),79990008023,,cold,2026-10-23,nothing: looks like a formula',
  '90024,shop.example.com,@SUM(A1),+=-@,,cold,2026-10-24,phone that looks like a formula',
  '   ,  ,   ,  ,  ,  ,  ,blank cells',
  '90026,shop.example.com,Егор Мостовенко,79990008026,no-at-sign,cold,2026-10-26,e-mail without an at sign',
  "90027,shop.example.com,  Chloé   O'Larkspur ,79990008027,,  WARM,2026-10-27,nothing: spaces",
  '90028,shop.example.com,Захар Зимородко,79990008028;79990008029,,cold,2026-10-28,two phones in one cell',
];

function writeMistakes() {
  // Mixed line ends are one more mistake.
  const text = MISTAKES.map((line, index) => line + (index % 7 === 5 ? '\r\n' : '\n')).join('');
  writeFileSync(at('mistakes.csv'), text);
}

writeLeads();
writeRussianLeads();
await writeWorkbook();
writeMistakes();
