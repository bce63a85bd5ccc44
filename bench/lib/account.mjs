import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MillraceClient } from '@millrace/client';
import { sessions, spaces, users, versions, workflows } from '@millrace/contracts/resources';

/**
 * A new user of a new vault, who authenticates with an API token, or in a browser with a password.
 * @typedef {{ client: MillraceClient, token: string, email: string, password: string, space: string }} Account
 */

/**
 * @param {string} url
 * @returns {Promise<Account>}
 */
export async function signUp(url) {
  const [email, password] = [`bench-${randomUUID()}@example.org`, randomUUID()];
  const body = { email, password, name: 'Bench' };
  const { access } = await new MillraceClient({ baseUrl: url }).call(sessions.signup, { body });
  const session = new MillraceClient({ baseUrl: url, token: access });
  const { token } = await session.call(users.regenerateToken);
  const client = new MillraceClient({ baseUrl: url, token });
  for (;;) {
    const { results } = await client.call(spaces.listSpaces);
    if (results[0]) return { client, token, email, password, space: results[0].id };
    await sleep(100);
  }
}

/**
 * @param {Account} account
 * @param {string} name
 * @param {object} data
 * @returns {Promise<string>} the workflow's id
 */
export async function createWorkflow({ client, space }, name, data) {
  const { id } = await client.call(workflows.createWorkflow, { params: { spaceId: space }, body: { name } });
  await client.call(versions.saveVersion, { params: { id }, body: { data } });
  return id;
}

/**
 * A connection between two ports, each named `<node>/<port>`. The prefixes `output/` and `input/` are added here.
 * @param {string} from
 * @param {string} to
 */
export const edge = (from, to) => ({ source: { id: `output/${from}` }, destination: { id: `input/${to}` } });
