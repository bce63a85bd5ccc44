import type { Caller } from '@millrace/contracts/kit/envelope';
import { hasSpaceRole } from '@millrace/contracts/kit/permissions';

/** Whether the caller may edit in a space. */
export function canEdit({ spaces }: Caller, space: string): boolean {
  if (spaces === 'all') return true;
  const role = spaces[space];
  return role !== undefined && hasSpaceRole(role, 'write');
}
