import { z } from 'zod';
import type { Language } from '../../shared/languages.js';
import { sentenceSchema } from '../../shared/sentence.js';
import { sentenceIn } from './sentence-in.js';

/** Puts what a schema calls sentences into a language. */
type Change = (value: unknown, language: Language) => unknown;

/** The sentences of an answer in the language of the page. `value` is what `schema` has made of it. */
export function inLanguage(schema: z.ZodType, value: unknown, language: Language): unknown {
  const change = changeOf(schema);
  return change ? change(value, language) : value;
}

const known = new WeakMap<z.core.$ZodType, { readonly change: Change | undefined }>();

/** `undefined`: nothing in it is a sentence. */
function changeOf(schema: z.core.$ZodType): Change | undefined {
  const found = known.get(schema) ?? { change: made(schema) };
  known.set(schema, found);
  return found.change;
}

function made(schema: z.core.$ZodType): Change | undefined {
  if (schema === sentenceSchema) return (value, language) => sentenceIn(language, String(value));
  if (schema instanceof z.ZodObject) return ofObject(schema);
  if (schema instanceof z.ZodArray) {
    const change = changeOf(schema.element);
    return change && ((value, language) => asArray(value).map((one) => change(one, language)));
  }
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const change = changeOf(schema.unwrap());
    return change && ((value, language) => (value == null ? value : change(value, language)));
  }
  return undefined;
}

function ofObject(schema: z.ZodObject): Change | undefined {
  const shape: z.core.$ZodShape = schema.shape;
  const changes = Object.entries(shape).flatMap(([name, part]) => {
    const change = changeOf(part);
    return change ? [{ name, change }] : [];
  });
  if (changes.length === 0) return undefined;
  return (value, language) => {
    const parts = new Map(Object.entries(value as object));
    for (const { name, change } of changes)
      if (parts.has(name)) parts.set(name, change(parts.get(name), language));
    return Object.fromEntries(parts);
  };
}

const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
