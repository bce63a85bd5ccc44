import { addMetricSource, createGauge, type Sample } from '@millrace/telemetry/metrics/registry';

const slots = createGauge('millrace_worker_slots', 'Dispatches that this worker can run at once', ['fleet']);
const busySlots = createGauge('millrace_worker_busy_slots', 'Slots that run a dispatch, or are cleaned after one', [
  'fleet',
]);
const sandboxSlots = createGauge('millrace_worker_sandbox_slots', 'Sandboxes that this worker can have at once', []);
const sandboxes = createGauge('millrace_worker_sandboxes', 'Sandboxes of this worker by state', ['state']);

/** What a worker can do at once, and does now. */
export interface WorkerLoad {
  slots: number;
  busy: number;
}

export interface SandboxLoad {
  slots: number;
  open: number;
  /** Of these, with a command that runs. */
  running: number;
}

/** Measures at each scrape what a worker does. @returns a function that ends it */
export function measureWorker(fleet: string, readLoad: () => WorkerLoad, readSandboxes: () => SandboxLoad): () => void {
  return addMetricSource({
    name: 'worker',
    read: (): Sample[] => {
      const [load, hosted] = [readLoad(), readSandboxes()];
      return [
        { gauge: slots, labels: { fleet }, value: load.slots },
        { gauge: busySlots, labels: { fleet }, value: load.busy },
        { gauge: sandboxSlots, labels: {}, value: hosted.slots },
        { gauge: sandboxes, labels: { state: 'running' }, value: hosted.running },
        { gauge: sandboxes, labels: { state: 'idle' }, value: Math.max(0, hosted.open - hosted.running) },
      ];
    },
  });
}
