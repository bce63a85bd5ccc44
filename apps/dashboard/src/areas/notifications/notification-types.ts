import type { Notification } from '@millrace/client';
import type { IconName } from '../../ui/icon.js';

export type NotificationType = Notification['notification_type'];

interface TypeLook {
  label: string;
  /** When users get it. */
  description: string;
  icon: IconName;
  className: string;
}

export const TYPE_LOOKS: Record<NotificationType, TypeLook> = {
  RUN_FAILED: {
    label: 'Failures',
    description:
      'A run of yours failed, waits for your approval or does not progress, or a schedule could not start one.',
    icon: 'circleX',
    className: 'text-failed',
  },
  MANUAL_RUN_COMPLETED: {
    label: 'Completed runs',
    description: 'A run that you, the API or a hook started ended without a failure.',
    icon: 'circleCheck',
    className: 'text-succeeded',
  },
  SCHEDULED_RUN_COMPLETED: {
    label: 'Completed scheduled runs',
    description: 'A run that your schedule started ended without a failure.',
    icon: 'calendarClock',
    className: 'text-succeeded',
  },
  WORKFLOW_RELEASED: {
    label: 'Published workflows',
    description: 'Someone published a workflow, or made a module of one.',
    icon: 'workflow',
    className: 'text-accent-ink',
  },
  TOOL_RELEASED: {
    label: 'Tools',
    description: 'Someone added a tool to the library, or a version of one.',
    icon: 'wrench',
    className: 'text-accent-ink',
  },
  SCRIPT_RELEASED: {
    label: 'Scripts',
    description: 'Someone added a script to the library, or a version of one.',
    icon: 'code',
    className: 'text-accent-ink',
  },
};

export const NOTIFICATION_TYPES = Object.keys(TYPE_LOOKS) as NotificationType[];

/** Kinds that share a type with others in the settings. */
const KIND_LOOKS: Record<string, Pick<TypeLook, 'icon' | 'className'>> = {
  TABLE_CHANGED: { icon: 'table', className: 'text-accent-ink' },
  APPROVAL_REQUESTED: { icon: 'hand', className: 'text-stopped' },
  RUN_STALLED: { icon: 'clock', className: 'text-stopped' },
};

export const lookOf = ({ type, notification_type }: Notification): Pick<TypeLook, 'icon' | 'className'> =>
  KIND_LOOKS[type] ?? TYPE_LOOKS[notification_type];
