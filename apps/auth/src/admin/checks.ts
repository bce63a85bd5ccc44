import { Prisma } from '@millrace/persistence/generated/client';
import { checkBySql, type InvariantCheck } from '@millrace/service/admin/invariant-check';

/** What must hold for users and vaults. */
export const authChecks = (): InvariantCheck[] => [
  checkBySql(
    'A vault has an owner',
    Prisma.sql`
      SELECT v.id::text AS id FROM auth.vault v
      WHERE NOT EXISTS (SELECT FROM auth."user" u WHERE u.vault_id = v.id AND u.vault_role = 'owner')`,
  ),
  checkBySql(
    'A suspended user is disabled, and has no session and no token',
    Prisma.sql`
      SELECT u.id::text AS id FROM auth."user" u WHERE u.suspended_at IS NOT NULL
        AND (u.disabled_at IS NULL OR u.token_hash IS NOT NULL
          OR EXISTS (SELECT FROM auth.session s WHERE s.user_id = u.id AND s.revoked_at IS NULL))`,
  ),
  checkBySql(
    'The roles of a user are in their own vault',
    Prisma.sql`
      SELECT a.id::text AS id FROM auth.space_assignment a JOIN auth."user" u ON u.id = a.user_id
      WHERE a.vault_id <> u.vault_id`,
  ),
];
