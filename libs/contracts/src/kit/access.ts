import { hasVaultRole, PERMISSIONS, type Permission, type SpaceRole, type VaultRole } from './permissions.js';
import type { ServiceName } from './service-name.js';

/**
 * Who may call an operation.
 * - `public`: anybody, without a token.
 * - `granted`: whoever holds any of these rows of the permission matrix. The gateway decides the vault's rows; the service
 *   that loads the record decides the space's, by the record's space (`Context.enter`).
 * - `internal`: other services only; not reachable over REST.
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'granted'; anyOf: readonly Permission[] }
  | { kind: 'internal'; callers: readonly ServiceName[] };

export const publicAccess: Access = { kind: 'public' };
export const requires = (...anyOf: [Permission, ...Permission[]]): Access => ({ kind: 'granted', anyOf });
/** Any signed-in user, for what is their own or is bounded by what they may see. */
export const anyUser: Access = requires('vault.belong');
export const onlyServices = (...callers: ServiceName[]): Extract<Access, { kind: 'internal' }> => ({
  kind: 'internal',
  callers,
});

/** Whether a vault role alone opens an operation. */
export function vaultRoleSuffices(access: Access, held: VaultRole): boolean {
  if (access.kind !== 'granted') return false;
  return access.anyOf
    .map((name) => PERMISSIONS[name])
    .some((row) => row.scope === 'vault' && hasVaultRole(held, row.role));
}

/** The role in the record's space that opens an operation; null where none does by itself. */
export function requiredSpaceRole(access: Access): SpaceRole | null {
  if (access.kind !== 'granted') return null;
  const row = access.anyOf.map((name) => PERMISSIONS[name]).find(({ scope }) => scope === 'space');
  return row?.scope === 'space' ? row.role : null;
}
