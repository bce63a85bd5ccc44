import { describeVault } from '@millrace/contracts/auth/vaults';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { UserNotification } from '../recipients/notify-users.js';

export interface Release extends Omit<UserNotification, 'user'> {
  author: string;
}

/** Makes one notification of each release for every current user of its vault except the author. */
export async function addressReleases(rpc: RpcClient, releases: readonly Release[]): Promise<UserNotification[]> {
  const users = new Map<string, string[]>();
  for (const vault of new Set(releases.map((release) => release.vault))) users.set(vault, await findUsers(rpc, vault));
  return releases.flatMap(({ author, ...content }) =>
    (users.get(content.vault) ?? []).filter((user) => user !== author).map((user) => ({ ...content, user })),
  );
}

/** @returns the users of a vault; none if the vault was deleted */
async function findUsers(rpc: RpcClient, vault: string): Promise<string[]> {
  try {
    return (await rpc.call(describeVault, { vault }, { caller: null })).users;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return [];
    throw error;
  }
}
