import { syncFields } from '../../../installation/installation.js';
import { loadInstallation } from '../../../installation/load.js';
import { columnsOf } from '../../../mapping/columns/column-uses.js';
import { compileMapping } from '../../../mapping/compile.js';
import { loadMapping } from '../../../mapping/load.js';
import { openInput } from '../../../prepare/input.js';
import { openSource } from '../../../source/open.js';
import { readTable } from '../../../source/read-table.js';
import { ok, warning } from '../finding.js';
import type { Check, World } from '../world.js';

/** The installation file is right in itself. */
export const installation: Check = {
  needs: [],
  run: async (world) => {
    const file = world.request.installation;
    const { card, name } = (world.installation = await loadInstallation(file));
    const fields = counted(Object.keys(card).length, 'card field');
    return ok(`${file}: "${name}", ${fields}, identified by ${syncFields(card).join(', ')}`);
  },
};

/** The mapping is right in itself, and suits the card. */
export const mapping: Check = {
  needs: [],
  isAsked: ({ request }) => request.mapping !== undefined,
  run: async (world) => {
    const { mapping: file = '', mode } = world.request;
    const loaded = await loadMapping(file, { readTable, mode });
    const headers = columnsOf(loaded);
    const { card, clientRoles } = world.installation ?? {};
    compileMapping({ mapping: loaded, card, clientRoles, headers, file });
    world.mapping = loaded;
    const text = `${file}: mode ${loaded.mode}, ${counted(headers.length, 'column')}`;
    return card === undefined
      ? warning(`${text}; not compared with the card, as the installation cannot be read`)
      : ok(`${text}, suits the card`);
  },
};

/** The spreadsheet can be read, and has the columns that the mapping names. */
export const file: Check = {
  needs: [],
  isAsked: ({ request }) => request.file !== undefined,
  run: async (world) => {
    const { file: path = '', mapping: wanted, describeInput } = world.request;
    const { info, text, hasRows } = await (world.mapping ? withColumns : alone)(world, path);
    world.info = info;
    const described = `${describeInput(path, info)}${text}`;
    if (!hasRows) return warning(`${described}; there are no data rows`);
    return wanted === undefined || world.mapping
      ? ok(described)
      : warning(`${described}; its columns were not compared, as the mapping cannot be used`);
  },
};

interface Read {
  readonly info: NonNullable<World['info']>;
  readonly text: string;
  readonly hasRows: boolean;
}

async function withColumns(world: World, path: string): Promise<Read> {
  const { mapping, installation, request } = world;
  if (!mapping) return alone(world, path);
  const options = { ...mapping.source, ...request.source };
  const context = { mapping, installation, options, verify: false };
  const input = await openInput({ path, name: path }, context);
  try {
    const first = await input.rows().next();
    const columns = `all ${counted(input.mapping.columns.length, 'column')} found`;
    return { info: input.opened.info, text: `, ${columns}`, hasRows: first.done !== true };
  } finally {
    await input.close();
  }
}

async function alone({ request }: World, path: string): Promise<Read> {
  const source = await openSource(path, request.source);
  let rows = 0;
  for await (const batch of source.batches()) {
    rows += batch.length;
    if (rows > 1) break;
  }
  return { info: source.info, text: '', hasRows: rows > 1 };
}

const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;
