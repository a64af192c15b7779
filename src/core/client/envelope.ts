/** What stands around and between the clients in the body of 4.1. */
export const OPEN = Buffer.from('{"clients":[');
export const CLOSE = Buffer.from(']}');
export const COMMA = Buffer.from(',');
/** Bytes of a body around its clients. */
export const ENVELOPE_BYTES = OPEN.length + CLOSE.length;
