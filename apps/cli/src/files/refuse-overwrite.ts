import type { MillraceClient } from '@millrace/sdk/client';
import { MillraceError } from '@millrace/sdk/millrace-error';
import type { Workflow } from '@millrace/sdk/records';
import { members, users, versions } from '@millrace/sdk/resources';
import { CliError } from '../cli-error.js';

/** Why a file is not saved: who saved the version that it would overwrite, and what the user can do. */
export async function refuseOverwrite(
  client: MillraceClient,
  workflow: Pick<Workflow, 'id' | 'name'>,
  wasKnown: boolean,
): Promise<CliError> {
  const query = { ordering: '-number', page_size: 1 };
  const { results } = await client.call(versions.listVersions, { params: { id: workflow.id }, query });
  const [latest] = results;
  const saved = latest
    ? `Version ${latest.number} was saved by ${await nameAuthor(client, latest.author)} on ${formatTime(latest.created_date)}.`
    : 'It has a newer version.';
  const why = wasKnown
    ? `The workflow "${workflow.name}" has changed on the server since you last ran this file.`
    : `The workflow "${workflow.name}" already exists on the server and differs from this file, which you have not run from this machine before.`;
  return new CliError(
    `${why}\n${saved} Nothing was saved, and no run was started.\n` +
      `  To see that version:  npx millrace export ${workflow.id} --output theirs.yaml\n` +
      '  To overwrite it:      the same command with --force',
  );
}

/** Only those who organize the vault may list its users. */
async function nameAuthor(client: MillraceClient, author: string): Promise<string> {
  if ((await client.call(users.getMe)).id === author) return 'you (elsewhere, or from another file)';
  try {
    for await (const member of client.each(members.listMembers)) {
      if (member.id === author) return `${member.name} (${member.email})`;
    }
  } catch (error) {
    if (!(error instanceof MillraceError) || error.status !== 403) throw error;
  }
  return `another user (id ${author})`;
}

const formatTime = (date: string): string => `${date.slice(0, 16).replace('T', ' ')} UTC`;
