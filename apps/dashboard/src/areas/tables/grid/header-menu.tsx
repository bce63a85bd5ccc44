import { MenuAt } from '../../../ui/menu-popup.js';
import { writeIsNot, writeIs } from '../filter/write-filter.js';
import type { SortItem } from '../query/read-order.js';
import { ColumnFacts } from './column-facts.js';
import type { CellTarget } from './data-grid.js';
import type { ColumnChoice } from './use-column-layout.js';

const WIDTH_STEP = 40;

interface HeaderMenuProps {
  table: string;
  /** The condition of the rows whose share of empty values is shown. */
  q: string;
  header: CellTarget & { place: DOMRect };
  layout: ColumnChoice;
  grid: HTMLElement | null;
  onSort: (items: readonly SortItem[]) => void;
  onFilter: (condition: string) => void;
  onShowValues: () => void;
  onClose: () => void;
}

/** What can be done with a column. Everything that the mouse does at the header is here for the keyboard, too. */
export function HeaderMenu(props: HeaderMenuProps) {
  const { table, q, header, layout, grid, onSort, onFilter, onShowValues, onClose } = props;
  const { column, element } = header;
  const { name } = column;
  const names = layout.columns.map((one) => one.name);
  const at = names.indexOf(name);
  const neighbour = (step: number) => names[at + step];
  const move = (step: number) => layout.move(name, neighbour(step) ?? name);
  const resize = (step: number) => layout.resize(name, element.offsetWidth + step);
  const isPinned = layout.pinned.includes(name);
  return (
    <MenuAt
      place={header.place}
      returnTo={grid}
      onClose={onClose}
      header={<ColumnFacts table={table} q={q} column={column} />}
      groups={[
        [
          { label: 'Sort ascending', icon: 'arrowUp', onSelect: () => onSort([{ column: name, isDescending: false }]) },
          {
            label: 'Sort descending',
            icon: 'arrowDown',
            onSelect: () => onSort([{ column: name, isDescending: true }]),
          },
        ],
        [
          { label: 'Values…', icon: 'listChecks', onSelect: onShowValues },
          { label: 'Only rows with a value', icon: 'filter', onSelect: () => onFilter(writeIsNot(column, null)) },
          { label: 'Only rows without a value', icon: 'circleSlash', onSelect: () => onFilter(writeIs(column, null)) },
        ],
        [
          {
            label: isPinned ? 'Unpin' : 'Pin to the left',
            icon: isPinned ? 'pinOff' : 'pin',
            onSelect: () => layout.togglePin(name),
          },
          { label: 'Move left', icon: 'arrowLeft', isDisabled: at <= 0, onSelect: () => move(-1) },
          { label: 'Move right', icon: 'arrowRight', isDisabled: at >= names.length - 1, onSelect: () => move(1) },
          { label: 'Wider', icon: 'plus', onSelect: () => resize(WIDTH_STEP) },
          { label: 'Narrower', icon: 'minus', onSelect: () => resize(-WIDTH_STEP) },
          { label: 'Hide', icon: 'eyeOff', isDisabled: names.length < 2, onSelect: () => layout.hide(name) },
        ],
      ]}
    />
  );
}
