import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ScheduleTick } from '@millrace/client';
import { workflowQuery } from '../../../api/workflow-query.js';
import { Button } from '../../../ui/button.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Select } from '../../../ui/field.js';
import { Icon } from '../../../ui/icon.js';
import { SidePanel } from '../../../ui/side-panel.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { Time } from '../../../ui/time.js';
import { describeSchedule } from '../describe-schedule.js';
import { ticksQuery } from '../queries.js';
import { TICK_LOOKS } from './tick-status.js';

/** The times at which a schedule was due in the last 90 days. */
export function TicksPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const [status, setStatus] = useState<ScheduleTick['status'] | ''>('');
  const { data: workflow, error } = useQuery(workflowQuery(id));
  const schedule = workflow?.schedule_info;
  return (
    <SidePanel title={workflow?.name ?? 'Schedule'} onClose={onClose}>
      {error && <ErrorNote error={error} className="mx-4" />}
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2 text-sm">
        <span className="min-w-0 flex-1">
          {schedule && describeSchedule(schedule).words}
          {workflow && !schedule && 'It has no schedule.'}
        </span>
        <Select
          aria-label="Ticks"
          className="h-7! w-auto!"
          value={status}
          options={[
            { value: '', label: 'All ticks' },
            { value: 'started', label: 'Started' },
            { value: 'skipped', label: 'Skipped' },
            { value: 'refused', label: 'Could not start' },
          ]}
          onChange={setStatus}
        />
        {workflow && (
          <Link to="/workflows/$workflowId" params={{ workflowId: id }} className="link">
            Open the workflow
          </Link>
        )}
      </div>
      <Ticks id={id} status={status} />
    </SidePanel>
  );
}

function Ticks({ id, status }: { id: string; status: ScheduleTick['status'] | '' }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    ticksQuery(id, status === '' ? undefined : status),
  );
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} className="mx-4" />;
  if (!data) return <Skeleton />;
  const ticks = data.pages.flatMap(({ results }) => results);
  if (ticks.length === 0)
    return (
      <p className="p-4 text-sm text-muted">
        {status === '' ? 'The schedule has not been due yet.' : 'No such tick in the last 90 days.'}
      </p>
    );
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <ul aria-label="Ticks" tabIndex={0} className="divide-y divide-line">
        {ticks.map((tick) => (
          <TickRow key={tick.date} tick={tick} />
        ))}
      </ul>
      {hasNextPage && (
        <Button className="m-4" isPending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  );
}

function TickRow({ tick: { date, status, reason, run } }: { tick: ScheduleTick }) {
  const { label, icon, className } = TICK_LOOKS[status];
  return (
    <li className="flex min-h-9 items-start gap-2.5 px-4 py-2 text-sm">
      <Icon name={icon} size={14} className={`mt-0.75 ${className}`} />
      <span className="min-w-0 flex-1">
        {run === undefined ? (
          label
        ) : (
          <Link to="/runs/$runId" params={{ runId: run }} className="link">
            {label}
          </Link>
        )}
        {reason !== undefined && <span className="wrap-text block text-xs text-muted">{reason}</span>}
      </span>
      <Time value={date} className="text-muted" />
    </li>
  );
}
