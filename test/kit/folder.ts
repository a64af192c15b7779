import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** A folder for the tests of a file, or of the `describe` that asks for it, and gone after them. */
export function testFolder(): string {
  const folder = newFolder();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder for the test that is at work, or about to begin, and gone after it. */
export function folderOfTest(): string {
  const folder = newFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'cardline-test-'));
