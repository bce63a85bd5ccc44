import { useInfiniteQuery } from '@tanstack/react-query';
import type { Dataset } from '@millrace/client';
import { Button } from '../../../ui/button.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { type ChangeRange, changesQuery } from './change-queries.js';
import { ChangeTable } from './change-table.js';
import type { ChangeKind } from './compare-rows.js';

interface ChangesOfKindProps {
  table: Dataset;
  range: ChangeRange;
  kind: ChangeKind;
  onOpenRow: (row: string) => void;
}

/** The new, the changed or the gone rows. */
export function ChangesOfKind({ table, range, kind, onOpenRow }: ChangesOfKindProps) {
  const changes = useInfiniteQuery(changesQuery(range, kind));
  if (changes.error) return <ErrorNote error={changes.error} onRetry={() => void changes.refetch()} className="mx-6" />;
  if (!changes.data) return <Skeleton />;
  const all = changes.data.pages.flatMap(({ results }) => results);
  if (all.length === 0 && !changes.hasNextPage)
    return <p className="px-6 py-10 text-center text-sm text-muted">{NOTHING[kind]}</p>;
  return (
    <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label="Changes">
      <ChangeTable table={table} kind={kind} changes={all} onOpenRow={onOpenRow} />
      {changes.hasNextPage && (
        <Button
          className="m-3 ml-6"
          isPending={changes.isFetchingNextPage}
          onClick={() => void changes.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </div>
  );
}

const NOTHING: Record<ChangeKind, string> = {
  new: 'This run brought no new rows.',
  changed: 'This run changed no rows.',
  gone: 'No row is gone after this run.',
};
