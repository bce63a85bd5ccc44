import type { Worker } from '@millrace/client';
import { formatLabels } from '@millrace/contracts/runs/labels-text';

export interface WorkerFilter {
  /** Text in the name of the machine, the id or the labels. */
  q?: string | undefined;
  fleet?: string | undefined;
  state?: Worker['state'] | undefined;
}

/** The workers that match, by fleet and machine. The API lists all of them at once. */
export function filterWorkers(workers: readonly Worker[], { q = '', fleet, state }: WorkerFilter): Worker[] {
  const text = q.toLowerCase();
  return workers
    .filter(
      (worker) =>
        (fleet === undefined || worker.fleet === fleet) &&
        (state === undefined || worker.state === state) &&
        `${worker.host} ${worker.id} ${formatLabels(worker.labels)}`.toLowerCase().includes(text),
    )
    .toSorted((a, b) => a.fleet.localeCompare(b.fleet) || a.host.localeCompare(b.host) || a.id.localeCompare(b.id));
}
