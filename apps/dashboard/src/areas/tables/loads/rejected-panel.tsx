import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { countOf, formatCount } from '../../../text/format-count.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Pager } from '../../../ui/pager.js';
import { SidePanel } from '../../../ui/side-panel.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { LOADS_PAGE_SIZE, rejectedQuery } from './load-queries.js';

/** The rows of a load that could not be read, with the reasons. */
export function RejectedPanel({ table, load, onClose }: { table: string; load: string; onClose: () => void }) {
  const [page, setPage] = useState(1);
  const rejected = useQuery(rejectedQuery(table, load, page));
  return (
    <SidePanel title="Rejected rows" onClose={onClose}>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-3" tabIndex={0} role="region" aria-label="Rejected rows">
        {rejected.error && <ErrorNote error={rejected.error} onRetry={() => void rejected.refetch()} />}
        {rejected.isPending && <Skeleton />}
        {rejected.data && (
          <>
            <p className="mb-2 text-sm text-muted">
              {countOf(rejected.data.count, 'row')} of this load could not be read. The first 10,000 are stored.
            </p>
            <ol className="divide-y divide-line">
              {rejected.data.results.map(({ line, reason, text, output }) => (
                <li key={`${output ?? ''} ${line}`} className="py-2 text-sm">
                  <p>
                    <span className="nums mr-2 text-xs text-muted">Line {formatCount(line)}</span>
                    <span className="wrap-text">{reason}</span>
                  </p>
                  <pre
                    dir="auto"
                    className="wrap-text mt-1 max-h-40 overflow-y-auto font-mono text-xs whitespace-pre-wrap text-muted"
                  >
                    {text}
                  </pre>
                </li>
              ))}
            </ol>
            <Pager page={page} pageSize={LOADS_PAGE_SIZE} count={rejected.data.count} noun="row" onPage={setPage} />
          </>
        )}
      </div>
    </SidePanel>
  );
}
