import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { requiredSpaceRole, requires, vaultRoleSuffices } from './access.js';
import {
  hasSpaceRole,
  hasVaultRole,
  permissionRows,
  PERMISSIONS,
  SPACE_ROLES,
  strongestSpaceRole,
  strongestVaultRole,
  VAULT_ROLES,
} from './permissions.js';

describe('the permission matrix', () => {
  it('gives each permission to the intended roles', () => {
    const rolesByName = permissionRows.map(({ name, roles }) => [name, roles]);
    expect(Object.fromEntries(rolesByName)).toEqual({
      'vault.administer': ['owner'],
      'vault.organize': ['owner', 'space_admin'],
      'vault.integrate': ['owner', 'space_admin'],
      'vault.belong': ['owner', 'space_admin', 'member'],
      'space.administer': ['owner'],
      'space.edit': ['owner', 'write'],
      'space.run': ['owner', 'write', 'execute'],
      'space.see': ['owner', 'write', 'execute', 'read'],
      'space.query': ['owner', 'write', 'execute', 'read', 'insights'],
    });
  });

  it('permits an operation to exactly the vault roles that one of its permissions names', () => {
    for (const { name, scope, roles } of permissionRows) {
      for (const role of VAULT_ROLES) {
        expect(vaultRoleSuffices(requires(name), role)).toBe(scope === 'vault' && roles.includes(role));
      }
      expect(requiredSpaceRole(requires(name))).toBe(scope === 'space' ? PERMISSIONS[name].role : null);
    }
    const either = requires('vault.organize', 'space.administer');
    expect([vaultRoleSuffices(either, 'space_admin'), vaultRoleSuffices(either, 'member')]).toEqual([true, false]);
    expect(requiredSpaceRole(either)).toBe('owner');
  });
});

it('the strongest of several roles is one of them, and at least as strong as each', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...SPACE_ROLES)),
      fc.array(fc.constantFrom(...VAULT_ROLES)),
      (space, vault) => {
        const [inSpace, inVault] = [strongestSpaceRole(space), strongestVaultRole(vault)];
        expect(inSpace === null).toBe(space.length === 0);
        expect(inVault === null).toBe(vault.length === 0);
        for (const role of space) expect(inSpace !== null && hasSpaceRole(inSpace, role)).toBe(true);
        for (const role of vault) expect(inVault !== null && hasVaultRole(inVault, role)).toBe(true);
        if (inSpace) expect(space).toContain(inSpace);
        if (inVault) expect(vault).toContain(inVault);
      },
    ),
  );
});
