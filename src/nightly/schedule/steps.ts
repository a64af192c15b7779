import type { ScheduleRequest } from './schedule.js';

/** A word of a command line, quoted where a shell would see more in it. */
export const shellQuoted = (word: string): string =>
  /^[\w@+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** Lines for a person that make the user, and have it own the folder of the pickup file, with the secrets in it. */
export function userSteps({ user, file, folders }: ScheduleRequest): string[] {
  const own = folders.find((folder) => file.startsWith(`${folder}/`));
  const others = folders.filter((folder) => folder !== own).map(shellQuoted);
  const ownership =
    own === undefined || own === '/' ? '' : ` && chown -R ${user}: ${shellQuoted(own)}`;
  return [
    `{ id -u ${user} >/dev/null 2>&1 || useradd --system ${user}; }${ownership}`,
    ...(others.length === 0 ? [] : [`# It writes to ${others.join(' ')}, too: let it.`]),
  ];
}
