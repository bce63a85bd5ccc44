import type { Caller } from '@millrace/contracts/kit/envelope';
import { hasSpaceRole, type SpaceRole } from '@millrace/contracts/kit/permissions';

/** Whether a caller has the role in a space that an approval requires. */
export function mayDecide({ spaces }: Caller, space: string, required: SpaceRole): boolean {
  const role = spaces === 'all' ? 'owner' : spaces[space];
  return role !== undefined && hasSpaceRole(role, required);
}
