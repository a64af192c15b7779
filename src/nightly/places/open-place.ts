import type { Pickup, Secrets } from '../pickup/schema.js';
import { FolderPlace } from './folder.js';
import type { Place, PlaceMemory } from './place.js';
import { RemotePlace } from './remote.js';
import { s3Address, S3Store } from './s3.js';
import { sftpAddress, SftpStore } from './sftp.js';

/** What places need beside their settings. */
interface PlaceParts {
  readonly memory: PlaceMemory;
  /** Folder on this machine for what is fetched. */
  readonly work: string;
  readonly env: Secrets;
}

/** The place of a pickup. @throws UsageError for an address that is none */
export function openPlace(pickup: Pickup, parts: PlaceParts): Place {
  const { from, name, after } = pickup;
  const shelves = { good: after.good, bad: after.bad };
  const common = { name, shelves, memory: parts.memory, work: parts.work };
  if (from.startsWith('sftp://')) {
    const address = sftpAddress(from);
    const store = new SftpStore(address, pickup.sftp ?? {}, parts.env);
    return new RemotePlace({ ...common, store, folder: address.folder });
  }
  if (from.startsWith('s3://')) {
    const address = s3Address(from);
    const store = new S3Store(address, pickup.s3 ?? {}, parts.env);
    return new RemotePlace({ ...common, store, folder: address.prefix });
  }
  return new FolderPlace({ from, name, shelves });
}
