import { EXECUTOR_LABEL, type Heartbeat } from '@millrace/contracts/runs/report';
import { type Offer } from '@millrace/graph/plan/placement';
import { VERSION } from '@millrace/service/version';
import { type CoreEnv } from '../env.js';
import { findPrograms } from './find-programs.js';

/** What a worker says about itself, which does not change while it runs. */
export type Registration = Pick<
  Heartbeat,
  'fleet' | 'labels' | 'sizes' | 'memory' | 'version' | 'isolated' | 'programs'
>;

/** @param isolated whether steps run in sandboxes or containers */
export function describeWorker(env: CoreEnv, isolated: boolean): Registration {
  return {
    fleet: env.WORKER_FLEET,
    labels: { ...env.WORKER_LABELS, [EXECUTOR_LABEL]: env.WORKER_EXECUTOR },
    sizes: env.WORKER_SIZES,
    memory: memoryOf(env),
    version: VERSION,
    isolated,
    // The programs of steps in containers are those of their images.
    programs: env.WORKER_EXECUTOR === 'sandbox' ? findPrograms() : [],
  };
}

/** Memory limit of a step of each size, in bytes. */
export const memoryOf = (env: CoreEnv): { small: number; medium: number; large: number } => ({
  small: env.WORKER_MEMORY_SMALL,
  medium: env.WORKER_MEMORY_MEDIUM,
  large: env.WORKER_MEMORY_LARGE,
});

/** What the worker offers to steps. */
export const offerOf = ({ fleet, labels, sizes }: Registration): Offer => ({ name: fleet, labels, sizes });
