import type { z } from 'zod';
import type { installationSchema } from './schema.js';

/** One contact center, as its file describes it: defaults are filled in, and file names are absolute. */
export type Installation = DeepReadonly<Omit<z.output<typeof installationSchema>, '$schema'>>;

/** One custom card field of an installation. */
export type CardField = Installation['card'][string];
export type FieldType = CardField['type'];

/** What the contact center's owners permit. Absent: not limited. */
export type Limits = Installation['limits'];

/** How to reach the contact center, besides its address. */
export type Transport = Installation['transport'];

/** A list of numbers that must not be called. */
export type SuppressSpec = NonNullable<Installation['suppress']>[number];
/** One that comes as a file. */
export type FileListSpec = Extract<SuppressSpec, { readonly file: string }>;
/** One that `cardline suppress` keeps. */
export type StoreListSpec = Extract<SuppressSpec, { readonly store: string }>;

type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** Names of the synchronization identifiers, in the order of the card configuration. */
export function syncFields(card: Installation['card']): string[] {
  return Object.entries(card)
    .filter(([, field]) => field.sync)
    .map(([name]) => name);
}
