import { DISKS, EDGES, PROCESSES, type Edge, type Fault, type FaultCase } from './fault-case.js';

/** The edges that a worker makes by its own work. All others are transactions of the runs service. */
const WORKER_EDGES: readonly Edge[] = ['output-stored'];

const toCase = (name: string, fault: Fault, edge: Edge): FaultCase => ({ name: `${name}-at-${edge}`, fault, edge });

const processCases = (kind: 'kill' | 'stop' | 'restart'): FaultCase[] =>
  PROCESSES.flatMap((process) =>
    EDGES.map((edge) => toCase(`${kind}-${process}`, { kind, process, moment: 'at' }, edge)),
  );

/** The runs service commits and never learns it. */
const afterCases = (kind: 'kill' | 'stop'): FaultCase[] =>
  EDGES.filter((edge) => !WORKER_EDGES.includes(edge)).map((edge) => ({
    name: `${kind}-runs-after-${edge}`,
    fault: { kind, process: 'runs', moment: 'after' },
    edge,
  }));

const cutOffCases = (): FaultCase[] =>
  [['nats'] as const, ['redis'] as const, ['nats', 'redis'] as const].flatMap((from) =>
    (['claim', 'output-stored', 'report', 'stop'] as const).flatMap((edge) =>
      // Shorter and longer than the lease of a worker.
      [4, 15].map((seconds) =>
        toCase(`cut-off-${from.join('-and-')}-for-${seconds}s`, { kind: 'cut-off', from, seconds }, edge),
      ),
    ),
  );

/** All cases of the matrix, in the order in which they run. */
export const listCases = (): FaultCase[] => [
  ...processCases('kill'),
  ...afterCases('kill'),
  ...processCases('restart'),
  ...EDGES.map((edge) => toCase('flush-redis', { kind: 'flush-redis' }, edge)),
  ...EDGES.map((edge) => toCase('remove-jetstream', { kind: 'remove-jetstream' }, edge)),
  ...cutOffCases(),
  ...(['duplicated', 'late', 'reordered'] as const).flatMap((how) =>
    (['claim', 'start', 'report', 'gather', 'cache-write', 'last-report', 'stop', 'pause', 'retry'] as const).map(
      (edge) => toCase(`reports-${how}`, { kind: 'reports', how }, edge),
    ),
  ),
  ...(['ahead', 'behind'] as const).flatMap((direction) =>
    EDGES.filter((edge) => edge !== 'collection').map((edge) =>
      toCase(`worker-clock-${direction}`, { kind: 'clock', direction }, edge),
    ),
  ),
  ...processCases('stop'),
  ...afterCases('stop'),
  ...DISKS.flatMap((disk) =>
    (['bytes', 'inodes'] as const).flatMap((of) =>
      (['claim', 'report', 'last-report', 'stop'] as const).map((edge) =>
        toCase(`full-disk-${disk}-${of}`, { kind: 'full-disk', disk, of }, edge),
      ),
    ),
  ),
];

/** Whether a case takes about ten seconds. */
export const isQuick = ({ fault, edge }: FaultCase): boolean =>
  ['kill', 'restart', 'flush-redis', 'remove-jetstream'].includes(fault.kind) && edge !== 'collection';
