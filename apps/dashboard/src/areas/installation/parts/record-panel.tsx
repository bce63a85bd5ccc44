import type { ReactNode } from 'react';
import { ErrorNote } from '../../../ui/error-note.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { DetailPanel } from './detail-panel.js';

interface RecordPanelProps<T> {
  /** The title until the record is there, such as "User". */
  kind: string;
  query: { data: T | undefined; error: unknown; refetch: () => unknown };
  titleOf: (record: T) => string;
  onClose: () => void;
  children: (record: T) => ReactNode;
}

/** The details of the record that the address names, beside its list. */
export function RecordPanel<T>({ kind, query, titleOf, onClose, children }: RecordPanelProps<T>) {
  const { data, error, refetch } = query;
  return (
    <DetailPanel title={data === undefined ? kind : titleOf(data)} onClose={onClose}>
      {Boolean(error) && <ErrorNote error={error} onRetry={refetch} className="mt-0" />}
      {data === undefined ? !error && <Skeleton /> : children(data)}
    </DetailPanel>
  );
}
