import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Puts what the page is to hand back into a form that it can neither read nor make: with `--mask` it does not know the
 * values that it speaks of. It ends with the process.
 */
export class Seal<T> {
  readonly #key = randomBytes(32);

  close(value: T): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce);
    const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
  }

  /** `undefined`: it was not made here. */
  open(sealed: string): T | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    const begin = NONCE_BYTES + TAG_BYTES;
    if (bytes.length < begin) return undefined;
    const decipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, begin));
    try {
      const text = Buffer.concat([decipher.update(bytes.subarray(begin)), decipher.final()]);
      // Nobody else can have made it.
      return JSON.parse(text.toString('utf8')) as T;
    } catch {
      return undefined;
    }
  }
}
