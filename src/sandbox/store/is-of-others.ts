import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { keptIdentifiers } from './database.js';

/** Whether a file is a database of the sandbox whose clients have other identifiers. What is none is for others to refuse. */
export function isOfOthers(file: string, identifiers: string): boolean {
  if (!existsSync(file)) return false;
  try {
    const db = new Database(file, { readonly: true });
    try {
      const kept = keptIdentifiers(db);
      return kept !== undefined && kept !== identifiers;
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof Database.SqliteError) return false;
    throw error;
  }
}
