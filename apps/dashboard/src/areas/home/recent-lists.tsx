import { Link } from '@tanstack/react-router';
import type { Dataset, Workflow } from '@millrace/client';
import { countOf } from '../../text/format-count.js';
import { Icon } from '../../ui/icon.js';
import { Card } from '../../ui/page.js';
import { Time } from '../../ui/time.js';

const LINE = 'flex h-10 items-center gap-3 px-3 text-sm hover:bg-hover';

export const WorkflowList = ({ workflows }: { workflows: readonly Workflow[] }) => (
  <Card>
    <ul className="divide-y divide-line">
      {workflows.map(({ id, name, space_name: space, modified_date: modified }) => (
        <li key={id}>
          <Link to="/workflows/$workflowId" params={{ workflowId: id }} className={LINE}>
            <Icon name="workflow" className="text-muted" />
            <span className="min-w-0 flex-1 truncate" dir="auto" title={name}>
              <span className="font-medium">{name}</span>
              <span className="text-muted"> · {space}</span>
            </span>
            <span className="shrink-0 text-xs text-muted">
              <Time value={modified} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  </Card>
);

export const TableList = ({ tables }: { tables: readonly Dataset[] }) => (
  <Card>
    <ul className="divide-y divide-line">
      {tables.map(({ id, name, row_count: rows, loaded_date: loaded }) => (
        <li key={id}>
          <Link to="/tables/$tableId" params={{ tableId: id }} className={LINE}>
            <Icon name="table" className="text-muted" />
            <span className="min-w-0 flex-1 truncate font-medium" dir="auto" title={name}>
              {name}
            </span>
            <span className="nums shrink-0 text-xs text-muted">{countOf(rows, 'row')}</span>
            {loaded !== undefined && (
              <span className="w-28 shrink-0 text-right text-xs text-muted">
                <Time value={loaded} />
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  </Card>
);
