import { describeVault } from '@millrace/contracts/auth/vaults';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { hasSpaceRole, type SpaceRole } from '@millrace/contracts/kit/permissions';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { findContacts } from '../recipients/find-contacts.js';

/** @returns the users of a vault who have a role in a space; none if the vault was deleted */
export async function findApprovers(rpc: RpcClient, vault: string, space: string, role: SpaceRole): Promise<string[]> {
  try {
    const { users } = await rpc.call(describeVault, { vault }, { caller: null });
    const contacts = await findContacts(rpc, vault, new Set(users));
    return [...contacts.values()].flatMap(({ user, spaces }) => {
      const held = spaces === 'all' ? 'owner' : spaces[space];
      return held && hasSpaceRole(held, role) ? [user] : [];
    });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return [];
    throw error;
  }
}
