import { UsageError } from '../../../core/errors.js';
import { withOwnControls } from '../../../core/table.js';

/** What decodes bytes piece by piece. What is no text becomes U+FFFD. */
interface TableDecoder {
  decode(bytes: Buffer): string;
  /** What is left of a character that the text ends in. */
  end(): string;
}

/** Encodings that Node lacks, as iconv-lite names them. */
const FROM_ICONV: Readonly<Record<string, string>> = {
  ibm437: 'cp437',
  ibm850: 'cp850',
  ibm852: 'cp852',
  ibm855: 'cp855',
};

/** Other names of theirs. */
const ALIAS = /^(?:ibm-?|cp-?)(437|850|852|855)$/i;

/**
 * The name under which an encoding is known here.
 * @throws UsageError when it is unknown
 */
export function canonicalLabel(label: string): string {
  const number = ALIAS.exec(label)?.[1];
  if (number !== undefined) return `ibm${number}`;
  const wanted = NAMES[label.toLowerCase()] ?? label;
  try {
    return new TextDecoder(wanted).encoding;
  } catch (cause) {
    const known =
      'auto, utf-8, utf-16le, windows-1252, windows-1251, shift_jis, gb18030, big5, macintosh or ibm866';
    throw new UsageError(`unknown encoding "${label}". Use a name such as ${known}.`, { cause });
  }
}

/** Names that people use and the WHATWG standard lacks. */
const NAMES: Readonly<Record<string, string>> = {
  cp866: 'ibm866',
  cp932: 'shift_jis',
  cp936: 'gb18030',
  cp949: 'euc-kr',
  cp950: 'big5',
  'mac-roman': 'macintosh',
  macroman: 'macintosh',
  'mac-cyrillic': 'x-mac-cyrillic',
  maccyrillic: 'x-mac-cyrillic',
  'tis-620': 'windows-874',
};

/** The decoder of an encoding that is none of Unicode's. */
export async function tableDecoder(label: string): Promise<TableDecoder> {
  const name = FROM_ICONV[label];
  if (name !== undefined) {
    // Hardly any file needs it.
    const { default: iconv } = await import('iconv-lite');
    const decoder = iconv.getDecoder(name);
    return { decode: (bytes) => decoder.write(bytes), end: () => decoder.end() ?? '' };
  }
  const decoder = new TextDecoder(label);
  // Always with `stream`, since the one-shot form of Node 20 gets the euro sign of windows-1252 wrong.
  return {
    decode: (bytes) => withOwnControls(label, decoder.decode(bytes, { stream: true })),
    end: () => withOwnControls(label, decoder.decode()),
  };
}
