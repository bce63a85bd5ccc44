import type { Dataset } from '@millrace/client';
import { ChangesTab } from '../changes/changes-tab.js';
import { ChartTab } from '../chart/chart-tab.js';
import { ColumnsTab } from '../columns/columns-tab.js';
import { LoadsTab } from '../loads/loads-tab.js';
import { RowPanel } from '../row/row-panel.js';
import { EmptyTable } from './empty-table.js';
import { RowsTab } from './rows-tab.js';
import type { ChangeSearch, TableSearch, TableTab } from './table-search.js';

interface TableContentProps {
  tab: TableTab;
  table: Dataset;
  search: TableSearch;
  onSearch: ChangeSearch;
  onUpload: (() => void) | undefined;
}

/** The selected part of a table. */
export function TableContent({ tab, table, search, onSearch, onUpload }: TableContentProps) {
  if (tab === 'loads') return <LoadsTab table={table} search={search} onSearch={onSearch} />;
  if (tab === 'columns') return <ColumnsTab table={table} />;
  if (tab === 'chart') return <ChartTab table={table} search={search} onSearch={onSearch} />;
  if (tab === 'changes')
    return (
      <div className="flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          <ChangesTab table={table} search={search} onSearch={onSearch} />
        </div>
        {search.row !== undefined && (
          <RowPanel table={table} row={search.row} onClose={() => onSearch({ row: undefined })} />
        )}
      </div>
    );
  const hasColumns = table.columns?.some(({ system }) => !system) ?? false;
  if (!hasColumns) return <EmptyTable table={table} onUpload={onUpload} />;
  return <RowsTab table={table} search={search} onSearch={onSearch} />;
}
