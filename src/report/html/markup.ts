const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A piece of HTML. Only `markup` and `trusted` make one: a text is never markup by accident. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = Markup | string | number | readonly Markup[];

/** HTML from a template; whatever is put into it is escaped, unless it is markup itself. */
export function markup(pieces: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(
    pieces.map((piece, at) => piece + (at < parts.length ? textOf(parts[at] ?? '') : '')).join(''),
  );
}

/** Markup of our own making, as it is. */
export const trusted = (text: string): Markup => new Markup(text);

/** A name that cannot turn the direction of what stands around it. */
export const isolated = (name: string): Markup => markup`<bdi>${name}</bdi>`;

/** Markup one after the other, with a text such as `, ` between. */
export const joined = (parts: readonly Markup[], between: string): Markup =>
  new Markup(parts.map(({ text }) => text).join(textOf(between)));

/** No markup at all. */
export const nothing = new Markup('');

/** JSON text for the page's script, as the element of id `data`. No text in it can end the element. */
export const embedded = (json: string): Markup =>
  new Markup(
    `<script type="application/json" id="data">${json.replaceAll('<', '\\u003c')}</script>`,
  );

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
