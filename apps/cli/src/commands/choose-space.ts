import { setTimeout as sleep } from 'node:timers/promises';
import type { MillraceClient, Space } from '@millrace/client';
import { notFound } from '../cli-error.js';
import { findSpace } from '../resolve-names.js';

/** The server creates the first space of a new account shortly after the account. */
const FIRST_SPACE_TIMEOUT_MS = 10_000;
const FIRST_SPACE_POLL_INTERVAL_MS = 200;

/** Returns the id of the space with that name; without a name, of the playground, else of the oldest space. */
export async function chooseSpace(client: MillraceClient, name: string | undefined): Promise<string> {
  for (const deadline = Date.now() + FIRST_SPACE_TIMEOUT_MS; ; await sleep(FIRST_SPACE_POLL_INTERVAL_MS)) {
    const { results } = await client.spaces.list({ ordering: 'created_date' });
    const found = name === undefined ? pickDefault(results) : results.find((space) => space.name === name);
    if (found) return found.id;
    if (results.length === 0 && Date.now() < deadline) continue;
    const names = results.map((space) => `"${space.name}"`).join(', ');
    throw notFound(
      name === undefined ? 'You have no space yet.' : `No space named "${name}" exists. Your spaces are: ${names}.`,
    );
  }
}

/** Returns the id of the space with that id or name; without one, of the default space. */
export const findSpaceOrDefault = (client: MillraceClient, name: string | undefined): Promise<string> =>
  name === undefined ? chooseSpace(client, undefined) : findSpace(client, name);

const pickDefault = (spaces: Space[]): Space | undefined => spaces.find((space) => space.playground) ?? spaces[0];
