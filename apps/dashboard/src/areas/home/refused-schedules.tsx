import { Link } from '@tanstack/react-router';
import type { Workflow } from '@millrace/client';
import { Icon } from '../../ui/icon.js';
import { Card } from '../../ui/page.js';
import { Time } from '../../ui/time.js';

/** Workflows whose schedule could not start its last run, with the reason. */
export const RefusedSchedules = ({ workflows }: { workflows: readonly Workflow[] }) => (
  <Card>
    <ul className="divide-y divide-line">
      {workflows.map(({ id, name, schedule_info: schedule }) => (
        <li key={id}>
          <Link
            to="/schedules"
            search={{ state: 'failing', workflow: id }}
            className="flex h-10 items-center gap-3 px-3 text-sm hover:bg-hover"
          >
            <Icon name="clock" label="Schedule" className="text-failed" />
            <span className="min-w-0 flex-1 truncate" dir="auto" title={schedule?.last_refusal?.reason}>
              <span className="font-medium">{name}</span>
              <span className="text-muted"> · {schedule?.last_refusal?.reason}</span>
            </span>
            {schedule?.last_refusal && (
              <span className="w-28 shrink-0 text-right text-xs text-muted">
                <Time value={schedule.last_refusal.date} />
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  </Card>
);
