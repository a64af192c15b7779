/** Encodings of DOS in which Node takes three control characters, Ctrl-Z among them, for each other. */
const EXCHANGED: ReadonlySet<string> = new Set(['ibm866', 'shift_jis']);
const MENDED: Readonly<Record<string, string>> = { '\x1a': '\x7f', '\x1c': '\x1a', '\x7f': '\x1c' };

/** A text that Node has decoded from this encoding, with the control characters that its bytes stand for. */
export function withOwnControls(label: string, text: string): string {
  if (!EXCHANGED.has(label) || !Object.keys(MENDED).some((control) => text.includes(control)))
    return text;
  return text.replaceAll(/\p{Cc}/gu, (control) => MENDED[control] ?? control);
}
