import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OTHERS, type OtherLanguage } from '../../../src/web/shared/page.js';
import { openBench, type Bench } from '../../kit/bench.js';
import { describeSeen, useBrowser } from './harness.js';
import { servePageHere, type ServedPage } from './served.js';
import { goOn } from './walk.js';
import { tablesIn } from '../../kit/tables.js';

const TABLES = tablesIn(import.meta.dirname, 'languages.yaml') as {
  readonly mapping: string;
  readonly list: string;
};

const HEADER = 'Номер;Сайт;ФИО;Сегмент;Моб. телефон;Дата;Комментарий';
const line = (at: number, phone: string): string =>
  `${at};shop.example.com;Иванов Пётр${at};тёплый;${phone};0${(at % 9) + 1}.11.2026;`;
/** One in five has no phone number. */
const LEADS = [
  HEADER,
  ...Array.from({ length: 40 }, (_, at) =>
    line(at + 1, at % 5 === 3 ? 'нет' : `+7916${1_000_000 + at}`),
  ),
  '41;shop.example.com;Без телефона;холодный',
  '',
].join('\n');

const MAPPING = TABLES.mapping;
/** Mistakes of the schema, and with a schema that holds those of card, columns and transforms. */
const BROKEN = [
  TABLES.list,
  MAPPING.replace('Номер', '{ column: Нет, transform: [{ date: { from: dd.QQ.yyyy } }] }')
    .replace('fullName', 'fulName')
    .replace('Moscow', 'Moskow')
    .replace('RU', 'RUS'),
];

/** What is looked for in a language, and how its English is told from it. */
interface Case {
  readonly locale: string;
  /** The label of the field for a spreadsheet. */
  readonly spreadsheet: string;
  /** Of a mistake in the mapping, and in its YAML. */
  readonly mistakes: readonly [line: RegExp, key: string, field: string];
  readonly stopped: string;
  readonly resume: string;
  readonly finished: RegExp;
  readonly rejected: string;
  /** Whatever is English in a text of the page. */
  readonly english: RegExp;
}

const CASES = {
  de: {
    locale: 'de-DE',
    spreadsheet: 'Tabelle',
    mistakes: [/^Zeile \d+/, '„campaing“ ist hier nicht bekannt', 'kein Feld „fulName“'],
    stopped: 'Angehalten',
    resume: 'Import fortsetzen',
    finished: /^Fertig: /,
    rejected: 'abgelehnt',
    // Words that German does not have.
    english:
      /\b(?:the|and|of|is|are|not|with|this|that|were|have|has|which|would|must|there|been|rows?)\b/i,
  },
  ru: {
    locale: 'ru-RU',
    spreadsheet: 'Таблица',
    mistakes: [/^Строка \d+/, 'Ключ «campaing» здесь', 'нет поля «fulName»'],
    stopped: 'Остановлен',
    resume: 'Продолжить импорт',
    finished: /^Готово: /,
    rejected: 'отклонён',
    // Runs of three and more words in Latin letters.
    english: /[A-Za-z]?[a-z]{2,}(?:[ ,;:]+[A-Za-z]?[a-z]{2,}){2,}/,
  },
} as const satisfies Record<OtherLanguage, Case>;

/** English in what the page shows. The YAML, commands and lists of time zones are the person's or the machine's. */
const englishOn = (page: Page, english: RegExp): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const WORDS = ${String(english)};
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.parentElement;
      if (at.closest('textarea, .command') || at.getClientRects().length === 0) continue;
      if (WORDS.test(node.data)) found.push(node.data.trim());
    }
    for (const at of document.querySelectorAll(':not(.command *):is([title], [aria-label], [placeholder])'))
      for (const name of ['title', 'aria-label', 'placeholder'])
        if (WORDS.test(at.getAttribute(name) ?? ''))
          found.push(at.getAttribute(name));
    return [...new Set(found)];
  })()`);

describeSeen('the page in another language', () => {
  const open = useBrowser();
  let bench: Bench;
  let served: Pick<ServedPage, 'address' | 'end'>;
  beforeEach(async () => {
    bench = await openBench('{ clientsPerRequest: 10, concurrency: 1 }');
    await bench.write('лиды.csv', LEADS);
    const args = [bench.at('лиды.csv'), '-i', bench.at('center.yaml')];
    served = await servePageHere(bench.at('.'), args, bench.environment);
  });
  afterEach(async () => {
    await served.end();
    await bench.close();
  });

  for (const of of OTHERS)
    it(
      `says nothing in English, from a broken file to the result: ${of}`,
      { timeout: 60_000, tags: of === OTHERS[0] ? [] : 'depth' },
      async () => {
        const { locale, english, mistakes, ...words } = CASES[of];
        const { page } = await open(served.address, { locale });
        await page.getByRole('heading', { name: 'лиды.csv' }).waitFor();
        const here: string[] = [];
        const note = async (where: string): Promise<void> => {
          here.push(...(await englishOn(page, english)).map((text) => `${where}: ${text}`));
        };
        await note('file');
        const buffer = Buffer.from('%PDF-1.7 ');
        const pdf = { name: 'лиды.pdf', mimeType: 'application/pdf', buffer };
        await page.getByRole('link', { name: 'cardline', exact: true }).click();
        await page.getByLabel(words.spreadsheet).setInputFiles(pdf);
        await page.locator('.problem').first().waitFor();
        await note('pdf');
        await page.goBack();
        await page.getByRole('heading', { name: 'лиды.csv' }).waitFor();

        const yaml = page.locator('textarea');
        await goOn(page);
        await page.waitForURL('**/columns*');
        await page.getByRole('table').first().waitFor();
        await note('columns');
        await page.locator('.tools > button').click();
        await yaml.fill(`${MAPPING}\nmode: [`);
        await page.getByRole('button', { name: mistakes[0] }).first().waitFor();
        await note('columns-yaml');
        for (const [at, mistake] of mistakes.slice(1).entries()) {
          await yaml.fill(BROKEN[at] ?? '');
          await page.getByText(String(mistake)).waitFor();
          await note(`columns-broken-${at}`);
        }
        await page.goto(page.url().replace('/columns', '/check'));
        await page.locator('ul.mistakes').waitFor();
        await note('check-broken');
        await page.goto(page.url().replace('/check', '/columns'));
        await page.locator('.tools > button[aria-expanded=false]').click();
        await yaml.fill(MAPPING);
        await goOn(page);
        await page.waitForURL('**/check*');
        await page.locator('footer.bar button.primary[aria-disabled=false]').waitFor();
        await note('check');
        await page.locator('ul.groups button').first().click();
        await page.locator('table.checked').waitFor();
        await note('check-group');

        bench.center.behave = () => ({ untouched: true, answer: { status: 401, body: '' } });
        await goOn(page);
        await page.waitForURL('**/import*');
        await goOn(page);
        await page.getByRole('heading', { name: words.stopped }).waitFor();
        await note('import-stopped');
        bench.center.behave = ({ operation, number }) =>
          operation === '4.1' && number % 2 === 0
            ? { refuse: () => 'Клиент в чёрном списке' }
            : undefined;
        await page.getByRole('button', { name: words.resume }).click();
        await page.getByRole('heading', { name: words.finished }).waitFor();
        await note('import');
        await goOn(page);
        await page.waitForURL('**/result*');
        await page.getByRole('table').first().waitFor();
        await note('result');
        await page.getByRole('link', { name: words.rejected }).click();
        await page.locator('table.rows').waitFor();
        await note('rows');
        expect(here).toEqual([]);
      },
    );
});
