import { initInstallation } from '../../../app/init/init.js';
import type { InstallationDraft, setupRoutes } from '../../shared/setup.js';
import type { Handlers } from '../handler.js';
import { Refusal } from '../refusal.js';
import type { Setup } from '../settings.js';
import type { Site } from '../site.js';

export const setupHandlers: Handlers<keyof typeof setupRoutes> = {
  'POST /api/setup/sandbox': async (_asked, { site }) => {
    site.change(await setupOf(site).sandbox());
    return {};
  },
  'POST /api/setup/installation': async ({ body }, { site, signal }) => {
    const setup = setupOf(site);
    const { env } = site.settings;
    const out = setup.file;
    const request = { ...requestOf(body), out, force: false, env, signal };
    const { fields, isRead } = await initInstallation(request);
    site.change(await setup.installation(out));
    const variable = body.header?.variable;
    const missing = variable !== undefined && env[variable] === undefined ? [variable] : [];
    return { file: out, fields, isRead, missing };
  },
};

function setupOf({ settings: { setup, center } }: Site): Setup {
  if (setup && !center) return setup;
  throw new Refusal(409, {
    code: 'has_center',
    sentence: 'This page has a contact center already.',
    next: 'For another one, start "cardline ui" with its installation.',
  });
}

/** As the command line is given it. */
const requestOf = ({ url, header, ids, fields }: InstallationDraft) => ({
  url,
  headers: header ? [headerText(header)] : [],
  ids: ids.map(({ name, value }) => (value === '' ? name : `${name}=${value}`)),
  fields: fields.filter((field) => field !== ''),
});

const headerText = ({ name, scheme, variable }: NonNullable<InstallationDraft['header']>): string =>
  `${name}: ${scheme === '' ? '' : `${scheme} `}\${${variable}}`;
