import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CELL } from '../../../ui/table.js';
import type { InstallationSearch } from '../search.js';

/** Classes of a note after a name. It gives way to the name if there is no room for both. */
export const NOTE = 'min-w-0 shrink-1000 truncate text-xs';

interface RecordRowProps {
  /** What opens the details. */
  name: string;
  /** A note after the name. */
  note?: ReactNode;
  /** Id that the address gets. */
  id: string;
  isOpen: boolean;
  /** A first cell, such as a checkbox. */
  before?: ReactNode;
  /** The other cells. */
  children: ReactNode;
}

/** The row of a record whose details open beside the list, by a click anywhere on the row. */
export const RecordRow = ({ name, note, id, isOpen, before, children }: RecordRowProps) => (
  <tr className={`relative ${isOpen ? 'bg-selected' : 'hover:bg-hover'}`}>
    {before}
    <td className={`${CELL} w-full max-w-0 min-w-44`}>
      <span className="flex min-w-0 items-center gap-2">
        <Link
          to="."
          search={(current: InstallationSearch) => ({ ...current, open: id })}
          dir="auto"
          title={name}
          className="min-w-0 truncate font-medium after:absolute after:inset-0"
        >
          {name}
        </Link>
        {note}
      </span>
    </td>
    {children}
  </tr>
);

/** The cell with the menu of a record, above the link that covers the row. */
export const ActionsCell = ({ children }: { children: ReactNode }) => (
  <td className="relative z-1 py-0.5 pr-1.5 text-right whitespace-nowrap">{children}</td>
);
