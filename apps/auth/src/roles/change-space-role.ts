import { DEFAULT_ROLES, type SpaceRole } from '@millrace/contracts/kit/permissions';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { actorFromCaller, writeAuditEntry } from '../audit/write-audit-entry.js';
import { lockVault } from '../vaults/lock-vault.js';
import { requireRoles } from './require-roles.js';

/** The user or team that has a role in a space. */
export type Holder = { name: string } & (
  | { type: 'user'; key: { userId: string } }
  | { type: 'team'; key: { teamId: bigint } }
);

interface Space {
  id: string;
  name: string;
}

/** Assigns a role in a space; replaces the holder's previous role there. */
export async function assignSpaceRole(
  tx: Transaction,
  space: Space,
  holder: Holder,
  role: SpaceRole,
  context: Context,
): Promise<void> {
  const vault = await lockVault(tx, context.caller.vault);
  if (holder.type === 'team' || role !== DEFAULT_ROLES.space) requireRoles(vault);
  const key = { spaceId: space.id, ...holder.key };
  const previous = await tx.spaceAssignment.findFirst({ where: key });
  if (previous?.role === role) return;
  if (previous) await tx.spaceAssignment.update({ where: { id: previous.id }, data: { role } });
  else await tx.spaceAssignment.create({ data: { id: newId(), vaultId: vault.id, ...key, role } });
  await audit(tx, 'space_role.assigned', space, holder, { role, before: previous?.role ?? null }, context);
}

/** Removes a role in a space; does nothing if there is none. */
export async function removeSpaceRole(tx: Transaction, space: Space, holder: Holder, context: Context): Promise<void> {
  await lockVault(tx, context.caller.vault);
  const previous = await tx.spaceAssignment.findFirst({ where: { spaceId: space.id, ...holder.key } });
  if (!previous) return;
  await tx.spaceAssignment.delete({ where: { id: previous.id } });
  await audit(tx, 'space_role.removed', space, holder, { role: null, before: previous.role }, context);
}

function audit(
  tx: Transaction,
  action: 'space_role.assigned' | 'space_role.removed',
  space: Space,
  holder: Holder,
  change: { role: string | null; before: string | null },
  context: Context,
): Promise<void> {
  const id = holder.type === 'user' ? holder.key.userId : String(holder.key.teamId);
  return writeAuditEntry(tx, {
    ...actorFromCaller(context),
    action,
    target: { type: holder.type, id, name: holder.name },
    details: { ...change, space: space.id, space_name: space.name },
  });
}
