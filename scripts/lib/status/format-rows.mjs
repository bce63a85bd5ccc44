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
  const table = [['PROCESS', 'PID', 'UPTIME', 'RESTARTS', 'HEALTH'], ...cells];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** @param {import('./check-processes.mjs').Row} row */
export function isHealthy({ health }) {
  return health === 'ok' || health.startsWith('ok ');
}
