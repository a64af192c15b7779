import type { Sample } from '../../web/server/settings.js';
import { packagePath } from '../package.js';

/** Samples, each with its mapping. */
const SAMPLES = {
  'leads.xlsx': 'leads-xlsx.yaml',
  'leads.csv': 'leads.yaml',
  'leads-1251.csv': 'leads-1251.yaml',
  'mistakes.csv': 'mistakes.yaml',
  'update.csv': 'update.yaml',
  'upsert.csv': 'upsert.yaml',
  'enqueue.csv': 'enqueue.yaml',
  'dequeue.csv': 'dequeue.yaml',
  'contacts.csv': 'contacts.yaml',
  'callbacks.csv': 'callbacks.yaml',
  'calling.csv': 'calling.yaml',
  'rekey.csv': 'rekey.yaml',
  'delete.csv': 'delete.yaml',
} as const satisfies Readonly<Record<string, string>>;

/** The samples of the package. */
export const samplesOf = (): Sample[] =>
  Object.entries(SAMPLES).map(([name, mapping]) => ({
    name,
    path: packagePath(`samples/${name}`),
    mapping: packagePath(`mappings/${mapping}`),
  }));
