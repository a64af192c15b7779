import { UsageError } from '../../core/errors.js';

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

/** Where a server is, and the folder on it. */
export interface SftpAddress {
  readonly user: string;
  readonly host: string;
  readonly port: number;
  readonly folder: string;
}

/** Reads `sftp://user@host:port/folder`; `/~/in` is a folder in the home of the user. @throws UsageError */
export function sftpAddress(text: string): SftpAddress {
  const url = URL.parse(text);
  if (!url || url.hostname === '' || url.username === '')
    throw new UsageError('An address of SFTP is written as sftp://user@host:22/folder.');
  if (url.password !== '')
    throw new UsageError(
      'The address of the SFTP server holds a password, which logs would show. Give it with sftp: { password: "${NAME}" }.',
    );
  const path = decodeURIComponent(url.pathname).replace(/\/+$/, '');
  return {
    user: decodeURIComponent(url.username),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 22),
    folder: path.startsWith('/~/') ? path.slice(3) : path === '' ? '/' : path,
  };
}
