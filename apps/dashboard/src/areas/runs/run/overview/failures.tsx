import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { FailureGroup, Run } from '@millrace/client';
import { countOf, formatCount } from '../../../../text/format-count.js';
import { Icon } from '../../../../ui/icon.js';
import { Card } from '../../../../ui/page.js';
import { RetryGroupButton } from '../../actions/retry-group-button.js';
import { modulePathOf } from '../../shared/module-path.js';
import { PanelSection } from '../panel-section.js';
import { useRunSearch } from '../use-run-search.js';
import { failuresQuery } from './failures-query.js';

/** What failed, grouped by reason. Each example leads to its log. */
export function Failures({ run }: { run: Run }) {
  const { failed } = run.run_insights;
  const { data } = useQuery({ ...failuresQuery(run.id, failed), placeholderData: keepPreviousData });
  if (failed === 0 || !data || data.count === 0) return null;
  return (
    <PanelSection title={`${formatCount(data.failed)} failed, ${countOf(data.count, 'reason')}`}>
      <Card className="divide-y divide-line">
        {data.results.map((group) => (
          <Group key={group.id} run={run} group={group} />
        ))}
      </Card>
      {data.count > data.results.length && (
        <p className="mt-1.5 text-xs text-muted">
          {countOf(data.count - data.results.length, 'more reason')} not shown.
        </p>
      )}
    </PanelSection>
  );
}

function Group({ run, group }: { run: Run; group: FailureGroup }) {
  const { select } = useRunSearch();
  const { examples, count, children, reason, label, node } = group;
  const [first] = examples;
  const modulePath = modulePathOf(node);
  return (
    <div className="px-3 py-2.5 text-sm">
      <div className="flex items-start gap-2.5">
        <Icon name="circleX" className="mt-0.5 text-failed" />
        <div className="min-w-0 flex-1">
          <p className="wrap-text font-medium">{reason}</p>
          <p className="mt-0.5 text-xs text-muted" title={node}>
            {modulePath !== undefined && `${modulePath} / `}
            <span dir="auto">{label}</span>
            {children > 1 && ` · ${formatCount(count)} of ${countOf(children, 'child', 'children')}`}
          </p>
        </div>
        <RetryGroupButton run={run} group={group} />
      </div>
      {first?.stderr !== undefined && (
        <pre
          tabIndex={0}
          className="mt-2 ml-6.5 max-h-32 overflow-auto rounded-sm bg-panel px-2 py-1 font-mono text-xs whitespace-pre-wrap wrap-text"
        >
          {first.stderr}
        </pre>
      )}
      <ul className="mt-1.5 ml-6.5 flex flex-wrap gap-x-4 text-xs">
        {examples.map(({ subjob, task_index: index, item }) => (
          <li key={subjob} className="min-w-0 max-w-full">
            <button
              type="button"
              className="link min-h-6 max-w-full truncate"
              onClick={() => select(subjob, { tab: 'logs', stream: 'stderr' })}
            >
              {index === undefined ? 'Log' : `Log of ${item ?? `child ${index}`}`}
            </button>
          </li>
        ))}
        {count > examples.length && (
          <li>
            <button
              type="button"
              className="link min-h-6"
              onClick={() => select(group.subjob, { tab: 'children', children: 'failed' })}
            >
              All {formatCount(count)}
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}
