import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MillraceClient } from '../../../libs/client/dist/index.js';

/** @typedef {{ url: string, client: MillraceClient, email: string, password: string, space: string }} DashboardUser */

/**
 * Makes a user with a vault of its own.
 * @param {string} url
 * @returns {Promise<DashboardUser>}
 */
export async function signUp(url) {
  const email = `bench-${randomUUID()}@example.org`;
  const password = randomUUID();
  const response = await fetch(`${url}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password, name: 'Bench' }),
  });
  if (!response.ok) throw new Error(`The sign-up responded with ${response.status}: ${await response.text()}`);
  const { access } = /** @type {{ access: string }} */ (await response.json());
  const session = new MillraceClient({ baseUrl: url, token: access });
  // The session is too short for a long measurement; an API token does not expire.
  const { token } = await session.users.regenerateToken();
  const client = new MillraceClient({ baseUrl: url, token });
  for (;;) {
    const { results } = await client.spaces.list();
    if (results[0]) return { url, client, email, password, space: results[0].id };
    await sleep(100);
  }
}
