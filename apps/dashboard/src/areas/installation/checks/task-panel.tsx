import { useQuery } from '@tanstack/react-query';
import type { AdminTask } from '@millrace/client';
import { client } from '../../../api/client.js';
import { countOf } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { Badge } from '../../../ui/status.js';
import { CELL, Table } from '../../../ui/table.js';
import { Time } from '../../../ui/time.js';
import { RecordPanel } from '../parts/record-panel.js';
import { HeadCells } from '../parts/record-table.js';
import { useAction } from '../parts/use-action.js';
import { findProblems, KIND_NAMES, lookOfTask, PART_LOOKS, type Problem } from './describe-task.js';
import { ProgressBar } from './progress-bar.js';
import { taskQuery } from './queries.js';

/** The progress of a check or a reindex, live, and what it has found. */
export function TaskPanel({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <RecordPanel kind="Task" query={useQuery(taskQuery(id))} titleOf={({ kind }) => KIND_NAMES[kind]} onClose={onClose}>
      {(task) => <Details task={task} />}
    </RecordPanel>
  );
}

const PART_COLUMNS = [
  { title: 'Service' },
  { title: 'State' },
  { title: 'Progress' },
  { title: 'Problems', className: 'text-right' },
];

function Details({ task }: { task: AdminTask }) {
  const { id, kind, state, parts, created_date: begin, finished_date: end } = task;
  const problems = findProblems(task);
  const cancel = useAction({
    run: () => client.adminTasks.cancel(id),
    describe: () => ({ title: `The ${kind} is cancelled` }),
    failure: `The ${kind} was not cancelled`,
  });
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <Badge {...lookOfTask(task)} />
        <span className="text-sm text-muted">
          Started <Time value={begin} />
          {end !== undefined && (
            <>
              , ended <Time value={end} />
            </>
          )}
        </span>
        {state === 'running' && (
          <Button
            look="danger"
            icon="circleStop"
            className="ml-auto"
            isPending={cancel.isPending}
            onClick={() => cancel.mutate()}
          >
            Cancel
          </Button>
        )}
      </div>
      <Table label="Services of the task" head={<HeadCells columns={PART_COLUMNS} />}>
        {parts.map((part) => (
          <tr key={part.service}>
            <td className={`${CELL} font-medium`}>{part.service}</td>
            <td className={CELL}>
              <Badge {...PART_LOOKS[part.state]} />
            </td>
            <td className={`${CELL} w-full`}>
              <span className="flex items-center gap-2">
                <ProgressBar label={`Progress of ${part.service}`} done={part.done} total={part.total} />
                <span className="nums text-muted">
                  {part.done} of {part.total}
                </span>
              </span>
              {part.error !== undefined && <span className="wrap-text block text-xs text-failed">{part.error}</span>}
            </td>
            <td className={`${CELL} nums text-right`}>{findProblems({ parts: [part] }).length}</td>
          </tr>
        ))}
      </Table>
      <section>
        <h3 className="mb-1.5">Findings</h3>
        {problems.length === 0 ? (
          <p className="text-sm text-muted">
            {state === 'running' ? 'Nothing so far.' : 'Nothing is violated, and everything could be carried out.'}
          </p>
        ) : (
          <ul className="divide-y divide-line rounded-md border border-line bg-raised">
            {problems.map((problem) => (
              <ProblemItem key={`${problem.service} ${problem.name}`} problem={problem} />
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

const ProblemItem = ({ problem: { service, name, status, count = 0, examples = [], error } }: { problem: Problem }) => (
  <li className="wrap-text px-3 py-2 text-sm">
    <p>
      <span className="font-medium">{service}</span>: {name}
    </p>
    <p className="text-failed">
      {status === 'violated' ? countOf(count, 'violation') : 'It could not be carried out'}
      {error !== undefined && `: ${error}`}
    </p>
    {examples.length > 0 && <p className="font-mono text-xs text-muted">{examples.join(', ')}</p>}
  </li>
);
