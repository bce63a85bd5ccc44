import type { AdminAuditEntry, AuditEntry } from '@millrace/persistence/generated/client';
import { searchFilter } from '@millrace/persistence/list';

/** What a caller may filter an audit log by. */
export interface AuditQuery {
  action?: string | undefined;
  /** Id of a user. */
  actor?: string | undefined;
  /** Of the creation, included. */
  from?: string | undefined;
  /** Of the creation, excluded. */
  to?: string | undefined;
  search: string;
}

/** Conditions of the entries of an audit log, that of a vault or that of the installation. */
export const auditFilters = ({ action, actor, from, to, search }: AuditQuery) => [
  searchFilter(search, ['action', 'actorEmail', 'targetName']),
  { ...(action && { action }), ...(actor && { actorId: actor }) },
  { createdAt: { ...(from && { gte: new Date(from) }), ...(to && { lt: new Date(to) }) } },
];

/** The fields that the entries of both audit logs have. */
export const describeAuditEntry = (row: AuditEntry | AdminAuditEntry) => ({
  id: row.id,
  ...(row.actorId !== null && { actor: { id: row.actorId, email: row.actorEmail ?? '' } }),
  ...(row.targetType !== null && { target_type: row.targetType }),
  ...(row.targetId !== null && { target_id: row.targetId }),
  ...(row.targetName !== null && { target_name: row.targetName }),
  ...(row.address !== null && { address: row.address }),
  ...(row.agent !== null && { agent: row.agent }),
  created_date: row.createdAt.toISOString(),
});
