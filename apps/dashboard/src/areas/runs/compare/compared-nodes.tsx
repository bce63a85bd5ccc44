import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { NodeComparison } from '@millrace/client';
import { formatCount } from '../../../text/format-count.js';
import { formatDuration } from '../../../text/format-duration.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Card } from '../../../ui/page.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { StatusIcon } from '../../../ui/status.js';
import { nodesQuery } from './compare-queries.js';
import { Difference } from './difference.js';
import { MoreButton } from './more-button.js';

const CELL = 'px-3 py-1.5';

export function ComparedNodes({ a, b }: { a: string; b: string }) {
  const list = useInfiniteQuery(nodesQuery(a, b));
  if (list.error && !list.data)
    return <ErrorNote error={list.error} onRetry={() => void list.refetch()} className="mt-0" />;
  if (!list.data) return <Skeleton />;
  const nodes = list.data.pages.flatMap(({ results }) => results);
  return (
    <div className="pb-8">
      <Card className="overflow-x-auto">
        <table className="w-full border-collapse text-sm">
          <thead>
            <tr className="text-left text-xs text-muted">
              {['Step', `#${a}`, `#${b}`, 'Duration', 'Units', 'Outputs'].map((name) => (
                <th key={name} scope="col" className={`${CELL} font-normal`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="nums">
            {nodes.map((node) => (
              <NodeRow key={node.node} node={node} a={a} b={b} />
            ))}
          </tbody>
        </table>
      </Card>
      <MoreButton list={list} />
    </div>
  );
}

function NodeRow({ node, a, b }: { node: NodeComparison; a: string; b: string }) {
  const { difference, outputs } = node;
  const changes = [
    { name: 'changed', count: outputs.changed },
    { name: 'only in the first', count: outputs.only_in_a },
    { name: 'only in the second', count: outputs.only_in_b },
  ].filter(({ count }) => count > 0);
  return (
    <tr className="border-t border-line">
      <th scope="row" className={`${CELL} max-w-60 truncate text-left font-medium`} title={node.node} dir="auto">
        {node.label}
      </th>
      <td className={CELL}>
        <Side run={a} side={node.a} />
      </td>
      <td className={CELL}>
        <Side run={b} side={node.b} />
      </td>
      <td className={`${CELL} text-muted`}>
        {difference?.duration_ms !== undefined && <Difference value={difference.duration_ms} format={formatDuration} />}
      </td>
      <td className={`${CELL} text-muted`}>
        {difference && <Difference value={difference.execution_units} format={formatCount} />}
      </td>
      <td className={`${CELL} text-muted`}>
        {changes.length === 0
          ? outputs.same > 0 && 'the same'
          : changes.map(({ name, count }) => `${formatCount(count)} ${name}`).join(', ')}
      </td>
    </tr>
  );
}

function Side({ run, side }: { run: string; side: NodeComparison['a'] }) {
  if (!side?.status) return <span className="text-muted">–</span>;
  const { status, subjob, duration_ms: duration, children, child_statuses: statuses = {} } = side;
  const failed = statuses['FAILED'] ?? 0;
  return (
    <Link
      to="/runs/$runId"
      params={{ runId: run }}
      search={subjob === undefined ? {} : { subjob }}
      className="flex items-center gap-2 whitespace-nowrap hover:underline"
    >
      <StatusIcon status={status} />
      {duration !== undefined && formatDuration(duration)}
      {children !== undefined && (
        <span className="text-xs text-muted">
          ×{formatCount(children)}
          {failed > 0 && <span className="text-failed"> {formatCount(failed)} failed</span>}
        </span>
      )}
    </Link>
  );
}
