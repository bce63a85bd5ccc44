import type { ServiceName } from './service-name.js';

/** Vault roles, weakest first. */
export const VAULT_ROLES = ['member', 'space_admin', 'owner'] as const;
export type VaultRole = (typeof VAULT_ROLES)[number];

/** Space roles, weakest first. */
export const SPACE_ROLES = ['insights', 'read', 'execute', 'write', 'owner'] as const;
export type SpaceRole = (typeof SPACE_ROLES)[number];

/**
 * Who may call an operation.
 * - `public`: anybody, without a token.
 * - `user`: any signed-in user, for what is their own.
 * - `vault` / `space`: at least this role. The gateway checks vault roles; the service that loads the record checks the
 *   role in the record's space (`Context.enter`).
 * - `internal`: other services only; not reachable over REST.
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'user' }
  | { kind: 'vault'; role: VaultRole }
  | { kind: 'space'; role: SpaceRole }
  | { kind: 'internal'; callers: readonly ServiceName[] };

export const anybody: Access = { kind: 'public' };
export const anyUser: Access = { kind: 'user' };
export const vaultRole = (role: VaultRole): Access => ({ kind: 'vault', role });
export const spaceRole = (role: SpaceRole): Access => ({ kind: 'space', role });
export const onlyServices = (...callers: ServiceName[]): Extract<Access, { kind: 'internal' }> => ({
  kind: 'internal',
  callers,
});

export function hasVaultRole(held: VaultRole, wanted: VaultRole): boolean {
  return VAULT_ROLES.indexOf(held) >= VAULT_ROLES.indexOf(wanted);
}

export function hasSpaceRole(held: SpaceRole, wanted: SpaceRole): boolean {
  return SPACE_ROLES.indexOf(held) >= SPACE_ROLES.indexOf(wanted);
}
