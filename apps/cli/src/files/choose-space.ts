import { setTimeout as sleep } from 'node:timers/promises';
import type { MillraceClient } from '@millrace/sdk/client';
import type { Space } from '@millrace/sdk/records';
import { spaces } from '@millrace/sdk/resources';
import { CliError } from '../cli-error.js';

/** A new account's first space is made a moment after the account. */
const TIMEOUT_MS = 10_000;

/** The id of the space with that name, or of the playground, or of the oldest one. */
export async function chooseSpace(client: MillraceClient, name: string | undefined): Promise<string> {
  for (const deadline = Date.now() + TIMEOUT_MS; ; await sleep(200)) {
    const { results } = await client.call(spaces.listSpaces, { query: { ordering: 'created_date' } });
    const found = name === undefined ? pickDefault(results) : results.find((space) => space.name === name);
    if (found) return found.id;
    if (results.length === 0 && Date.now() < deadline) continue;
    const known = results.map((space) => `"${space.name}"`).join(', ');
    throw new CliError(
      name === undefined ? 'You have no space yet.' : `No space named "${name}" exists. Your spaces are: ${known}.`,
    );
  }
}

const pickDefault = (spaces: Space[]): Space | undefined => spaces.find((space) => space.playground) ?? spaces[0];
