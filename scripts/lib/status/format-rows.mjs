import { formatTable } from '../format-table.mjs';
import { formatDuration } from '../report.mjs';

/**
 * @param {import('./check-processes.mjs').Row[]} rows
 * @param {number} now milliseconds since the epoch
 */
export function formatRows(rows, now) {
  const cells = rows.map(({ name, pid, startedAt, restarts, health }) => [
    name,
    pid === undefined ? '-' : String(pid),
    pid === undefined || startedAt === undefined ? '-' : formatDuration(now - startedAt),
    restarts === undefined ? '-' : String(restarts),
    health,
  ]);
  return formatTable(['PROCESS', 'PID', 'UPTIME', 'RESTARTS', 'HEALTH'], cells);
}

/** @param {import('./check-processes.mjs').Row} row */
export function isHealthy({ health }) {
  return health === 'ok' || health.startsWith('ok ');
}
