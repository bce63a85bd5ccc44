import type { Worker } from '@millrace/client';
import type { StatusLook } from '../../../ui/status-looks.js';

export const WORKER_LOOKS: Record<Worker['state'], StatusLook> = {
  active: { label: 'Active', hue: 'succeeded', icon: 'circleCheck' },
  cordoned: { label: 'Cordoned', hue: 'stopped', icon: 'circlePause' },
  draining: { label: 'Draining', hue: 'stopped', icon: 'circleStop' },
  lost: { label: 'Lost', hue: 'failed', icon: 'circleX' },
};

/** The look of a worker's state. A worker that drains and runs nothing is drained. */
export const lookOf = ({ state, busy }: Pick<Worker, 'state' | 'busy'>): StatusLook =>
  state === 'draining' && busy === 0 ? { ...WORKER_LOOKS.draining, label: 'Drained' } : WORKER_LOOKS[state];
