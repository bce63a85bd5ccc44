import { Link } from '@tanstack/react-router';
import { Icon } from '../../../ui/icon.js';
import { CELL } from '../../../ui/table.js';
import { Time } from '../../../ui/time.js';
import { describeSchedule } from '../describe-schedule.js';
import { schedulesRoute } from '../routes.js';
import type { ScheduledWorkflow } from '../scheduled-workflow.js';
import { TickStatus } from '../ticks/tick-status.js';
import { ScheduleActions } from './schedule-actions.js';

interface ScheduleRowProps {
  workflow: ScheduledWorkflow;
  isSelected: boolean;
  /** Whether a panel beside the list leaves less room. */
  isCompact: boolean;
  onEdit: (workflow: string) => void;
}

export function ScheduleRow({ workflow, isSelected, isCompact, onEdit }: ScheduleRowProps) {
  const schedule = workflow.schedule_info;
  const { words, detail } = describeSchedule(schedule);
  const { last_refusal: refusal, last_tick: last, next_date: next } = schedule;
  return (
    <>
      <tr className={`relative ${isSelected ? 'bg-selected' : 'hover:bg-hover'}`}>
        <td className={`${CELL} max-w-0 ${isCompact ? 'min-w-32' : 'min-w-48'}`}>
          <span className="flex min-w-0 items-center gap-2.5">
            <Icon
              name={schedule.enabled ? 'calendarClock' : 'circlePause'}
              label={schedule.enabled ? 'Active' : 'Paused'}
              className={schedule.enabled ? 'text-accent-ink' : 'text-stopped'}
            />
            <Link
              from={schedulesRoute.fullPath}
              to="."
              search={(search) => ({ ...search, workflow: workflow.id })}
              dir="auto"
              title={workflow.name}
              className="min-w-0 truncate font-medium after:absolute after:inset-0"
            >
              {workflow.name}
            </Link>
            {!isCompact && (
              <span dir="auto" className="min-w-16 truncate text-xs text-muted" title={workflow.space_name}>
                {workflow.space_name}
              </span>
            )}
          </span>
        </td>
        <td className={`${CELL} truncate ${isCompact ? 'max-w-32' : 'max-w-80'}`} title={detail}>
          {words}
          {detail !== undefined && !isCompact && <span className="ml-2 text-xs text-muted">{detail}</span>}
        </td>
        {!isCompact && (
          <td className={`${CELL} text-muted`}>
            {next === null ? describeNoNext(schedule.enabled) : <Time value={next} />}
          </td>
        )}
        <td className={CELL}>{last ? <TickStatus tick={last} /> : <span className="text-muted">never</span>}</td>
        <td className="relative z-1 py-0.5 pr-1.5 text-right whitespace-nowrap">
          <ScheduleActions workflow={workflow} onEdit={() => onEdit(workflow.id)} />
        </td>
      </tr>
      {refusal && (
        <tr className="border-t-0!">
          <td colSpan={5} className="px-3 pb-2">
            <p className="wrap-text flex gap-2 text-xs text-failed">
              <Icon name="circleAlert" size={14} className="mt-px" />
              <span>
                Could not start (<Time value={refusal.date} />
                ): {refusal.reason}
              </span>
            </p>
          </td>
        </tr>
      )}
    </>
  );
}

const describeNoNext = (isEnabled: boolean): string => (isEnabled ? 'after the current run' : 'paused');
