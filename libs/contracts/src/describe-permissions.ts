import type { AnyOperation } from './kit/operation.js';
import { permissionRows, SPACE_ROLES, VAULT_ROLES, type PermissionRow } from './kit/permissions.js';
import { restOperations } from './registry.js';

/**
 * Writes the page `docs/reference/permissions.md`: the permission matrix, and the permissions that each operation
 * requires.
 */
export function describePermissions(): string {
  return [
    '# Roles and permissions',
    'Generated from `libs/contracts/src/kit/permissions.ts` and the operation registry by `npm run ' +
      'docs:permissions`; a test keeps this page up to date.',
    'A user has a role directly or through teams, and the most permissive one counts. Owners of the vault may ' +
      'enter every space.',
    '## Vault permissions',
    matrix('vault', VAULT_ROLES),
    '## Space permissions',
    matrix('space', SPACE_ROLES),
    '## Administrators of the installation',
    'Operations below `/admin` need neither a vault role nor a space role: no role gives them, and the role of an administrator ' +
      'gives nothing inside a vault. They accept a session of an administrator or an admin token, and never an ' +
      'API token. See [administration](../guides/administration.md).',
    '## Operations',
    'A caller needs one of the permissions listed. Permissions after *also* are required in addition, in the case ' +
      'named. A record in another vault, or in a space in which the caller has no role, is 404; listing your own ' +
      'roles in such a space returns an empty list.',
    table(['Operation', 'Summary', 'Requires'], restOperations.toSorted(byPath).map(operationRow)),
  ]
    .join('\n\n')
    .concat('\n');
}

function matrix(scope: PermissionRow['scope'], rolesAscending: readonly string[]): string {
  const roles = [...rolesAscending].reverse();
  const rows = permissionRows
    .filter((row) => row.scope === scope)
    .map((row) => [`\`${row.name}\``, row.may, ...roles.map((role) => (row.roles.includes(role) ? 'yes' : ''))]);
  return table(['Permission', 'Allows to', ...roles.map((role) => `\`${role}\``)], rows);
}

const byPath = (a: AnyOperation, b: AnyOperation): number =>
  `${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1;

const operationRow = (operation: AnyOperation): string[] => [
  `\`${operation.method} ${operation.path}\``,
  operation.summary,
  describeRequirement(operation),
];

function describeRequirement({ access, additionalPermissions, sessionOnly }: AnyOperation): string {
  if (access.kind === 'instanceAdmin') {
    return ['an administrator of the installation', ...(sessionOnly ? ['*also* a session'] : [])].join(', ');
  }
  if (access.kind !== 'granted') return 'nothing (public)';
  const permissions = access.anyOf.map((name) => `\`${name}\``).join(' or ');
  const additional = Object.entries(additionalPermissions).map(
    ([when, permission]) => `*also* \`${permission}\` ${when}`,
  );
  return [permissions, ...additional, ...(sessionOnly ? ['*also* a session'] : [])].join(', ');
}

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escape).join(' | ')} |`).join('\n');

const escape = (cell: string): string => cell.replaceAll('|', String.raw`\|`);
