/** Vault roles, weakest first. */
export const VAULT_ROLES = ['member', 'space_admin', 'owner'] as const;
export type VaultRole = (typeof VAULT_ROLES)[number];

/** Space roles, weakest first. */
export const SPACE_ROLES = ['insights', 'read', 'execute', 'write', 'owner'] as const;
export type SpaceRole = (typeof SPACE_ROLES)[number];

/** Roles of every member under a plan without roles. Any other role requires the plan `enterprise`. */
export const DEFAULT_ROLES = { vault: 'member', space: 'write' } as const satisfies {
  vault: VaultRole;
  space: SpaceRole;
};

type Row = { may: string } & ({ scope: 'vault'; role: VaultRole } | { scope: 'space'; role: SpaceRole });

/**
 * The permission matrix: each permission with the weakest role that has it. The access guard, `x-svc-roles` of the API
 * description, `docs/reference/permissions.md` and the tests derive from it.
 */
export const PERMISSIONS = {
  'vault.administer': {
    scope: 'vault',
    role: 'owner',
    may: 'invite and remove users, assign vault roles, manage teams, billing and vault secrets, read the audit log, enter every space',
  },
  'vault.organize': {
    scope: 'vault',
    role: 'space_admin',
    may: 'create and delete spaces, see users and teams, list all workflows of the vault',
  },
  'vault.integrate': { scope: 'vault', role: 'space_admin', may: 'manage webhooks' },
  'vault.belong': {
    scope: 'vault',
    role: 'member',
    may: 'manage their own account, tokens and notifications; enter the spaces in which they have a role',
  },
  'space.administer': { scope: 'space', role: 'owner', may: 'manage members and secrets, change and delete the space' },
  'space.edit': {
    scope: 'space',
    role: 'write',
    may: 'edit workflows, projects, solutions, datasets and schedules; publish; delete runs',
  },
  'space.run': { scope: 'space', role: 'execute', may: 'start and stop runs' },
  'space.see': { scope: 'space', role: 'read', may: 'see workflows, runs, outputs and logs' },
  'space.query': { scope: 'space', role: 'insights', may: 'query Live Tables and views, export' },
} as const satisfies Record<string, Row>;

export type Permission = keyof typeof PERMISSIONS;

export const hasVaultRole = (role: VaultRole, required: VaultRole): boolean =>
  VAULT_ROLES.indexOf(role) >= VAULT_ROLES.indexOf(required);

export const hasSpaceRole = (role: SpaceRole, required: SpaceRole): boolean =>
  SPACE_ROLES.indexOf(role) >= SPACE_ROLES.indexOf(required);

/** The strongest of the given roles; null if there are none. */
export const strongestVaultRole = (roles: readonly VaultRole[]): VaultRole | null =>
  VAULT_ROLES.findLast((role) => roles.includes(role)) ?? null;
export const strongestSpaceRole = (roles: readonly SpaceRole[]): SpaceRole | null =>
  SPACE_ROLES.findLast((role) => roles.includes(role)) ?? null;

/** A permission with the roles that have it, strongest first, as the documentation shows it. */
export interface PermissionRow {
  name: Permission;
  scope: 'vault' | 'space';
  may: string;
  roles: string[];
}

export const permissionRows: readonly PermissionRow[] = Object.entries(PERMISSIONS).map(
  ([name, { scope, role, may }]) => {
    const ladder: readonly string[] = scope === 'vault' ? VAULT_ROLES : SPACE_ROLES;
    return { name: name as Permission, scope, may, roles: ladder.slice(ladder.indexOf(role)).reverse() };
  },
);
