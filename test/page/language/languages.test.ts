import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { OUTCOMES } from '../../../src/core/outcome.js';
import { CONCEPTS } from '../../../src/suggest/words.js';
import { catalogueOf, wordsOf } from '../../../src/web/server/language.js';
import { OTHERS } from '../../../src/web/shared/in-browser.js';
import { countingIn, fill, holesOf } from '../../../src/web/shared/template.js';
import { root } from '../../kit/cardline.js';
import { filesIn, sentencesIn, textsIn } from './sentences.js';
import { templatesOfPage } from './templates.js';

/** Rooms whose words reach the page. Of `suggest`, only the reasons of its choices do; the rest is a draft's comments. */
const ROOMS = [
  ...['config', 'installation', 'mapping', 'source', 'files', 'client', 'lists/list-source.ts'],
  ...[
    'prepare',
    'core',
    'lists/seen.ts',
    'lists/later-rows.ts',
    'lists/key-table.ts',
    'delivery',
    'options',
    'run',
    'history',
    'setup',
    'ledger',
    'suggest/assign.ts',
    'suggest/columns.ts',
  ],
  ...['web/server', 'report/text/check-text.ts'],
];

/** What of them the page never shows, and why. */
const NOT_SHOWN: readonly (readonly [file: RegExp, why: string])[] = [
  [
    /^(setup\/(doctor|finding|template|demo|suppress)|run\/(connect|shared|work|submit)|history\/erase|options\/(option|run-options|kept-options))/,
    'commands that the page does not have',
  ],
  [/^files\/place\.ts/, 'places that options of a command line name'],
  [/^run\/trace-run/, 'names of spans'],
  [/^core\/outcome/, 'the page has outcomes in its own table'],
  [/^delivery\/limiter/, 'lines of the log'],
  [/^source\/csv\/encoding\/choose/, 'letters of languages'],
  [
    /^mapping\/(column-uses|transforms\/(phone\/(phone-words|forbidding|number-signs|time-limit)|date\/(date-forms)))/,
    'names',
  ],
  [/^ledger\/copy/, 'the command that copies runs'],
  [/^web\/server\/(language|headers|page-files|opening-file|events)/, 'other languages; headers'],
];

/** Texts with a space that nobody is shown as words. */
const NAMES = new Set([
  ...['same files', 'same content', 'another address', 'same identifiers', 'any phone the same'],
  ...['duplicates are sent', 'symbolic link', 'named pipe', 'contact center', 'e-mail address'],
  ...['SQLite format 3\0', '{}: {}${CC_TOKEN}', 'the mapping', 'value so far', 'call application'],
  ...["number: { decimal: '.', thousands: ',' }", "number: { decimal: ',', thousands: '.' }"],
  ...['libphonenumber-js {} max, 6', 'it is', 'they are', '{} has no column', 'disk is full'],
  ...[
    'auto, utf-8, utf-16le, windows-1252, windows-1251, shift_jis, gb18030, big5, macintosh or ibm866',
  ],
  ...['JSON Lines', 'rejects{}.', 'operator id', 'Another run'],
  ...['inlineStr"><is><t xml:space="preserve">', '<si><t xml:space="preserve">', 'list.json {}'],
  ...['(its copy in the folder for temporary files)', 'WITH held AS MATERIALIZED ('],
  ...["current_setting('synchronous_commit') AS keeps, current_setting('fsync') AS fsync"],
  ...['A table lacks a column that is looked up.', 'missing from run {}', 'same list'],
  ...['here and there', 'handed over', `instr(settings, '"undoes"') > 0`],
  ...[
    'duplicates by phone',
    'duplicates by identifiers',
    'ambiguous time zones',
    'none is',
    'the list {}',
    'the lists {}',
  ],
  ...['Clients have come onto a list of numbers that must not be called.'],
  ...['a string has not been read yet', '--corrections corrections.jsonl'],
  ...["attachment; filename*=UTF-8''{}", 'text/event-stream; charset=utf-8'],
  ...['text/plain; charset=utf-8', 'text/html; charset=utf-8', 'Free some space there, or name'],
]);

