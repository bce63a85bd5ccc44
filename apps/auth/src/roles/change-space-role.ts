import { DEFAULT_ROLES, type SpaceRole } from '@millrace/contracts/kit/permissions';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { byCaller, noteAudit } from '../audit/write-audit-entry.js';
import { lockVault } from '../vaults/lock-vault.js';
import { requireRoles } from './require-roles.js';

/** Who holds a role in a space. */
export type Holder = { name: string } & (
  | { type: 'user'; key: { userId: string } }
  | { type: 'team'; key: { teamId: bigint } }
);

interface Space {
  id: string;
  name: string;
}

/** Gives a role in a space, in the place of one that the holder had there. */
export async function assignSpaceRole(
  tx: Transaction,
  space: Space,
  holder: Holder,
  role: SpaceRole,
  context: Context,
): Promise<void> {
  const vault = await lockVault(tx, context.caller.vault);
  if (holder.type === 'team' || role !== DEFAULT_ROLES.space) requireRoles(vault);
  const held = { spaceId: space.id, ...holder.key };
  const former = await tx.spaceAssignment.findFirst({ where: held });
  if (former?.role === role) return;
  if (former) await tx.spaceAssignment.update({ where: { id: former.id }, data: { role } });
  else await tx.spaceAssignment.create({ data: { id: newId(), vaultId: vault.id, ...held, role } });
  await note(tx, 'space_role.assigned', space, holder, { role, before: former?.role ?? null }, context);
}

/** Takes a role in a space away; nothing where there is none. */
export async function removeSpaceRole(tx: Transaction, space: Space, holder: Holder, context: Context): Promise<void> {
  await lockVault(tx, context.caller.vault);
  const former = await tx.spaceAssignment.findFirst({ where: { spaceId: space.id, ...holder.key } });
  if (!former) return;
  await tx.spaceAssignment.delete({ where: { id: former.id } });
  await note(tx, 'space_role.removed', space, holder, { role: null, before: former.role }, context);
}

function note(
  tx: Transaction,
  action: 'space_role.assigned' | 'space_role.removed',
  space: Space,
  holder: Holder,
  change: { role: string | null; before: string | null },
  context: Context,
): Promise<void> {
  const id = holder.type === 'user' ? holder.key.userId : String(holder.key.teamId);
  return noteAudit(tx, {
    ...byCaller(context),
    action,
    target: { type: holder.type, id, name: holder.name },
    details: { ...change, space: space.id, space_name: space.name },
  });
}
