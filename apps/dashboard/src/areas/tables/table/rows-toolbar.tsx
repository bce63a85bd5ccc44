import { useState } from 'react';
import type { Dataset, View } from '@millrace/client';
import { useSpaceRole } from '../../../api/roles.js';
import { formatCount } from '../../../text/format-count.js';
import { Button, IconButton } from '../../../ui/button.js';
import { ColumnPicker } from '../grid/column-picker.js';
import type { ColumnChoice } from '../grid/use-column-layout.js';
import { QueryBar, type QueryProblem } from '../query/query-bar.js';
import { joinQueries } from '../query/write-query.js';
import type { useRowSource } from '../rows/use-row-source.js';
import { ExportDialog } from '../transfer/export-dialog.js';
import { SaveViewDialog } from '../views/save-view-dialog.js';

interface RowsToolbarProps {
  table: Dataset;
  view: View | undefined;
  q: string;
  order: string;
  layout: ColumnChoice;
  problem: QueryProblem | undefined;
  rows: ReturnType<typeof useRowSource>;
  onApply: (q: string) => void;
  /** Whether a load has changed the table since the rows were read. */
  hasNewRows: boolean;
  onRefresh: () => void;
}

/** What chooses the rows and columns of the grid. */
export function RowsToolbar(props: RowsToolbarProps) {
  const { table, view, q, order, layout, problem, rows, hasNewRows, onApply, onRefresh } = props;
  const { count } = rows;
  const canEdit = useSpaceRole(table.space, 'write');
  const [isSaving, setSaving] = useState(false);
  const [isExporting, setExporting] = useState(false);
  const content = {
    q: joinQueries(view?.q ?? '', q),
    order: order === '' ? (view?.order ?? '') : order,
    select: layout.chosen ?? '',
  };
  return (
    <div className="flex flex-wrap items-start gap-2 px-6 py-2.5 max-sm:px-4">
      <QueryBar
        table={table.id}
        columns={table.columns ?? []}
        value={q}
        problem={problem}
        isLoading={rows.isStale && rows.error === undefined}
        onApply={onApply}
      />
      <p role="status" className="nums min-w-24 py-1.5 text-right text-sm whitespace-nowrap text-muted">
        {count &&
          `${count.isEstimate ? 'about ' : ''}${formatCount(count.count)} ${count.count === 1 ? 'row' : 'rows'}`}
      </p>
      {canEdit && (
        <Button icon="save" onClick={() => setSaving(true)}>
          Save view
        </Button>
      )}
      <Button icon="download" onClick={() => setExporting(true)}>
        Export
      </Button>
      <ColumnPicker all={table.columns ?? []} layout={layout} />
      {hasNewRows ? (
        <Button icon="refresh" look="primary" onClick={onRefresh}>
          Show new rows
        </Button>
      ) : (
        <IconButton icon="refresh" label="Read the rows again" look="secondary" onClick={onRefresh} />
      )}
      {isExporting && (
        <ExportDialog
          table={table}
          view={view}
          q={q}
          order={content.order}
          select={content.select}
          isAllColumns={layout.isTooLong}
          onClose={() => setExporting(false)}
        />
      )}
      {isSaving && (
        <SaveViewDialog
          table={table}
          content={content}
          isAllColumns={layout.isTooLong}
          onClose={() => setSaving(false)}
        />
      )}
    </div>
  );
}
