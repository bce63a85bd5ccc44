import type { Health } from '@millrace/contracts/kit/health';
import type { StatusLook } from '../../../ui/status-looks.js';

export const SERVICE_LOOKS: Record<Health['status'], StatusLook> = {
  ok: { label: 'Works', hue: 'succeeded', icon: 'circleCheck' },
  starting: { label: 'Starting', hue: 'running', icon: 'circlePlay' },
  draining: { label: 'Shutting down', hue: 'stopped', icon: 'circlePause' },
  unavailable: { label: 'Does not work', hue: 'failed', icon: 'circleX' },
};
