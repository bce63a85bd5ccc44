import { Link } from '@tanstack/react-router';
import type { Workflow } from '@millrace/client';
import { useMemberName } from '../../api/members.js';
import { CELL, HEAD_CELL, SortHead, Table } from '../../ui/table.js';
import { Time } from '../../ui/time.js';
import { RunStrip } from './run-strip.js';
import { WorkflowMenu } from './workflow-menu.js';

interface WorkflowTableProps {
  workflows: readonly Workflow[];
  sort: string;
  /** Whether all are in one space, so that its name says nothing. */
  isInSpace: boolean;
  onSort: (sort: string) => void;
}

export const WorkflowTable = ({ workflows, sort, isInSpace, onSort }: WorkflowTableProps) => (
  <Table
    label="Workflows"
    head={
      <>
        <SortHead label="Name" field="name" sort={sort} onSort={onSort} className="w-2/5" />
        <th scope="col" className={HEAD_CELL}>
          Last runs
        </th>
        <th scope="col" className={HEAD_CELL}>
          Next tick
        </th>
        <th scope="col" className={HEAD_CELL}>
          Author
        </th>
        <SortHead label="Changed" field="modified_date" sort={sort} onSort={onSort} />
        <th scope="col" className={HEAD_CELL}>
          <span className="sr-only">Actions</span>
        </th>
      </>
    }
  >
    {workflows.map((workflow) => (
      <Row key={workflow.id} workflow={workflow} isInSpace={isInSpace} />
    ))}
  </Table>
);

function Row({ workflow, isInSpace }: { workflow: Workflow; isInSpace: boolean }) {
  const author = useMemberName(workflow.author);
  const place = [!isInSpace && workflow.space_name, workflow.project_name].filter(Boolean).join(' / ');
  const { schedule_info: schedule } = workflow;
  return (
    <tr className="hover:bg-hover">
      <td className={`${CELL} max-w-0 py-1.5`}>
        <Link
          to="/workflows/$workflowId"
          params={{ workflowId: workflow.id }}
          title={workflow.description ?? workflow.name}
          dir="auto"
          className="block truncate font-medium hover:underline"
        >
          {workflow.name}
        </Link>
        {place !== '' && (
          <span className="block truncate text-xs text-muted" dir="auto">
            {place}
          </span>
        )}
      </td>
      <td className={CELL}>
        <RunStrip workflow={workflow.id} hasRun={workflow.last_execution_status !== undefined || workflow.executing} />
      </td>
      <td className={`${CELL} text-muted`}>
        {schedule && (schedule.enabled ? schedule.next_date && <Time value={schedule.next_date} /> : 'paused')}
      </td>
      <td className={`${CELL} max-w-40 truncate text-muted`} dir="auto">
        {author}
      </td>
      <td className={`${CELL} text-muted`}>
        <Time value={workflow.modified_date} />
      </td>
      <td className={`${CELL} w-10 text-right`}>
        <WorkflowMenu workflow={workflow} />
      </td>
    </tr>
  );
}
