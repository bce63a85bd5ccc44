import { Link } from '@tanstack/react-router';
import type { Notification } from '@millrace/client';
import { IconButton } from '../../../ui/button.js';
import { Icon } from '../../../ui/icon.js';
import { Time } from '../../../ui/time.js';
import { findTarget } from '../find-target.js';
import { lookOf } from '../notification-types.js';

interface NotificationRowProps {
  notification: Notification;
  onMark: (seen: boolean) => void;
  onDelete: () => void;
}

/** A notification. It leads to what it is about, which marks it as seen. */
export function NotificationRow({ notification, onMark, onDelete }: NotificationRowProps) {
  const { title, message, seen, created_date: created } = notification;
  const { icon, className } = lookOf(notification);
  const target = findTarget(notification);
  const titleClass = `wrap-text line-clamp-2 ${seen ? '' : 'font-semibold'}`;
  return (
    <li className="relative flex items-start gap-3 px-4 py-2.5 first:rounded-t-md last:rounded-b-md hover:bg-hover">
      <span className="flex w-2 shrink-0 justify-center pt-1.75">
        {!seen && <span className="size-2 rounded-full bg-accent" />}
      </span>
      <Icon name={icon} className={`mt-0.5 ${className}`} />
      <div dir="auto" className="min-w-0 flex-1 text-sm">
        {target ? (
          <Link
            {...target}
            onClick={() => {
              if (!seen) onMark(true);
            }}
            className={`${titleClass} after:absolute after:inset-0`}
          >
            {title}
          </Link>
        ) : (
          <span className={titleClass}>{title}</span>
        )}
        {!seen && <span className="sr-only"> (unseen)</span>}
        <p className="wrap-text line-clamp-3 text-muted">{message}</p>
      </div>
      <Time value={created} className="pt-0.5 text-xs text-muted" />
      <span className="relative z-1 -my-1 flex">
        <IconButton
          icon={seen ? 'mail' : 'check'}
          label={`Mark as ${seen ? 'unseen' : 'seen'}: ${title}`}
          onClick={() => onMark(!seen)}
        />
        <IconButton icon="trash" label={`Delete: ${title}`} onClick={onDelete} />
      </span>
    </li>
  );
}
