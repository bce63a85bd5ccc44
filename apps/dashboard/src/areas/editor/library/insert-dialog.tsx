import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { SourceType, TargetType } from '@millrace/graph/connect/match-types';
import { Dialog } from '../../../ui/dialog.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { INPUT_CLASS } from '../../../ui/field.js';
import { Icon } from '../../../ui/icon.js';
import { itemFits, type LibraryItem } from './library-item.js';
import { useLibrary } from './use-library.js';

interface InsertDialogProps {
  title: string;
  /** Shows only what a connection from this port fits. */
  fits?: { side: 'inputs' | 'outputs'; type: SourceType | TargetType };
  onChoose: (item: LibraryItem) => void;
  onClose: () => void;
}

/** Chooses a library entry by typing: the arrows move, Enter chooses. */
export function InsertDialog({ title, fits, onChoose, onClose }: InsertDialogProps) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState(0);
  const library = useLibrary(search);
  const items = fits ? library.items.filter((item) => itemFits(item, fits)) : library.items;
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const active = Math.min(chosen, items.length - 1);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const next = active + (event.key === 'ArrowDown' ? 1 : -1);
      setChosen(Math.min(Math.max(next, 0), items.length - 1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const item = items[active];
      if (item) onChoose(item);
    }
  };
  return (
    <Dialog title={title} onClose={onClose} width={520}>
      <input
        role="combobox"
        aria-label="Search the library"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={items.length > 0 ? `${id}-${active}` : undefined}
        autoFocus
        value={search}
        placeholder="Search steps and modules"
        onChange={(event) => {
          setSearch(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
        className={INPUT_CLASS}
      />
      {library.error && <ErrorNote error={library.error} onRetry={() => void library.refetch()} />}
      <ul ref={list} id={id} role="listbox" aria-label="Library" className="mt-2 h-80 overflow-y-auto">
        {items.map((item, index) => (
          // The keys are those of the field, which keeps the focus.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <li
            key={item.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            onClick={() => onChoose(item)}
            className={`flex items-center gap-2.5 rounded-md px-2 py-1.5 ${index === active ? 'bg-selected' : 'hover:bg-hover'}`}
          >
            <Icon name={item.icon} className="text-muted" />
            <span dir="auto" className="max-w-44 truncate text-sm">
              {item.label}
            </span>
            <span className="min-w-0 flex-1 truncate text-xs text-muted">{item.description}</span>
          </li>
        ))}
      </ul>
      {items.length === 0 && !library.isPending && <p className="pb-2 text-sm text-muted">Nothing fits.</p>}
    </Dialog>
  );
}
