import { HEAD_CELL, Table } from '../../../ui/table.js';
import type { ScheduledWorkflow } from '../scheduled-workflow.js';
import { ScheduleRow } from './schedule-row.js';

interface ScheduleTableProps {
  workflows: readonly ScheduledWorkflow[];
  /** Id of the workflow whose ticks are open. */
  selected: string | undefined;
  onEdit: (workflow: string) => void;
}

export const ScheduleTable = ({ workflows, selected, onEdit }: ScheduleTableProps) => (
  <Table
    label="Schedules"
    head={
      <>
        {['Workflow', 'When', ...(selected === undefined ? ['Next'] : []), 'Last'].map((title) => (
          <th key={title} scope="col" className={`${HEAD_CELL} ${title === 'Workflow' ? 'w-full' : ''}`}>
            {title}
          </th>
        ))}
        <th scope="col" className={HEAD_CELL}>
          <span className="sr-only">Actions</span>
        </th>
      </>
    }
  >
    {workflows.map((workflow) => (
      <ScheduleRow
        key={workflow.id}
        workflow={workflow}
        isSelected={workflow.id === selected}
        isCompact={selected !== undefined}
        onEdit={onEdit}
      />
    ))}
  </Table>
);
