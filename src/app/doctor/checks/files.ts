import { syncFields } from '../../../installation/installation.js';
import { loadInstallation } from '../../../installation/load.js';
import { columnsOf } from '../../../mapping/columns/column-uses.js';
import { compileMapping } from '../../../mapping/compile.js';
import { loadMapping } from '../../../mapping/load.js';
import { openInput } from '../../../prepare/inputs/input.js';
import { openWithinLimits } from '../../../prepare/inputs/open-within-limits.js';
import { lookupTable } from '../../../prepare/lookup-table.js';
import { ok, warning } from '../finding.js';
import type { Check, CheckContext } from '../check.js';

/** The installation file is right in itself. */
export const installation: Check = {
  needs: [],
  run: async (context) => {
    const file = context.request.installation;
    const { card, name } = (context.installation = await loadInstallation(file));
    const fields = counted(Object.keys(card).length, 'card field');
    return ok(`${file}: "${name}", ${fields}, identified by ${syncFields(card).join(', ')}`);
  },
};

/** The mapping is right in itself, and suits the card. */
export const mapping: Check = {
  needs: [],
  isAsked: ({ request }) => request.mapping !== undefined,
  run: async (context) => {
    const { mapping: file = '', mode } = context.request;
    const loaded = await loadMapping(file, { readTable: lookupTable, mode });
    const headers = columnsOf(loaded);
    const { card, clientRoles } = context.installation ?? {};
    compileMapping({ mapping: loaded, card, clientRoles, headers, file });
    context.mapping = loaded;
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
  run: async (context) => {
    const { file: path = '', mapping: wanted, describeInput } = context.request;
    const { info, text, hasRows } = await (context.mapping ? withColumns : alone)(context, path);
    context.info = info;
    const described = `${describeInput(path, info)}${text}`;
    if (!hasRows) return warning(`${described}; there are no data rows`);
    return wanted === undefined || context.mapping
      ? ok(described)
      : warning(`${described}; its columns were not compared, as the mapping cannot be used`);
  },
};

interface Read {
  readonly info: NonNullable<CheckContext['info']>;
  readonly text: string;
  readonly hasRows: boolean;
}

async function withColumns(context: CheckContext, path: string): Promise<Read> {
  const { mapping, installation, request } = context;
  if (!mapping) return alone(context, path);
  const options = { ...mapping.source, ...request.source };
  const wanted = request.source ?? {};
  const how = { mapping, installation, options, wanted, verify: false };
  const input = await openInput({ path, name: path }, how);
  try {
    const first = await input.rows().next();
    const columns = `all ${counted(input.mapping.columns.length, 'column')} found`;
    return { info: input.opened.info, text: `, ${columns}`, hasRows: first.done !== true };
  } finally {
    await input.close();
  }
}

async function alone({ request }: CheckContext, path: string): Promise<Read> {
  const source = await openWithinLimits(path, request.source);
  let rows = 0;
  for await (const batch of source.batches()) {
    rows += batch.length;
    if (rows > 1) break;
  }
  return { info: source.info, text: '', hasRows: rows > 1 };
}

const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;
