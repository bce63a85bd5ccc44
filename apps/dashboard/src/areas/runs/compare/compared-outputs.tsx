import { useInfiniteQuery } from '@tanstack/react-query';
import type { OutputComparison, RunComparison } from '@millrace/client';
import { formatBytes } from '../../../text/format-bytes.js';
import { countOf, formatCount } from '../../../text/format-count.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Card } from '../../../ui/page.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { downloadUrl } from '../outputs/output-row.js';
import { changedOutputsQuery } from './compare-queries.js';
import { MoreButton } from './more-button.js';

const CHANGES = {
  same: { label: 'Same', tone: 'text-muted' },
  changed: { label: 'Changed', tone: 'text-stopped' },
  only_in_a: { label: 'Only in the first', tone: 'text-failed' },
  only_in_b: { label: 'Only in the second', tone: 'text-succeeded' },
} as const;

interface ComparedOutputsProps {
  a: string;
  b: string;
  counts: RunComparison['outputs'];
}

/** The outputs that differ by content. */
export function ComparedOutputs({ a, b, counts }: ComparedOutputsProps) {
  const list = useInfiniteQuery(changedOutputsQuery(a, b));
  if (list.error && !list.data)
    return <ErrorNote error={list.error} onRetry={() => void list.refetch()} className="mt-0" />;
  if (!list.data) return <Skeleton />;
  const outputs = list.data.pages.flatMap(({ results }) => results);
  return (
    <div className="pb-8">
      <p className="mb-3 text-sm text-muted">
        {countOf(counts.same, 'output')} the same · {formatCount(counts.changed)} changed ·{' '}
        {formatCount(counts.only_in_a)} only in #{a} · {formatCount(counts.only_in_b)} only in #{b}
      </p>
      {outputs.length > 0 && (
        <Card className="divide-y divide-line">
          {outputs.map((output) => (
            <OutputChange key={[output.node, output.path, output.a?.id, output.b?.id].join(' ')} output={output} />
          ))}
        </Card>
      )}
      <MoreButton list={list} />
    </div>
  );
}

function OutputChange({ output: { node, path, change, a, b } }: { output: OutputComparison }) {
  const index = b?.task_index ?? a?.task_index;
  const { label, tone } = CHANGES[change];
  return (
    <div className="nums flex items-center gap-3 px-3 py-1.5 text-sm">
      <span className={`w-36 shrink-0 text-xs ${tone}`}>{label}</span>
      <span dir="auto" className="min-w-0 flex-1 truncate" title={`${node} ${path}`}>
        <span className="font-medium">{node}</span> <span className="text-muted">{path}</span>
        {index !== undefined && <span className="text-xs text-muted"> child {index}</span>}
      </span>
      {[a, b].map((side, place) => (
        <span key={place} className="w-24 text-right text-xs">
          {side && (
            <a
              href={downloadUrl(side)}
              download
              className="link"
              aria-label={`${formatBytes(side.size)}: download ${path} of the ${place === 0 ? 'first' : 'second'} run`}
            >
              {formatBytes(side.size)}
            </a>
          )}
        </span>
      ))}
    </div>
  );
}
