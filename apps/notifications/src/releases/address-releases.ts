import { randomUUID } from 'node:crypto';
import { describeVault } from '@millrace/contracts/auth/vaults';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { News } from '../recipients/notify-users.js';

export interface Release extends Omit<News, 'user'> {
  author: string;
}

/** A notification of each release for everybody of its vault but the author, as auth knows them now. */
export async function addressToVault(rpc: RpcClient, releases: readonly Release[]): Promise<News[]> {
  const users = new Map<string, string[]>();
  for (const vault of new Set(releases.map((release) => release.vault))) users.set(vault, await usersOf(rpc, vault));
  return releases.flatMap(({ author, ...said }) =>
    (users.get(said.vault) ?? []).filter((user) => user !== author).map((user) => ({ ...said, user })),
  );
}

/** Nobody where the vault is gone. */
async function usersOf(rpc: RpcClient, vault: string): Promise<string[]> {
  try {
    return (await rpc.call(describeVault, { vault }, { caller: null, requestId: randomUUID() })).users;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return [];
    throw error;
  }
}
