import type { AdminTask } from '@millrace/client';
import { formatDuration } from '../../../text/format-duration.js';
import { Badge } from '../../../ui/status.js';
import { CELL } from '../../../ui/table.js';
import { Time } from '../../../ui/time.js';
import { NOTE, RecordRow } from '../parts/record-row.js';
import { FROM_MEDIUM, type Column } from '../parts/record-table.js';
import { KIND_NAMES, lookOfTask, progressOf } from './describe-task.js';
import { ProgressBar } from './progress-bar.js';

export const TASK_COLUMNS: readonly Column[] = [
  { title: 'Task' },
  { title: 'Result' },
  { title: 'Progress', className: FROM_MEDIUM },
  { title: 'Duration', className: `text-right ${FROM_MEDIUM}` },
  { title: 'Started' },
];

export function TaskRow({ task, isOpen }: { task: AdminTask; isOpen: boolean }) {
  const { id, kind, parts, created_date: begin, finished_date: end } = task;
  const { done, total } = progressOf(task);
  return (
    <RecordRow
      id={id}
      name={KIND_NAMES[kind]}
      isOpen={isOpen}
      note={<span className={`${NOTE} text-muted`}>{parts.map(({ service }) => service).join(', ')}</span>}
    >
      <td className={CELL}>
        <Badge {...lookOfTask(task)} />
      </td>
      <td className={`${CELL} ${FROM_MEDIUM}`}>
        <span className="flex items-center gap-2">
          <ProgressBar label="Progress" done={done} total={total} />
          <span className="nums text-muted">
            {done} of {total}
          </span>
        </span>
      </td>
      <td className={`${CELL} nums text-right text-muted ${FROM_MEDIUM}`}>
        {end === undefined ? '–' : formatDuration(Date.parse(end) - Date.parse(begin))}
      </td>
      <td className={`${CELL} text-muted`}>
        <Time value={begin} />
      </td>
    </RecordRow>
  );
}
