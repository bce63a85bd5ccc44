import { type KeyboardEvent, memo, useId, useMemo, useRef, useState } from 'react';
import { Button, IconButton } from '../../../ui/button.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { INPUT_CLASS } from '../../../ui/field.js';
import { Icon } from '../../../ui/icon.js';
import { Skeleton } from '../../../ui/skeleton.js';
import type { LibraryItem } from './library-item.js';
import { groupItems, useLibrary } from './use-library.js';

/** The type of a drag that carries a library entry. */
export const ITEM_TYPE = 'application/x-millrace-item';

interface LibraryDrawerProps {
  onAdd: (item: LibraryItem) => void;
  onDragStart: (item: LibraryItem) => void;
  onClose: () => void;
}

/** Everything that can be added: search, then click, Enter, or drag to the canvas. */
export const LibraryDrawer = memo(function LibraryDrawer({ onAdd, onDragStart, onClose }: LibraryDrawerProps) {
  const [search, setSearch] = useState('');
  const { items, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useLibrary(search);
  const groups = useMemo(() => groupItems(items), [items]);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('[data-item]') ?? [])];
    const index = buttons.findIndex((button) => button === document.activeElement);
    buttons.at(index < 0 ? 0 : Math.min(Math.max(index + step, 0), buttons.length - 1))?.focus();
  };
  const first = items[0];
  return (
    <div className="flex min-h-0 flex-1 flex-col" onKeyDown={move}>
      <div className="flex items-center gap-1 py-2 pr-2 pl-4">
        <h2 className="flex-1 text-base!">Library</h2>
        <IconButton icon="x" label="Close the library" onClick={onClose} />
      </div>
      <div className="px-4 pb-2">
        <label htmlFor={id} className="sr-only">
          Search the library
        </label>
        <input
          id={id}
          type="search"
          value={search}
          placeholder="Search steps and modules"
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && first) onAdd(first);
          }}
          className={INPUT_CLASS}
        />
      </div>
      <div ref={list} className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
        {groups.map(([category, members]) => (
          <section key={category} aria-label={category} className="mb-2">
            <h3 className="px-2 pt-2 pb-1 text-xs font-medium text-muted">{category}</h3>
            <ul>
              {members.map((item) => (
                <li key={item.id}>
                  <Entry item={item} onAdd={onAdd} onDragStart={onDragStart} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        {isPending && <Skeleton rows={8} />}
        {error && <ErrorNote error={error} onRetry={() => void refetch()} className="mx-2" />}
        {items.length === 0 && !isPending && (
          <p className="wrap-text px-2 py-4 text-sm text-muted">Nothing in the library has “{search}” in its name.</p>
        )}
        {hasNextPage && (
          <Button look="quiet" isPending={isFetchingNextPage} onClick={() => void fetchNextPage()} className="mx-2">
            Show more
          </Button>
        )}
      </div>
    </div>
  );
});

interface EntryProps {
  item: LibraryItem;
  onAdd: (item: LibraryItem) => void;
  onDragStart: (item: LibraryItem) => void;
}

const Entry = ({ item, onAdd, onDragStart }: EntryProps) => (
  <button
    type="button"
    data-item={item.id}
    draggable
    onClick={() => onAdd(item)}
    onDragStart={(event) => {
      event.dataTransfer.setData(ITEM_TYPE, item.id);
      event.dataTransfer.effectAllowed = 'copy';
      onDragStart(item);
    }}
    title={item.description}
    className="flex w-full items-start gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-hover"
  >
    <Icon name={item.icon} className="mt-0.5 text-muted" />
    <span className="min-w-0 flex-1">
      <span dir="auto" className="block truncate text-sm">
        {item.label}
      </span>
      <span className="block truncate text-xs text-muted">{item.description}</span>
    </span>
  </button>
);
