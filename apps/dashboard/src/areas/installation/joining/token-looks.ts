import type { JoinToken } from '@millrace/client';
import type { StatusLook } from '../../../ui/status-looks.js';

export const TOKEN_LOOKS: Record<JoinToken['state'], StatusLook> = {
  active: { label: 'Active', hue: 'succeeded', icon: 'circleCheck' },
  used_up: { label: 'Used up', hue: 'queued', icon: 'circleSlash' },
  expired: { label: 'Expired', hue: 'queued', icon: 'clock' },
  revoked: { label: 'Revoked', hue: 'stopped', icon: 'circleX' },
};
