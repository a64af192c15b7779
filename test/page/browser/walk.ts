import type { Page } from 'playwright-core';
import { expect } from 'vitest';

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

/** Somebody who has no mouse: presses keys, and sees what is focused. */
export class Typist {
  keys = 0;

  constructor(private readonly page: Page) {}

  async press(key: string): Promise<void> {
    this.keys++;
    await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.keys += text.length;
    await this.page.keyboard.type(text);
  }

  /** Goes forward to what has this role and name, and sees that it is focused. */
  async tabTo(role: string, name: RegExp): Promise<void> {
    const seen: string[] = [];
    // No view has so many elements before the one that is looked for.
    for (let tabs = 0; tabs < 150; tabs++) {
      await this.press('Tab');
      const focused = await this.focused();
      if (focused.role === role && name.test(focused.name)) {
        expect(focused.outline, `${role} ${focused.name} shows that it is focused`).not.toBe(
          'none',
        );
        return;
      }
      seen.push(`${focused.role} ${focused.name.slice(0, 40)}`);
    }
    throw new Error(`${role} ${String(name)} is not among:\n${seen.join('\n')}`);
  }

  private async focused(): Promise<{ role: string; name: string; outline: string }> {
    return this.page.evaluate(`(() => {
      const at = document.activeElement;
      const roles = { A: 'link', BUTTON: 'button', SELECT: 'combobox', SUMMARY: 'summary', TEXTAREA: 'textbox' };
      const types = { checkbox: 'checkbox', file: 'file', search: 'textbox' };
      const own = at.tagName === 'INPUT' ? types[at.type] ?? 'textbox' : roles[at.tagName] ?? at.tagName;
      const label = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent;
      const style = getComputedStyle(at);
      const shown = style.outlineStyle !== 'none' || style.boxShadow !== 'none';
      return { role: at.getAttribute('role') ?? own, name: label.trim(), outline: shown ? 'shown' : 'none' };
    })()`);
  }
}
