import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Keys } from '../../keyboard/keys.js';
import { ChoiceList } from '../../ui/choice-list.js';
import { Icon } from '../../ui/icon.js';
import { isPaletteOpen } from '../palette-state.js';
import type { Entry } from './entries.js';
import { useEntries } from './use-entries.js';

/** Finds and opens everything that can be opened, and does what can be done. */
export function Palette() {
  const router = useRouter();
  const [typed, setTyped] = useState('');
  const { entries, isSearching } = useEntries(typed);
  const close = () => isPaletteOpen.set(false);
  const choose = ({ action }: Entry) => {
    close();
    if (action.type === 'open') void router.navigate(action.link);
    else action.run();
  };
  return (
    <dialog
      ref={showModal}
      aria-label="Search and do"
      // In development, React mounts it twice: the event of the first one arrives when the second one is open.
      onClose={(event) => !event.currentTarget.open && close()}
      // A click on the backdrop has the dialog itself as its target.
      onPointerDown={(event) => event.target === event.currentTarget && close()}
      className="fixed top-[12vh] left-1/2 m-0 flex max-h-[70vh] w-xl max-w-[calc(100vw-2rem)] -translate-x-1/2 flex-col rounded-lg bg-raised text-ink shadow-float backdrop:bg-(--shadow)"
    >
      <ChoiceList
        label="Search and do"
        listLabel="Results"
        placeholder="Open a workflow, a run, a table, or do something"
        look="bar"
        typed={typed}
        onType={setTyped}
        choices={entries}
        keyOf={({ id }) => id}
        groupOf={({ group }) => group}
        onChoose={choose}
        isSearching={isSearching}
        empty={isSearching ? 'Searching…' : 'Nothing has this name.'}
      >
        {(entry) => <EntryRow entry={entry} />}
      </ChoiceList>
    </dialog>
  );
}

/** The element traps the focus and returns it. It is the browser's own because the palette is part of the first load. */
function showModal(dialog: HTMLDialogElement | null) {
  if (!dialog) return undefined;
  dialog.showModal();
  return () => dialog.close();
}

const EntryRow = ({ entry }: { entry: Entry }) => (
  <>
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
  </>
);
