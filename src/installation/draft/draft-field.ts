import type { FieldType } from '../installation.js';

/** A card field as far as it is known, and what a person has to check about it. */
export interface DraftField {
  readonly name: string;
  readonly type: FieldType;
  readonly sync: boolean;
  /** Written beside the field as a comment. */
  readonly remark?: string | undefined;
}
