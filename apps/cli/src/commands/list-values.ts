import type { MillraceClient } from '@millrace/client';
import { connect } from '../account/connect.js';
import { CredentialsFile } from '../account/credentials-file.js';
import type { CliEnv } from '../env.js';
import { listAllProjects } from '../resolve-names.js';
import type { ListValues } from './completion.js';

/** A completion must not make the user wait. */
const TIMEOUT_MS = 2_000;
/** Records to offer: one page. */
const MAX_RECORDS = 100;

interface Named {
  id: string;
  name: string;
}

const WORKFLOWS = (client: MillraceClient) => listNames(client.workflows.list({ page_size: MAX_RECORDS }));

/** What to offer, by the name of an argument or option. */
const LISTS: { [name: string]: ((client: MillraceClient) => Promise<string[]>) | undefined } = {
  run: listRuns,
  reuse: listRuns,
  a: listRuns,
  b: listRuns,
  workflow: WORKFLOWS,
  'file-or-workflow': WORKFLOWS,
  space: (client) => listNames(client.spaces.list({ page_size: MAX_RECORDS })),
  project: (client) => listNames(listAllProjects(client)),
  table: (client) => listNames(client.datasets.list({ page_size: MAX_RECORDS })),
  webhook: (client) => listNames(client.webhooks.list({ page_size: MAX_RECORDS })),
};

/** Lists values from the server of a command line. A server that does not respond gives none. */
export function listValuesOf(env: CliEnv): ListValues {
  return async (name) => {
    if (name === 'profile') return Object.keys((await new CredentialsFile(env.credentialsFile).read()).profiles);
    const list = LISTS[name];
    if (list === undefined) return [];
    const timeout = new Promise<string[]>((resolve) => setTimeout(resolve, TIMEOUT_MS, []).unref());
    return Promise.race([connect(env).then(list), timeout]).catch(() => []);
  };
}

/** The newest runs. */
async function listRuns(client: MillraceClient): Promise<string[]> {
  const { results } = await client.runs.list({ page_size: MAX_RECORDS });
  return results.map(({ id }) => id);
}

async function listNames(records: AsyncIterable<Named>): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of records) {
    names.push(name);
    if (names.length === MAX_RECORDS) break;
  }
  return names;
}
