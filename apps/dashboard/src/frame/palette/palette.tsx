import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Keys } from '../../keyboard/keys.js';
import { Icon } from '../../ui/icon.js';
import { isPaletteOpen } from '../palette-state.js';
import type { Entry } from './entries.js';
import { useEntries } from './use-entries.js';

/** Finds and opens everything that can be opened, and does what can be done. A combobox by the pattern of the ARIA guide. */
export function Palette() {
  const router = useRouter();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const [position, setPosition] = useState(0);
  const { entries, isSearching } = useEntries(typed);
  const current = Math.min(position, entries.length - 1);
  const close = () => isPaletteOpen.set(false);
  const choose = ({ action }: Entry) => {
    close();
    if (action.type === 'open') void router.navigate(action.link);
    else action.run();
  };
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const onKeyDown = (event: KeyboardEvent) => {
    const entry = entries[current];
    if (event.key === 'Enter' && entry) choose(entry);
    const next = { ArrowDown: current + 1, ArrowUp: current - 1 + entries.length }[event.key];
    if (next === undefined || entries.length === 0) return;
    event.preventDefault();
    setPosition(next % entries.length);
  };
  return (
    <dialog
      ref={showModal}
      aria-label="Search and do"
      onClose={close}
      // A click on the backdrop has the dialog itself as its target.
      onPointerDown={(event) => event.target === event.currentTarget && close()}
      className="fixed top-[12vh] left-1/2 m-0 flex max-h-[70vh] w-xl max-w-[calc(100vw-2rem)] -translate-x-1/2 flex-col rounded-lg bg-raised text-ink shadow-float backdrop:bg-(--shadow)"
    >
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Icon name={isSearching ? 'loader' : 'search'} className={`text-muted ${isSearching ? 'animate-spin' : ''}`} />
        <input
          role="combobox"
          aria-label="Search and do"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={entries[current] && `${id}-${entries[current].id}`}
          autoComplete="off"
          placeholder="Open a workflow, a run, a table, or do something"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setPosition(0);
          }}
          onKeyDown={onKeyDown}
          className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none"
        />
      </div>
      <div
        ref={list}
        role="listbox"
        id={`${id}-list`}
        aria-label="Results"
        className="min-h-0 flex-1 overflow-y-auto p-2"
      >
        {entries.map((entry, index) => (
          <Option
            key={entry.id}
            id={`${id}-${entry.id}`}
            entry={entry}
            isFirstOfGroup={entries[index - 1]?.group !== entry.group}
            isSelected={index === current}
            onPoint={() => setPosition(index)}
            onChoose={() => choose(entry)}
          />
        ))}
      </div>
      {entries.length === 0 && (
        <p role="status" className="px-4 pb-6 text-center text-sm text-muted">
          {isSearching ? 'Searching…' : 'Nothing has this name.'}
        </p>
      )}
    </dialog>
  );
}

/** The element traps the focus and returns it. It is the browser's own because the palette is part of the first load. */
function showModal(dialog: HTMLDialogElement | null) {
  if (!dialog) return undefined;
  dialog.showModal();
  return () => dialog.close();
}

interface OptionProps {
  id: string;
  entry: Entry;
  isFirstOfGroup: boolean;
  isSelected: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

const Option = ({ id, entry, isFirstOfGroup, isSelected, onPoint, onChoose }: OptionProps) => (
  <>
    {isFirstOfGroup && (
      <div role="presentation" className="px-2 pt-2 pb-1 text-xs text-muted">
        {entry.group}
      </div>
    )}
    {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the input handles the keys of all options */}
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      tabIndex={-1}
      onPointerMove={onPoint}
      onClick={onChoose}
      className={`flex h-9 items-center gap-3 rounded-md px-2 text-sm ${isSelected ? 'bg-hover' : ''}`}
    >
      <Icon name={entry.icon} className="text-muted" />
      <span className="min-w-0 truncate" dir="auto">
        {entry.label}
      </span>
      {entry.detail !== undefined && (
        <span className="min-w-0 flex-1 truncate text-xs text-muted" dir="auto">
          {entry.detail}
        </span>
      )}
      {entry.keys !== undefined && (
        <span className="ml-auto">
          <Keys keys={entry.keys} />
        </span>
      )}
    </div>
  </>
);
