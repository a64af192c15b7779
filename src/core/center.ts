/** Name, address and synchronization identifiers of a contact center, in the text that a run is bound to. */
const PARTS = /^(.*?)(?:^| )(another address|https?:\/\/\S*)(.*)$/is;

/**
 * What shows contact centers apart in the text that a run is bound to: the address and the synchronization identifiers.
 * The name before them is for people, and each machine may write the others in its own way.
 */
export function centerKey(installation: string): string {
  const [, , address, identifiers] = PARTS.exec(installation) ?? [];
  if (address === undefined || identifiers === undefined) return installation;
  const names = identifiers.trim().split(' ').sort();
  return [addressKey(address), ...names].join(' ');
}

/** How people call the contact center; empty where the text does not say it. */
export function centerName(installation: string): string {
  return PARTS.exec(installation)?.[1]?.trim() ?? '';
}

/** What shows contact centers apart whose limits are asked for: limits hold for an address, whatever identifies clients. */
export const limitedCenter = (address: string): string => addressKey(address);

/** Hosts have no case, and a port that is the usual one and slashes at the end say nothing. */
function addressKey(address: string): string {
  if (!URL.canParse(address)) return address;
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}
