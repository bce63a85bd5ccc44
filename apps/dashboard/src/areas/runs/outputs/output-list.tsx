import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { countOf } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Card } from '../../../ui/page.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { useRunSearch } from '../run/use-run-search.js';
import { OutputRow } from './output-row.js';
import type { outputsQuery } from './outputs-query.js';

const OutputPreview = lazy(() =>
  import('./output-preview.js').then(({ OutputPreview }) => ({ default: OutputPreview })),
);

interface OutputListProps {
  query: ReturnType<typeof outputsQuery>;
  withNode: boolean;
  /** Shown if there is none. */
  empty: string;
}

/** A list of outputs. One of them has its preview open, which the address says. */
export function OutputList({ query, withNode, empty }: OutputListProps) {
  const list = useInfiniteQuery(query);
  const { search, patch } = useRunSearch();
  if (list.error && !list.data)
    return <ErrorNote error={list.error} onRetry={() => void list.refetch()} className="mt-0" />;
  if (!list.data) return <Skeleton rows={3} />;
  const outputs = list.data.pages.flatMap(({ results }) => results);
  const count = list.data.pages[0]?.count ?? 0;
  if (outputs.length === 0) return <p className="text-sm text-muted">{empty}</p>;
  return (
    <>
      <Card className="divide-y divide-line overflow-hidden">
        {outputs.map((output) => {
          const isOpen = search.output === output.id;
          return (
            <div key={output.id}>
              <OutputRow
                output={output}
                isOpen={isOpen}
                withNode={withNode}
                onToggle={() => patch({ output: isOpen ? undefined : output.id }, true)}
              />
              {isOpen && (
                <Suspense fallback={<Skeleton rows={4} />}>
                  <OutputPreview output={output} />
                </Suspense>
              )}
            </div>
          );
        })}
      </Card>
      {list.hasNextPage && (
        <div className="mt-2 flex items-center gap-3 text-sm text-muted">
          {outputs.length} of {countOf(count, 'output')}
          <Button isPending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}
