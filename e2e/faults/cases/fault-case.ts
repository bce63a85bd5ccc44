import { SERVICES } from '@millrace/contracts/kit/service-name';

/** Changes of a run's state at which faults are injected. */
export const EDGES = [
  'claim',
  'start',
  'output-stored',
  'report',
  'gather',
  'cache-write',
  'last-report',
  'stop',
  'pause',
  'approval',
  'retry',
  'collection',
] as const;
export type Edge = (typeof EDGES)[number];

export const SERVERS = ['postgres', 'redis', 'nats'] as const;
export type Server = (typeof SERVERS)[number];
export const PROCESSES = [...SERVERS, ...SERVICES] as const;
export type ProcessName = (typeof PROCESSES)[number];

export const isServer = (process: ProcessName): process is Server => SERVERS.some((server) => server === process);

/**
 * `at`: the transaction of the edge is open, and its last statement waits. `after`: it is committed, and the process that
 * committed it does not know.
 */
export type Moment = 'at' | 'after';

export const DISKS = ['data', 'objects', 'logs'] as const;

/** What happens to the system at an edge. */
export type Fault =
  | { kind: 'kill' | 'stop' | 'restart'; process: ProcessName; moment: Moment }
  | { kind: 'flush-redis' | 'remove-jetstream' }
  | { kind: 'cut-off'; from: readonly Server[]; seconds: number }
  | { kind: 'reports'; how: 'duplicated' | 'late' | 'reordered' }
  | { kind: 'clock'; direction: 'ahead' | 'behind' }
  | { kind: 'full-disk'; disk: (typeof DISKS)[number]; of: 'bytes' | 'inodes' };

/** One row of the matrix: a fault at an edge. */
export interface FaultCase {
  /** Stable, such as `kill-worker-at-output-stored`. */
  name: string;
  fault: Fault;
  edge: Edge;
}

/** How long a process is stopped by SIGSTOP: longer than every lease and timeout of a call. */
export const STOP_SECONDS = 30;
