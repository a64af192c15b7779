import { MESSAGES } from '../contract/shapes.js';
import { invalid } from './refusal.js';

/** Checks of single values by hand: zod costs five times as much a client, and imports are tried at full speed. */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isBlank(value: unknown): boolean {
  return (
    value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
  );
}

/** The value, which must be there and not blank. */
export function required(value: unknown, name: string): unknown {
  if (isBlank(value)) throw invalid(MESSAGES.fieldRequired(name));
  return value;
}

export function requiredText(value: unknown, name: string): string {
  const given = required(value, name);
  if (typeof given !== 'string') throw invalid(`Field [${name}] must be text.`);
  return given;
}

export function requiredInteger(value: unknown, name: string): number {
  const given = required(value, name);
  if (typeof given !== 'number' || !Number.isSafeInteger(given)) {
    throw invalid(`Field [${name}] must be an integer.`);
  }
  return given;
}

export function requiredArray(value: unknown, name: string): readonly unknown[] {
  const given = required(value, name);
  if (!Array.isArray(given)) throw invalid(`Field [${name}] must be an array.`);
  return given;
}

export function requiredRecord(value: unknown, name: string): Record<string, unknown> {
  const given = required(value, name);
  if (!isRecord(given)) throw invalid(`Field [${name}] must be an object.`);
  return given;
}

export function oneOf(value: unknown, name: string, allowed: readonly string[]): string {
  const given = required(value, name);
  if (typeof given !== 'string' || !allowed.includes(given)) {
    throw invalid(`Field [${name}] must be one of ${allowed.join(', ')}.`);
  }
  return given;
}

export function optionalBoolean(value: unknown, name: string, byDefault: boolean): boolean {
  if (value === undefined) return byDefault;
  if (typeof value !== 'boolean') throw invalid(`Field [${name}] must be true or false.`);
  return value;
}
