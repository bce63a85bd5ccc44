import type { AnyOperation } from './kit/operation.js';
import { permissionRows, SPACE_ROLES, VAULT_ROLES, type PermissionRow } from './kit/permissions.js';
import { restOperations } from './registry.js';

/** The page `docs/reference/permissions.md`: the matrix, and which operation wants which row of it. */
export function describePermissions(): string {
  return [
    '# Who may do what',
    'Made from `libs/contracts/src/kit/permissions.ts` and the registry by `npm run docs:permissions`; a test holds it true.',
    'A role comes to a user directly or through teams; the most permissive counts. Owners of the vault enter every space.',
    '## In the vault',
    matrix('vault', VAULT_ROLES),
    '## In a space',
    matrix('space', SPACE_ROLES),
    '## Operations',
    'Whoever holds any of the rows named may call; a row behind *also* is wanted besides for what stands before it. What belongs to another vault, or to a space without a role there, is 404; the own roles in such a space are an empty list.',
    table(['Operation', '', 'Wants'], restOperations.toSorted(byPath).map(operationRow)),
  ]
    .join('\n\n')
    .concat('\n');
}

function matrix(scope: PermissionRow['scope'], ladder: readonly string[]): string {
  const roles = [...ladder].reverse();
  const rows = permissionRows
    .filter((row) => row.scope === scope)
    .map((row) => [`\`${row.name}\``, row.may, ...roles.map((role) => (row.roles.includes(role) ? 'yes' : ''))]);
  return table(['', 'May', ...roles.map((role) => `\`${role}\``)], rows);
}

const byPath = (a: AnyOperation, b: AnyOperation): number =>
  `${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1;

const operationRow = (operation: AnyOperation): string[] => [
  `\`${operation.method} ${operation.path}\``,
  operation.summary,
  wantsOf(operation),
];

function wantsOf({ access, additionalPermissions, sessionOnly }: AnyOperation): string {
  if (access.kind !== 'granted') return 'nothing: it is public';
  const rows = access.anyOf.map((name) => `\`${name}\``).join(' or ');
  const more = Object.entries(additionalPermissions).map(([where, row]) => `${where} also \`${row}\``);
  return [rows, ...more, ...(sessionOnly ? ['and a session'] : [])].join(', ');
}

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escape).join(' | ')} |`).join('\n');

const escape = (cell: string): string => cell.replaceAll('|', String.raw`\|`);