/** Names of meanings that are listed in one text. */
const isOfMeanings = (text: string): boolean =>
  text.split(' ').every((name) => CONCEPTS.some((concept) => concept === name));

/** Sentences of files of which others reach the page: of commands that it does not have, of drafts, of headers of HTTP. */
const OF_OTHERS = new Set(
  readFileSync(new URL('not-shown.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n'),
);

/** A part of a sentence stands in the catalogue with or without what is put in at its ends. */
const bare = (text: string): string => text.replaceAll(/^(?:\{\}|[ ,;])+|(?:\{\}|[ .])+$/g, '');
const small = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

const shown = ROOMS.flatMap(filesIn).filter((file) => !NOT_SHOWN.some(([one]) => one.test(file)));

/** Ways to fill a hole that are no words of a language. */
const WAYS = ['say', 'may', 'list', 'or', 'and', 'parts', 'number', 'field', 'percent', 'size'];

it('ends with one stop, also behind what has one of its own', () => {
  const filled = (template: string): string | undefined => fill(template, () => '1 Sek.');
  expect(['It took {1}.', '{1}. Then', '{1}…', '{1}...', '{1}.csv', '{1}, so'].map(filled)).toEqual(
    [...['It took 1 Sek.', '1 Sek. Then', '1 Sek.…', '1 Sek....', '1 Sek..csv', '1 Sek., so']],
  );
});

/** What they put in is for a command line, or a word such as "is" that other languages need not have. */
const MAY_LOSE = new Set([
  'Continue it first ({}), or take back what it did ({}); or begin anew with --again, which sends all rows, also those that it has sent.',
  'Let "{}" bring it there first, or begin anew with --again.',
  'Restore what has changed to continue it; or take back what it did ({}); or begin anew with --again, which sends all rows, also those that it has sent.',
  'Run {} of the same file is not at its end, and {} {} changed since it began.',
  'The row has {} of row {} in run {}, {} on {}, and is not sent again within {} {}.',
  'Waiting up to {} s: the contact center may still be working on {} lost; {} sent again only then. transport.serverDeadlineMs sets this time.',
  '{} has no run {}; "{}" lists what it has.',
  '{}: the list goes on: {} {} with the same columns {} not read.',
  '{}: {} hidden {} {} not read: {}.',
]);

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

describe.each(OTHERS)('the words of engine and server in another language: %s', (language) => {
  const { sentences, words } = wordsOf(language);
  const inWords = Object.values(words).flatMap((of) => Object.entries(of));

  it('are there for every sentence of the sources', () => {
    const known = new Set(
      [...Object.keys(sentences), ...Object.keys(words['condition'] ?? {})].map(bare),
    );
    const missing = shown
      .flatMap(sentencesIn)
      .filter(
        ({ text }) =>
          !NAMES.has(text) &&
          !isOfMeanings(text) &&
          !OF_OTHERS.has(text) &&
          !known.has(bare(text)) &&
          !known.has(small(bare(text))),
      );
    expect(missing.map(({ text, at }) => `${at}  ${text}`)).toEqual([]);
  });

  it('are those of sentences that the sources have', () => {
    // What a command line would do is cut off behind a semicolon.
    const texts = new Set(
      shown
        .flatMap(textsIn)
        .flatMap((text) => [text, text.replace(/;[^;]*$/, '')])
        .map(bare)
        .flatMap((text) => [text, small(text)]),
    );
    expect(Object.keys(sentences).filter((english) => !texts.has(bare(english)))).toEqual([]);
  });

  it('name what a column may mean', () => {
    const written = CONCEPTS.map((concept) =>
      concept.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    );
    expect(Object.keys(words['concept'] ?? {}).sort()).toEqual(written.sort());
  });

  it('take up what the English ones put in, and all of it', () => {
    const lost = [...Object.entries(sentences), ...inWords].filter(([english, text]) => {
      const used = new Set(holesOf(text).map(({ of }) => of));
      const count = english.split('{}').length - 1;
      return !MAY_LOSE.has(english) && [...used].sort().join() !== numbersTo(count).join();
    });
    expect(lost).toEqual([]);
  });
});

describe('the words of the page in other languages', () => {
  let templates: Map<string, string>;
  beforeAll(() => {
    templates = new Map(templatesOfPage().map(({ text, at }) => [text, at]));
  }, 120_000);

  it.each(OTHERS)('are there for each of its messages, and for nothing else: %s', (language) => {
    const { page, outcomes } = wordsOf(language);
    const missing = [...templates].filter(([text]) => !(text in page));
    expect(missing.map(([text, at]) => `${at}  ${text}`)).toEqual([]);
    expect(Object.keys(page).filter((text) => !templates.has(text))).toEqual([]);
    expect(Object.keys(outcomes)).toEqual(OUTCOMES);
  });

  it.each(OTHERS)('have the holes of the English ones, and show them alike: %s', (language) => {
    const others = Object.entries(wordsOf(language).page).filter(
      ([english, text]) => shape(english) !== shape(text),
    );
    expect(others).toEqual([]);
  });

  it('are English where they are not translated, with all forms of a word', () => {
    const { forms } = countingIn('en');
    const counted = [...templates.keys()]
      .flatMap(holesOf)
      .flatMap(({ kind }) => (kind?.includes('|') ? kind : []));
    expect(counted.filter((words) => words.split('|').length !== forms.length)).toEqual([]);
  });
});

/** The holes of a template by their number; whether a word goes with one is a matter of the language. */
const shape = (template: string): string =>
  holesOf(template)
    .map(({ of, kind }) => `${of}${kind === undefined || kind.includes('|') ? '' : kind}`)
    .sort()
    .join();

describe.each(OTHERS)('the file of a language: %s', (language) => {
  const { page, sentences, words } = wordsOf(language);
  const texts = [page, sentences, ...Object.values(words)].flatMap((of) => Object.values(of));

  it('has each entry once, in the order of the alphabet', () => {
    const text = readFileSync(join(root, `src/web/server/data/${language}.json`), 'utf8');
    for (const section of ['page', 'sentences']) {
      const [, lines = ''] = new RegExp(`"${section}": {\n(.*?)\n {2}}`, 's').exec(text) ?? [];
      const keys = [...lines.matchAll(/^ {4}("(?:[^"\\]|\\.)*"):/gm)].map(
        ([, key = '']) => JSON.parse(key) as string,
      );
      expect(keys).toEqual([...new Set(keys)].sort());
    }
  });

  it('has all forms of a word that goes with a number', () => {
    const { forms } = countingIn(language);
    const counted = texts.flatMap(holesOf).flatMap(({ kind }) => (kind?.includes('|') ? kind : []));
    expect(counted.filter((words) => words.split('|').length !== forms.length)).toEqual([]);
    expect(counted.length).toBeGreaterThan(10);
  });

  it('fills holes in ways that there are', () => {
    const kinds = new Set([...WAYS, ...Object.keys(words)]);
    const unknown = texts
      .flatMap(holesOf)
      .filter(({ kind }) => kind !== undefined && !kind.includes('|') && !kinds.has(kind));
    expect(unknown).toEqual([]);
  });
});

/** `undefined`: words of others, which stay. */
type Said = readonly [english: string, text: string | undefined];

describe('a sentence', () => {
  const russian: readonly Said[] = [
    [
      'This is not a date. Write it as dd.MM.yyyy or d.M.yy, and check that the day exists.',
      'Это не дата. Укажите её в виде dd.MM.yyyy или d.M.yy и проверьте, что такой день есть.',
    ],
    [
      'The number of cells is 5, and that of the header 12. Check its quotes and delimiters.',
      'В строке 5 ячеек, а в заголовке 12. Проверьте кавычки и разделители.',
    ],
    [
      'Phone: 1,204 of 2,000 look like dd.MM.yyyy; add from: dd.MM.yyyy',
      'Phone: 1 204 из 2 000 похожи на dd.MM.yyyy; добавьте from: dd.MM.yyyy',
    ],
    [
      'its name says full name, and its cells are what it should hold; no other column is like it',
      'судя по имени: полное имя, и ячейки — то, что нужно, других похожих столбцов нет',
    ],
    [
      'it has the name of the field fullName, and its cells are what it should hold',
      'называется как поле fullName, и ячейки — то, что нужно',
    ],
    ['it must be a text or a list.', 'здесь нужно: текст или список.'],
    ['it must be at least 3 entries long.', 'здесь нужно не меньше 3 элементов.'],
    [
      'There is: "Name. First", "Terms and conditions", and 3 more.',
      'Есть: "Name. First", "Terms and conditions", и ещё 3.',
    ],
    [
      'Left out by the mapping: it takes rows where "Segment" is one of hot, warm and not ("City" is empty).',
      'Пропущено по сопоставлению: оно берёт строки, где «Segment» — одно из: hot, warm и не («City» пусто).',
    ],
    [
      'createClients: http://127.0.0.1:1 was not reached: it refuses connections: it is not running, or the address is wrong (ECONNREFUSED)',
      'createClients: http://127.0.0.1:1 недоступен: он не принимает соединений; запущен ли он и верен ли адрес (ECONNREFUSED)',
    ],
    [
      'the card has no field "<b>It is required.</b>". Did you mean "x"?',
      'в карточке нет поля «<b>It is required.</b>». Может быть, «x»?',
    ],
    [
      'The list does not pass 2 checks of the mapping, so nothing was sent:\n- invalid Phone: 5 rows of 1,000 (0.5 %), and none is allowed; rows 3, 7, ….\n- rows: the list has 3, and at least 10 are allowed.',
      'Список не прошёл 2 проверки сопоставления, поэтому ничего не отправлено:\n- неверные значения, Phone: 5 строк из 1 000 (0.5 %), а допускается 0; строки 3, 7, ….\n- строк в списке 3, а допускается не меньше 10.',
    ],
    [
      'Did you mean "A"? It looks the same: sign 1 is U+0041 and not U+0410.',
      'Может быть, «A»? Выглядит одинаково: знак 1 — U+0041, а не U+0410.',
    ],
    [
      'Did you mean "Phone"? It looks the same: sign 6 is missing and not U+00AD.',
      'Может быть, «Phone»? Выглядит одинаково: знак 6 — пустое место, а не U+00AD.',
    ],
    [
      'About 12,000 rows are looked up one by one, with up to 24,000 requests: 4 min at 100 requests a second, 24 s at 1,000 requests a second.',
      'Строки проверяются в контакт-центре по одной (примерно 12 000), запросов — до 24 000: 4 мин при 100 запросах в секунду, 24 с при 1 000 запросах в секунду.',
    ],
    ['Run 20261125-01 is writing into out.', 'Запуск 20261125-01 пишет в out.'],
    [
      'leads.xlsx: the list goes on: sheets "B", "C" with the same columns are not read. Take all with --sheet all, or name them: --sheet "A,B,C".',
      'leads.xlsx: список продолжается на других листах с теми же столбцами, а они не прочитаны: "B", "C". В командной строке все листы берёт --sheet all, а эти — --sheet "A,B,C".',
    ],
    [
      'leads.xlsx: the list goes on: sheet "B" with the same columns is not read. Take them with --sheet "A,B".',
      'leads.xlsx: список продолжается на других листах с теми же столбцами, а они не прочитаны: "B". В командной строке их берёт --sheet "A,B".',
    ],
    [
      'leads.xlsx: 1 hidden sheet is not read: "Old". Take one with --sheet and its name.',
      'leads.xlsx: скрытые листы не прочитаны (1): "Old". Нужный можно выбрать на шаге «Файл».',
    ],
    [
      'behind record 3, there is neither a comma nor the end of the array. Is it one array of objects, as in [{"name": "value"}]?',
      'после записи 3: нет ни запятой, ни конца массива. Это один массив объектов, как [{"name": "value"}]?',
    ],
    [
      'suspect the mapping: 9 of 20 dates are stored as such, all with a day up to 12, and 11 are texts, all with a day above: a program has probably swapped day and month of the stored ones. Compare them with where the list comes from',
      'возможно, дело в сопоставлении: 9 из 20 дат записаны как даты, и во всех день не больше 12, а 11 — текст, и во всех день больше: вероятно, программа поменяла местами день и месяц в первых. Сравните их с источником списка',
    ],
    [
      'The year is one of another calendar: Persian or Islamic (Hijri). Write the date by the Gregorian calendar.',
      'Это год по другому календарю: персидский или исламский (хиджра). Укажите дату по григорианскому календарю.',
    ],
    [
      'The cell holds the error of a formula, such as #N/A or #REF!, and no value. Mend the formula in a spreadsheet program, or clear the cell.',
      'В ячейке вместо значения ошибка формулы, например #REF! или #N/A. Исправьте формулу в программе для таблиц или очистите ячейку.',
    ],
    ['Client is in blacklist', undefined],
    ['Add clients to the campaign first, then try again', undefined],
  ];
  const german: readonly Said[] = [
    [
      'This is not a date. Write it as dd.MM.yyyy or d.M.yy, and check that the day exists.',
      'Das ist kein Datum. Schreiben Sie es als dd.MM.yyyy oder d.M.yy, und prüfen Sie, ob es den Tag gibt.',
    ],
    [
      'The number of cells is 1, and that of the header 1,200.',
      'Die Zeile hat 1 Zelle, die Kopfzeile 1.200.',
    ],
    [
      'its name says full name, and its cells are what it should hold; no other column is like it',
      'dem Namen nach: voller Name, und die Zellen sind passend; keine andere Spalte ist ihr ähnlich',
    ],
    ['it must be at least 3 entries long.', 'hier sind mindestens 3 Einträge nötig.'],
    [
      'Left out by the mapping: it takes rows where "Segment" is one of hot, warm and not ("City" is empty).',
      'Nach der Zuordnung ausgelassen: Sie nimmt Zeilen, für die gilt: „Segment“ ist eines von hot, warm und nicht („City“ ist leer).',
    ],
    [
      'The list does not pass 2 checks of the mapping, so nothing was sent:\n- invalid Phone: 5 rows of 1,000 (0.5 %), and none is allowed; rows 3, 7, ….',
      'Die Liste besteht 2 Prüfungen der Zuordnung nicht, deshalb wurde nichts gesendet:\n- ungültige Werte, Phone: 5 Zeilen von 1.000 (0.5 %), erlaubt: 0; Zeilen 3, 7, ….',
    ],
    ['this is a folder, not a file', 'das ist ein Ordner, keine Datei'],
    ['"MM" shows the month, and "yyyy" has none.', '„MM“: Hier steht der Monat, in „yyyy“ nicht.'],
    [
      'Left out: the phone is on the list dnc.',
      'Ausgelassen: Das Telefon steht auf der Liste dnc.',
    ],
    ['Client is in blacklist', undefined],
  ];
  const cases = [
    ...russian.map((one) => ['ru', ...one] as const),
    ...german.map((one) => ['de', ...one] as const),
  ];
  it.each(cases)('%s: %s', (language, english, text) => {
    expect(catalogueOf(language).say(english)?.replaceAll('\u00a0', ' ')).toBe(text);
  });
});
