import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import exceljs from 'exceljs';

/** Generated leads of 14 columns with realistic text, the same for the same seed. */

export const HEADERS = [
  'Offer ID',
  'Offer domain',
  'First name',
  'Last name',
  'Segment',
  'Mobile',
  'Other phones',
  'E-mail',
  'Address',
  'City',
  'TZ',
  'Tier',
  'Signed on',
  'Comment',
];

const FIRST = ['Анна', 'Иван', 'Мария', 'Пётр', 'Ольга', 'Сергей', 'Emma', 'Liam', 'Noah', 'Ava'];
const LAST = ['Иванова', 'Петров', 'Сидорова', 'Кузнецов', 'Смирнова', 'Smith', 'Brown', 'Miller'];
const STREETS = ['ул. Ленина', 'пр. Мира', 'Садовая ул.', 'Baker Street', 'Невский пр.'];
const CITIES = [
  ['Москва', 'Europe/Moscow'],
  ['Самара', 'Europe/Samara'],
  ['Омск', 'Asia/Omsk'],
  ['Екатеринбург', 'Asia/Yekaterinburg'],
];
const COMMENTS = [
  '',
  'перезвонить вечером',
  'asked for a quote, twice',
  'VIP клиент; просил скидку',
  'call after 18:00',
];

/** A small generator of pseudo-random numbers in [0, n). */
export function randomInts(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * n);
  };
}

/** The code of a mobile number; of those that begin with 93 not all are numbers of the plan. */
const mobileCode = (any) => (any >= 20 && any < 30 ? any + 30 : any + 10);

/** Row `number` (from 1) as 14 cells. */
export function leadCells(number, pick) {
  const [city, zone] = CITIES[pick(CITIES.length)];
  return [
    String(number),
    pick(2) ? 'shop.example.com' : 'bank.example.org',
    FIRST[pick(FIRST.length)],
    LAST[pick(LAST.length)],
    pick(2) ? 'Cold' : 'Warm ',
    `+7 9${mobileCode(pick(80))} ${String(pick(1e7)).padStart(7, '0')}`,
    pick(10) ? '' : `8495${String(pick(1e7)).padStart(7, '0')}`,
    `lead${number}@example.com`,
    `${STREETS[pick(STREETS.length)]}, д. ${1 + pick(200)}, кв. ${1 + pick(300)}`,
    city,
    zone,
    pick(20) ? 'Standard' : 'Gold',
    `${String(1 + pick(28)).padStart(2, '0')}.${String(1 + pick(12)).padStart(2, '0')}.20${10 + pick(16)}`,
    COMMENTS[pick(COMMENTS.length)],
  ];
}

/**
 * Every so many rows, a dirty file has an address as in `"Main St" 5`: text after a closing quote, which no exporter
 * should write and many do.
 */
const STRAY_EVERY = 1000;
const ADDRESS = HEADERS.indexOf('Address');

/** @param dirty whether one row in `STRAY_EVERY` has a stray quote */
export async function writeCsv(file, rows, dirty = false) {
  const stream = createWriteStream(file);
  const pick = randomInts(42);
  const quote = (cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  let chunk = `${HEADERS.join(',')}\n`;
  for (let number = 1; number <= rows; number++) {
    const cells = leadCells(number, pick).map(quote);
    if (dirty && number % STRAY_EVERY === 0) cells[ADDRESS] = `"Main St" ${1 + (number % 200)}`;
    chunk += `${cells.join(',')}\n`;
    if (chunk.length > 1 << 20) {
      if (!stream.write(chunk)) await once(stream, 'drain');
      chunk = '';
    }
  }
  stream.end(chunk);
  await finished(stream);
}

export async function writeXlsx(file, rows) {
  const workbook = new exceljs.stream.xlsx.WorkbookWriter({
    filename: file,
    useSharedStrings: true,
  });
  const sheet = workbook.addWorksheet('Leads');
  const pick = randomInts(42);
  sheet.addRow(HEADERS).commit();
  for (let number = 1; number <= rows; number++) {
    const cells = leadCells(number, pick);
    sheet.addRow([number, ...cells.slice(1).map((cell) => cell || null)]).commit();
  }
  await workbook.commit();
}
