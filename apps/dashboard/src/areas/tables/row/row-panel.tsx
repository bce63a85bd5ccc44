import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Column, Dataset, RowsGetResponse } from '@millrace/client';
import { client } from '../../../api/client.js';
import { formatCount } from '../../../text/format-count.js';
import { IconButton } from '../../../ui/button.js';
import { copyText } from '../../../ui/copy-text.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { SidePanel } from '../../../ui/side-panel.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { formatMoment, formatValue } from '../grid/format-cell.js';
import { TypeMark } from '../grid/grid-header.js';
import { Lineage } from './lineage.js';

interface RowPanelProps {
  table: Dataset;
  /** Number of the row (`_row`). */
  row: string;
  onClose: () => void;
  /** Opens the row before or after this one in the grid. */
  onStep?: (step: number) => void;
}

/** All values of a row, and where it comes from. */
export function RowPanel({ table, row, onClose, onStep }: RowPanelProps) {
  const details = useQuery({
    queryKey: ['tables', 'row', table.id, row],
    queryFn: ({ signal }) => client.rows.get(table.id, row, { signal }),
    placeholderData: (previous) => previous,
  });
  return (
    <SidePanel
      title={`Row ${row}`}
      onClose={onClose}
      actions={
        onStep && (
          <>
            <IconButton icon="chevronUp" label="Previous row" onClick={() => onStep(-1)} />
            <IconButton icon="chevronDown" label="Next row" onClick={() => onStep(1)} />
          </>
        )
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={0} role="region" aria-label={`Details of row ${row}`}>
        {details.error ? (
          <div className="px-4">
            <ErrorNote error={details.error} onRetry={() => void details.refetch()} />
          </div>
        ) : details.data ? (
          <div aria-busy={details.isPlaceholderData} className={details.isPlaceholderData ? 'opacity-50' : ''}>
            <Details table={table} details={details.data} />
          </div>
        ) : (
          <Skeleton rows={10} />
        )}
      </div>
    </SidePanel>
  );
}

function Details({ table, details }: { table: Dataset; details: RowsGetResponse }) {
  const columns = (table.columns ?? []).filter(({ system }) => !system);
  return (
    <>
      <dl className="divide-y divide-line border-b border-line">
        {columns.map((column) => (
          <Value key={column.name} column={column} value={details.row[column.name]} />
        ))}
      </dl>
      <Lineage details={details} />
      <p className="px-4 pb-4 text-xs text-muted">
        Earlier values are in the{' '}
        <Link to="/tables/$tableId" params={{ tableId: table.id }} search={{ tab: 'changes' }} className="link">
          changes of each run
        </Link>
        .
      </p>
    </>
  );
}

function Value({ column, value }: { column: Column; value: unknown }) {
  const isMissing = value === null || value === undefined;
  const isObject = typeof value === 'object' && value !== null;
  const text = isObject ? JSON.stringify(value, null, 2) : formatValue(value);
  return (
    <div className="group/value px-4 py-1.5">
      <dt className="flex min-h-5 items-center gap-1.5 text-xs text-muted">
        <TypeMark type={column.type} />
        <span dir="auto" className="wrap-text min-w-0 flex-1">
          {column.name}
        </span>
        {!isMissing && (
          <IconButton
            icon="copy"
            label={`Copy ${column.name}`}
            className="-my-1 size-6! opacity-0 group-hover/value:opacity-100 focus-visible:opacity-100"
            onClick={() => void copyText(formatValue(value))}
          />
        )}
      </dt>
      <dd dir="auto" className={`wrap-text text-sm whitespace-pre-wrap ${isObject ? 'font-mono text-xs' : 'nums'}`}>
        {isMissing ? (
          <span className="text-muted">No value</span>
        ) : text === '' ? (
          <span className="text-muted">Empty text</span>
        ) : column.type === 'timestamp' ? (
          `${formatMoment(text)} UTC`
        ) : (
          <LongText text={text} />
        )}
      </dd>
    </div>
  );
}

/** More of a value would push the other values and the lineage out of the panel. */
const MAX_CHARACTERS = 1_000;

function LongText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || text.length <= MAX_CHARACTERS) return text;
  return (
    <>
      {text.slice(0, MAX_CHARACTERS)}…{' '}
      <button type="button" className="link font-sans text-xs" onClick={() => setWhole(true)}>
        Show all {formatCount(text.length)} characters
      </button>
    </>
  );
}
