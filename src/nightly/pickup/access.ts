import { z } from 'zod';
import { filled } from '../../config/scalar.js';

const secret = filled;

/** How an SFTP server is entered. */
export const sftpAccess = z.strictObject({
  key: filled
    .optional()
    .describe('File of the private key. Default: the agent, and the usual ones in ~/.ssh.'),
  passphrase: secret
    .optional()
    .describe('Passphrase of the key, such as ${credential:key-passphrase}. Default: none.'),
  password: secret.optional().describe('Password, such as ${SFTP_PASSWORD}. Default: none.'),
  knownHosts: filled.optional().describe('File of the known hosts. Default: ~/.ssh/known_hosts.'),
});

/** How a bucket is entered. */
export const s3Access = z.strictObject({
  endpoint: filled
    .optional()
    .describe('Address of the service, such as https://s3.example.com. Default: that of Amazon.'),
  region: filled.optional().describe('Region. Default: AWS_REGION, else us-east-1.'),
  keyId: secret.optional().describe('Id of the access key. Default: that of AWS_ACCESS_KEY_ID.'),
  secret: secret
    .optional()
    .describe('The access key, such as ${credential:s3}. Default: that of AWS_SECRET_ACCESS_KEY.'),
});

export type SftpAccess = z.output<typeof sftpAccess>;
export type S3Access = z.output<typeof s3Access>;
