import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { ErrorNote } from '../../../ui/error-note.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { publishedQuery } from '../queries.js';

const VersionGraph = lazy(() =>
  import('./version-graph.js').then(({ VersionGraph: component }) => ({ default: component })),
);

interface GraphSectionProps {
  /** Id of the published workflow. */
  snapshot: string;
}

/** The graph of a published workflow. Its library loads after the rest of the page. */
export function GraphSection({ snapshot }: GraphSectionProps) {
  const { data, error, refetch } = useQuery(publishedQuery(snapshot));
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  return (
    <section>
      <h2 className="mb-2 text-base!">Graph</h2>
      <div className="relative flex h-90 flex-col overflow-hidden rounded-md border border-line">
        <Suspense fallback={<Skeleton />}>
          {data ? <VersionGraph name={data.name} version={data.id} data={data.data} /> : <Skeleton />}
        </Suspense>
      </div>
    </section>
  );
}
