import { UsageError } from '../../../core/errors.js';

/** A bucket, and what the names of the objects begin with that are looked at. */
export interface S3Address {
  readonly bucket: string;
  /** Empty, or with a slash at its end. */
  readonly prefix: string;
}

/** Reads `s3://bucket/prefix`. @throws UsageError */
export function s3Address(text: string): S3Address {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9._-]*)(?:\/(.*))?$/.exec(text) ?? [];
  if (bucket === undefined)
    throw new UsageError('An address of S3 is written as s3://bucket/prefix.');
  const prefix = path.replace(/\/+$/, '');
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/` };
}
