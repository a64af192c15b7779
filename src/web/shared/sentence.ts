import { z } from 'zod';

/**
 * Words for the person. Engine and server have them in English: on the way to the page the server puts every value of
 * this schema into the language of the request.
 */
export const sentenceSchema = z.string();
