import type { AdminVault } from '@millrace/client';
import type { StatusLook } from '../../../ui/status-looks.js';

export const VAULT_LOOKS: Record<AdminVault['state'], StatusLook> = {
  active: { label: 'Active', hue: 'succeeded', icon: 'circleCheck' },
  suspended: { label: 'Suspended', hue: 'failed', icon: 'circleSlash' },
};
