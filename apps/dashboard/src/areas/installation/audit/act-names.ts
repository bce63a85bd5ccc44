import type { AdminAuditEntry } from '@millrace/client';

/** Each act in words. */
export const ACT_NAMES: Record<AdminAuditEntry['action'], string> = {
  'admin.granted': 'Made a user an administrator',
  'admin.revoked': 'Revoked an administrator',
  'admin_token.created': 'Created an admin token',
  'admin_token.revoked': 'Revoked an admin token',
  'user.suspended': 'Suspended a user',
  'user.resumed': 'Resumed a user',
  'user.sign_in_reset': 'Reset a sign-in',
  'vault.suspended': 'Suspended a vault',
  'vault.resumed': 'Resumed a vault',
  'vault.limits_changed': 'Changed limits of a vault',
  'dead_letters.retried': 'Retried dead letters',
  'dead_letters.dropped': 'Dropped dead letters',
  'check.started': 'Started a check',
  'reindex.started': 'Started a reindex',
  'task.cancelled': 'Cancelled a task',
  'log_level.changed': 'Changed a log level',
  'join_token.created': 'Created a join token',
  'join_token.revoked': 'Revoked a join token',
  'worker.joined': 'A worker joined',
  'worker.revoked': 'Revoked a worker',
};

export const ACTS = Object.keys(ACT_NAMES) as AdminAuditEntry['action'][];

const WITHOUT_ACTOR: Record<AdminAuditEntry['credential'], string> = {
  command: 'npm run admin',
  join_token: 'a join token',
  // The account was deleted.
  session: 'a deleted account',
  token: 'a deleted account',
};

/** Who did it. */
export const actorOf = ({ actor, credential }: AdminAuditEntry): string => actor?.email ?? WITHOUT_ACTOR[credential];

/** What it was done to; empty if it concerned nothing in particular. */
export const targetOf = ({ target_name: name, target_id: id }: AdminAuditEntry): string => name ?? id ?? '';
