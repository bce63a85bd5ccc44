import type { WorkerCore } from './worker-core.js';

interface Warn {
  warn(message: string): void;
}

/** Warns of every way in which steps are less isolated or limited than they could be, and names the remedy. */
export function logIsolation({ isolation, bounds }: Pick<WorkerCore, 'isolation' | 'bounds'>, logger: Warn): void {
  const isRoot = process.getuid?.() === 0;
  if (isolation.mode === 'off') {
    logger.warn('Steps run WITHOUT isolation: WORKER_ISOLATION is off');
    if (!isolation.hasUserPerSlot) {
      logger.warn(
        'Steps run as the user of this worker, and can read its secrets and all stored objects: start it as root, with WORK_DIR and Node.js where other users can pass through (docs/reference/security.md)',
      );
    }
  }
  if (isolation.mode === 'sandbox' && isRoot && !isolation.hasUserPerSlot) {
    logger.warn(
      'Steps count towards the per-user kernel limits of root, because they cannot have a user of their own here (docs/reference/security.md)',
    );
  }
  if (!bounds.memory) {
    logger.warn(
      'Memory of steps is sampled, so a step can exceed its limit for a moment: this worker cannot write control groups (start it as root, or delegate one to it)',
    );
  }
}
