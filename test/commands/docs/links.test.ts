import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../kit/cardline.js';
import { page, type Page, pages } from './pages.js';

const LINK = /\]\(([^()\s]+)\)/g;
const README_BYTES = 9 * 1024;

/** Anchors of the headings, made as code hosts make them. */
function anchorsOf({ text }: Page): string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Why a link leads nowhere; `null` when it leads somewhere. */
function broken(from: Page, link: string): string | null {
  if (/^[a-z]+:/.test(link)) return null;
  const [path = '', anchor] = link.split('#');
  const name = path === '' ? from.name : normalize(join(dirname(from.name), path));
  if (!existsSync(join(root, name))) return `${link}: there is no ${name}`;
  if (anchor === undefined) return null;
  return anchorsOf(page(name)).includes(anchor) ? null : `${link}: ${name} has no such heading`;
}

describe.each(pages)('$name', (from) => {
  it('has no link that leads nowhere', () => {
    const links = [...from.text.matchAll(LINK)].map(([, link = '']) => link);
    expect(links.map((link) => broken(from, link)).filter((fault) => fault !== null)).toEqual([]);
  });
});

it('has a first page that is short, and leads to every other one', () => {
  const first = page('README.md');
  expect(Buffer.byteLength(first.text)).toBeLessThanOrEqual(README_BYTES);
  const links = [...first.text.matchAll(LINK)].map(([, link = '']) => link.replace(/#.*/, ''));
  const docs = pages.map(({ name }) => name).filter((name) => name.startsWith('docs/'));
  expect(docs.filter((name) => !links.includes(name))).toEqual([]);
});
