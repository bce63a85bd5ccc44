import type { Result } from '@millrace/contracts/kit/operation';
import { labels, stepSize, WORKER_LEASE_MS } from '@millrace/contracts/runs/report';
import type { getWorker } from '@millrace/contracts/runs/workers';
import type { Worker } from '@millrace/persistence/generated/client';

type WorkerRecord = Result<typeof getWorker>;

/** @param busy number of dispatches that it has begun */
export function toWorker(row: Worker, busy: number): WorkerRecord {
  return {
    id: row.id,
    host: row.host,
    fleet: row.fleet,
    labels: labels.parse(row.labels),
    sizes: stepSize.array().parse(row.sizes),
    slots: row.slots,
    busy,
    memory: row.memory as Record<string, number> | null,
    version: row.version,
    isolated: row.isolated,
    programs: row.programs,
    state: stateOf(row),
    started_date: row.startedAt.toISOString(),
    last_seen: row.lastSeen.toISOString(),
  };
}

function stateOf({ state, desired, lastSeen }: Worker): WorkerRecord['state'] {
  if (lastSeen.getTime() < Date.now() - WORKER_LEASE_MS) return 'lost';
  // A worker that shuts down drains, whatever it has to do.
  if (state === 'draining' || state === 'stopped' || desired === 'draining') return 'draining';
  return desired === 'cordoned' ? 'cordoned' : 'active';
}
