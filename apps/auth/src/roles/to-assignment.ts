import type { z } from 'zod';
import type { spaceAssignment } from '@millrace/contracts/auth/roles';
import type { SpaceRole } from '@millrace/contracts/kit/permissions';
import type { SpaceAssignment, Team, User } from '@millrace/persistence/generated/client';

type Row = SpaceAssignment & { user: User | null; team: Team | null };

export const toAssignment = ({ id, role, user, team, createdAt }: Row): z.input<typeof spaceAssignment> => ({
  id,
  role: role as SpaceRole,
  ...(user && { user: { id: user.id, email: user.email, name: user.name } }),
  ...(team && { team: { id: String(team.id), name: team.name } }),
  created_date: createdAt.toISOString(),
});
