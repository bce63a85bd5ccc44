import { hasVaultRole, PERMISSIONS, type Permission, type SpaceRole, type VaultRole } from './permissions.js';
import type { ServiceName } from './service-name.js';

/**
 * Who may call an operation.
 * - `public`: everyone, without credentials.
 * - `granted`: a caller who has at least one of these permissions. The gateway checks the vault permissions. The
 * service that loads the record checks the space permissions with `Context.requireSpaceRole`.
 * - `instanceAdmin`: an administrator of the installation, with a session or an admin token. No vault role permits it.
 * - `internal`: only the named services; the operation has no REST route.
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'granted'; anyOf: readonly Permission[] }
  | { kind: 'instanceAdmin' }
  | { kind: 'internal'; callers: readonly ServiceName[] };

export const publicAccess: Access = { kind: 'public' };
export const requires = (...anyOf: [Permission, ...Permission[]]): Access => ({ kind: 'granted', anyOf });
/** Every signed-in user, for their own records or for lists that contain only what they may see. */
export const anyUser: Access = requires('vault.belong');
/** Administrators of the installation, whatever their vault is. */
export const instanceAdmin: Access = { kind: 'instanceAdmin' };
export const onlyServices = (...callers: ServiceName[]): Extract<Access, { kind: 'internal' }> => ({
  kind: 'internal',
  callers,
});

/** True if a vault role alone permits the operation. */
export function vaultRoleSuffices(access: Access, vaultRole: VaultRole): boolean {
  if (access.kind !== 'granted') return false;
  return access.anyOf
    .map((permission) => PERMISSIONS[permission])
    .some((row) => row.scope === 'vault' && hasVaultRole(vaultRole, row.role));
}

/** The role that the operation requires in the record's space; null if no space role alone permits it. */
export function requiredSpaceRole(access: Access): SpaceRole | null {
  if (access.kind !== 'granted') return null;
  const row = access.anyOf.map((permission) => PERMISSIONS[permission]).find(({ scope }) => scope === 'space');
  return row?.scope === 'space' ? row.role : null;
}
