import type { Page } from 'playwright-core';

/** Presses the button that leads on, once it can be pressed. */
export async function goOn(page: Page): Promise<void> {
  await page.locator('footer.bar button.primary[aria-disabled=false]').click();
}

/** Takes a sample on the first view. */
export async function takeSample(page: Page, name: string): Promise<void> {
  await page
    .getByRole('button', { name: new RegExp(`^${name.replace('.', String.raw`\.`)}`) })
    .click();
  await page.waitForURL('**/file');
  await page.locator('table').waitFor();
}

/** From the step File to the plan of the import. */
export async function goToImport(page: Page): Promise<void> {
  for (const step of ['columns', 'check', 'import']) {
    await goOn(page);
    await page.waitForURL(`**/${step}*`);
  }
}

/** Starts the import, and waits for its end. */
export async function importAll(page: Page): Promise<void> {
  const button = page.locator('footer.bar button.primary');
  await button.filter({ hasText: / at |See the result/ }).waitFor();
  const confirm = page.getByLabel(/^Type \d+ to confirm$/);
  if ((await confirm.count()) > 0)
    await confirm.fill(
      /\d+/.exec((await page.locator('.confirm label').textContent()) ?? '')?.[0] ?? '',
    );
  // The same import may have been done by a test before.
  if (/ at /.test((await button.textContent()) ?? '')) await goOn(page);
  await page.getByRole('button', { name: 'See the result' }).click();
  await page.waitForURL(/\/(result|runs\/.*)$/);
}

/** How the rows ended, as the step Result shows it. */
export async function shownOutcomes(page: Page): Promise<Record<string, number>> {
  await page.getByRole('rowheader', { name: 'All rows', exact: true }).waitFor();
  const rows = page.getByRole('table').first().locator('tbody tr:not(.sum)');
  const texts = (await rows.allInnerTexts()).map((text) => text.split('\t'));
  return Object.fromEntries(
    texts.map(([outcome = '', count = '']) => [
      outcome.trim().replaceAll(' ', '_'),
      Number(count.replaceAll(',', '')),
    ]),
  );
}
