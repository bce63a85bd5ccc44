import type { Run, Subjob } from '@millrace/client';
import type { IconName } from './icon.js';

export type AnyStatus = Run['status'] | Subjob['status'];
type Hue = 'queued' | 'running' | 'succeeded' | 'failed' | 'stopped';

export interface StatusLook {
  label: string;
  hue: Hue;
  icon: IconName;
}

/** A status by word, icon and colour, so that nobody depends on the colour. */
export const STATUS_LOOKS: Record<AnyStatus, StatusLook> = {
  PENDING: { label: 'Queued', hue: 'queued', icon: 'circleDashed' },
  SUBMITTED: { label: 'Submitted', hue: 'queued', icon: 'circleDashed' },
  RUNNING: { label: 'Running', hue: 'running', icon: 'circlePlay' },
  COMPLETED: { label: 'Completed', hue: 'succeeded', icon: 'circleCheck' },
  SUCCEEDED: { label: 'Succeeded', hue: 'succeeded', icon: 'circleCheck' },
  FAILED: { label: 'Failed', hue: 'failed', icon: 'circleX' },
  STOPPING: { label: 'Stopping', hue: 'stopped', icon: 'circleStop' },
  STOPPED: { label: 'Stopped', hue: 'stopped', icon: 'circleStop' },
  SKIPPED: { label: 'Skipped', hue: 'stopped', icon: 'circleSlash' },
};

/** Classes by hue, whole words, because Tailwind reads them from the source. */
export const HUE_TEXT: Record<Hue, string> = {
  queued: 'text-queued',
  running: 'text-running',
  succeeded: 'text-succeeded',
  failed: 'text-failed',
  stopped: 'text-stopped',
};
export const HUE_SOFT: Record<Hue, string> = {
  queued: 'bg-queued-soft',
  running: 'bg-running-soft',
  succeeded: 'bg-succeeded-soft',
  failed: 'bg-failed-soft',
  stopped: 'bg-stopped-soft',
};
export const HUE_SOLID: Record<Hue, string> = {
  queued: 'bg-queued-solid',
  running: 'bg-running-solid',
  succeeded: 'bg-succeeded-solid',
  failed: 'bg-failed-solid',
  stopped: 'bg-stopped-solid',
};
