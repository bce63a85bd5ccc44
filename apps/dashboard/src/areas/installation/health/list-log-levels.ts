import type { AdminAuditEntry, LogLevelSetBody } from '@millrace/client';

/** A log level that a service has for some minutes. */
export interface ChangedLevel {
  service: string;
  level: LogLevelSetBody['level'];
  until: string;
  /** Email of the administrator. */
  by: string | undefined;
}

/** The changes of log levels that apply at a time, read from the audit log. Only the newest change of a service does. */
export function listLogLevels(newestFirst: readonly AdminAuditEntry[], now: number): ChangedLevel[] {
  const seen = new Set<string>();
  return newestFirst.flatMap(({ target_id: service, details, actor, created_date: begin }) => {
    const { level, minutes } = details;
    if (service === undefined || seen.has(service) || typeof minutes !== 'number') return [];
    seen.add(service);
    const until = Date.parse(begin) + minutes * 60_000;
    if (until <= now) return [];
    return [{ service, level: level as ChangedLevel['level'], until: new Date(until).toISOString(), by: actor?.email }];
  });
}
