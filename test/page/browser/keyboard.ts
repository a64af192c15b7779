import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** How many elements may be passed before the one that is looked for. */
const FAR = 150;

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
    for (let tabs = 0; tabs < FAR; tabs++) {
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
