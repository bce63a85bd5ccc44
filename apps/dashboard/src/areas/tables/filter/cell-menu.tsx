import { copyText } from '../../../ui/copy-text.js';
import { MenuAt } from '../../../ui/menu-popup.js';
import type { MenuItem } from '../../../ui/menu.js';
import { notify } from '../../../ui/toast.js';
import type { CellTarget } from '../grid/data-grid.js';
import { formatValue } from '../grid/format-cell.js';
import { isFilterable, writeBound, writeIs, writeIsNot } from './write-filter.js';

/** A cell whose menu is open. */
export interface OpenCell extends CellTarget {
  value: unknown;
  place: DOMRect;
}

interface CellMenuProps {
  cell: OpenCell;
  grid: HTMLElement | null;
  onFilter: (condition: string) => void;
  onOpenRow: () => void;
  onClose: () => void;
}

/** What can be done with a value: filter by it, copy it, open its row. */
export function CellMenu({ cell, grid, onFilter, onOpenRow, onClose }: CellMenuProps) {
  const { column, value, place } = cell;
  const isMissing = value === null || value === undefined;
  const item = (label: string, icon: MenuItem['icon'], condition: string): MenuItem => ({
    label,
    ...(icon && { icon }),
    onSelect: () => onFilter(condition),
  });
  const equality = isFilterable(value)
    ? [item('Only this', 'filter', writeIs(column, value)), item('Not this', 'circleSlash', writeIsNot(column, value))]
    : [item('Only rows with a value', 'filter', writeIsNot(column, null))];
  const isOrdered = ['bigint', 'double', 'timestamp'].includes(column.type) && !isMissing;
  const bounds = isOrdered
    ? [
        item(
          column.type === 'timestamp' ? 'From here on' : 'At least this',
          'arrowUp',
          writeBound(column, '>=', value),
        ),
        item(column.type === 'timestamp' ? 'Up to here' : 'At most this', 'arrowDown', writeBound(column, '<=', value)),
      ]
    : [];
  const copy: MenuItem = {
    label: 'Copy',
    icon: 'copy',
    isDisabled: isMissing,
    onSelect: () => void copyCell(value),
  };
  return (
    <MenuAt
      place={place}
      returnTo={grid}
      onClose={onClose}
      groups={[
        [...equality, ...bounds],
        [copy, { label: 'Open row and lineage', icon: 'panelRight', aside: 'Enter', onSelect: onOpenRow }],
      ]}
    />
  );
}

export async function copyCell(value: unknown): Promise<void> {
  await copyText(formatValue(value));
  notify({ title: 'Copied' });
}
