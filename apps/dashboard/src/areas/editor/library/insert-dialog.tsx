import { useState } from 'react';
import type { SourceType, TargetType } from '@millrace/graph/connect/match-types';
import { Button } from '../../../ui/button.js';
import { ChoiceList } from '../../../ui/choice-list.js';
import { Dialog } from '../../../ui/dialog.js';
import { ErrorNote } from '../../../ui/error-note.js';
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

/** Chooses a library entry by typing. */
export function InsertDialog({ title, fits, onChoose, onClose }: InsertDialogProps) {
  const [search, setSearch] = useState('');
  const library = useLibrary(search);
  const items = fits ? library.items.filter((item) => itemFits(item, fits)) : library.items;
  return (
    <Dialog title={title} onClose={onClose} width={520}>
      <ChoiceList
        label="Search the library"
        listLabel="Library"
        placeholder="Search steps and modules"
        typed={search}
        onType={setSearch}
        choices={items}
        keyOf={({ id }) => id}
        onChoose={onChoose}
        empty={library.isPending ? '' : 'Nothing fits.'}
        more={
          library.hasNextPage && (
            <Button look="quiet" isPending={library.isFetchingNextPage} onClick={() => void library.fetchNextPage()}>
              Show more
            </Button>
          )
        }
      >
        {({ icon, label, description }) => (
          <>
            <Icon name={icon} className="text-muted" />
            <span dir="auto" className="max-w-44 truncate">
              {label}
            </span>
            <span className="min-w-0 flex-1 truncate text-xs text-muted">{description}</span>
          </>
        )}
      </ChoiceList>
      {library.error && <ErrorNote error={library.error} onRetry={() => void library.refetch()} />}
    </Dialog>
  );
}
