import type { AdminUser } from '@millrace/client';
import type { StatusLook } from '../../../ui/status-looks.js';

export const USER_LOOKS: Record<AdminUser['state'], StatusLook> = {
  active: { label: 'Active', hue: 'succeeded', icon: 'circleCheck' },
  disabled: { label: 'Disabled', hue: 'stopped', icon: 'circlePause' },
  suspended: { label: 'Suspended', hue: 'failed', icon: 'circleSlash' },
};
