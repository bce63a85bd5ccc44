import { userInfo } from 'node:os';
import { Database } from '@millrace/persistence/database';
import { insertAdminAudit } from '../audit/write-admin-audit.js';
import { addAdmin, lockAdmins } from './change-admins.js';

/** What somebody with access to the database may do without being an administrator. */
export type AdminCommand = { name: 'grant' | 'revoke'; email: string } | { name: 'list' };

/** An expected failure. The message is complete. */
export class AdminCommandError extends Error {}

/** Runs `npm run admin`. @returns lines to print */
export async function runAdminCommand(databaseUrl: string, command: AdminCommand): Promise<string[]> {
  const database = new Database({ url: databaseUrl, service: 'auth', connections: 1 });
  try {
    if (command.name === 'list') return await list(database);
    const email = command.email.trim().toLowerCase();
    return [await (command.name === 'grant' ? grant(database, email) : revoke(database, email))];
  } finally {
    await database.close();
  }
}

async function list(database: Database): Promise<string[]> {
  const rows = await database.client.instanceAdmin.findMany({ include: { user: true }, orderBy: { grantedAt: 'asc' } });
  if (rows.length === 0) return ['This installation has no administrator.'];
  return rows.map(({ user, grantedAt, grantedBy }) => {
    const by = grantedBy === null ? 'by a command' : `by ${grantedBy}`;
    const notes = [user.suspendedAt && 'suspended', !user.mfaConfirmedAt && 'no second factor'].filter(Boolean);
    const suffix = notes.length > 0 ? ` (${notes.join(', ')})` : '';
    return `${user.email}  since ${grantedAt.toISOString()} ${by}${suffix}`;
  });
}

const grant = (database: Database, email: string): Promise<string> =>
  database.transaction(async (tx) => {
    const added = await addAdmin(tx, email, null);
    if (!added) {
      throw new AdminCommandError(`No account has the email ${email}. Sign up with it first, then grant the role.`);
    }
    const { row, isNew } = added;
    if (!isNew) return `${email} is an administrator already.`;
    const target = { type: 'user', id: row.userId, name: email } as const;
    await insertAdminAudit(tx, { action: 'admin.granted', target, details: byOperator() }, { credential: 'command' });
    return `${email} is an administrator of this installation now.`;
  });

const revoke = (database: Database, email: string): Promise<string> =>
  database.transaction(async (tx) => {
    await lockAdmins(tx);
    const found = await tx.instanceAdmin.findFirst({ where: { user: { email } } });
    if (!found) throw new AdminCommandError(`${email} is not an administrator of this installation.`);
    await tx.instanceAdmin.delete({ where: { userId: found.userId } });
    const target = { type: 'user', id: found.userId, name: email } as const;
    await insertAdminAudit(tx, { action: 'admin.revoked', target, details: byOperator() }, { credential: 'command' });
    return `${email} is no longer an administrator of this installation.`;
  });

/** In a container, the user may have no name. */
function byOperator(): { operator: string } {
  try {
    return { operator: userInfo().username };
  } catch {
    return { operator: String(process.getuid?.() ?? 'unknown') };
  }
}
