/** A text cut into pieces of about `size`, but never inside a character. */
export async function* pieces(text: string, size: number): AsyncGenerator<string> {
  let start = 0;
  while (start < text.length) {
    let end = start + size;
    if (/[\ud800-\udbff]/.test(text[end - 1] ?? '')) end++;
    yield await Promise.resolve(text.slice(start, end));
    start = end;
  }
}
