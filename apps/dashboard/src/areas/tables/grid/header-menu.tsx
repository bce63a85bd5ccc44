import { MenuAt } from '../../../ui/menu-popup.js';
import type { MenuItem } from '../../../ui/menu.js';
import { writeIsNot, writeIs } from '../filter/write-filter.js';
import { addSort, removeSort, type SortItem } from '../query/read-order.js';
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
  /** What sorts the rows. */
  order: readonly SortItem[];
  grid: HTMLElement | null;
  onSort: (items: readonly SortItem[]) => void;
  onFilter: (condition: string) => void;
  onShowValues: () => void;
  onClose: () => void;
}

/** What can be done with a column. Everything that the mouse does at the header is here for the keyboard, too. */
export function HeaderMenu(props: HeaderMenuProps) {
  const { table, q, header, layout, order, grid, onSort, onFilter, onShowValues, onClose } = props;
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
        furtherSorts({ name, order, onSort }),
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

/** How the column sorts rows that the other ones leave equal. */
function furtherSorts({
  name,
  order,
  onSort,
}: Pick<HeaderMenuProps, 'order' | 'onSort'> & { name: string }): MenuItem[] {
  const isSorted = order.some(({ column }) => column === name);
  const hasOthers = order.some(({ column }) => column !== name);
  const add = (isDescending: boolean) => onSort(addSort(order, { column: name, isDescending }));
  return [
    ...(hasOthers
      ? [
          { label: 'Then sort ascending', icon: 'arrowUp', onSelect: () => add(false) } as const,
          { label: 'Then sort descending', icon: 'arrowDown', onSelect: () => add(true) } as const,
        ]
      : []),
    ...(isSorted
      ? [{ label: 'Do not sort by it', icon: 'x', onSelect: () => onSort(removeSort(order, name)) } as const]
      : []),
  ];
}
