import { useState } from 'react';
import type { Dataset, View } from '@millrace/client';
import { IconButton } from '../../../ui/button.js';
import { CommandsDialog } from '../../../ui/commands-dialog.js';
import type { TableSearch } from '../table/table-search.js';
import { commandsOf } from './table-commands.js';

interface CommandsButtonProps {
  table: Dataset;
  view?: View;
  search: TableSearch;
}

/** Opens the commands and the request for what the page shows. */
export function CommandsButton({ table, view, search }: CommandsButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton icon="terminal" label="Command and request" look="secondary" onClick={() => setOpen(true)} />
      {isOpen && (
        <CommandsDialog
          subject={`“${view?.name ?? table.name}”`}
          commands={commandsOf({ table, view, search, origin: location.origin })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
