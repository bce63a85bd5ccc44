import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { Space } from '@millrace/client';
import { client } from '../api/client.js';
import { hasRoleIn, spacesQuery } from '../api/spaces.js';
import { Button } from './button.js';
import { ChoiceList } from './choice-list.js';
import { Dialog } from './dialog.js';
import { Field, SelectField } from './field.js';
import { Icon } from './icon.js';

/** More spaces are found by typing. */
const MAX_LISTED = 20;
const PAGE_SIZE = 50;

interface SpaceFieldProps {
  value: string;
  onChange: (space: string) => void;
}

/** A space that the user may edit: from a list if there are few, by typing otherwise. */
export function SpaceField({ value, onChange }: SpaceFieldProps) {
  const { data: all = [] } = useQuery(spacesQuery);
  const [isOpen, setOpen] = useState(false);
  const [found, setFound] = useState<Space>();
  const spaces = all.filter((space) => hasRoleIn(space, 'write'));
  if (spaces.length <= MAX_LISTED)
    return (
      <SelectField
        label="Space"
        value={value}
        options={spaces.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={onChange}
      />
    );
  const current = found?.id === value ? found : spaces.find(({ id }) => id === value);
  return (
    <Field label="Space">
      {(attributes) => (
        <>
          <Button {...attributes} aria-haspopup="dialog" className="w-full min-w-0" onClick={() => setOpen(true)}>
            <span dir="auto" className="min-w-0 flex-1 truncate text-left font-normal">
              {current?.name ?? 'Choose a space'}
            </span>
            <Icon name="chevronDown" size={14} className="text-muted" />
          </Button>
          {isOpen && (
            <SpaceDialog
              onChoose={(space) => {
                setFound(space);
                onChange(space.id);
                setOpen(false);
              }}
              onClose={() => setOpen(false)}
            />
          )}
        </>
      )}
    </Field>
  );
}

function SpaceDialog({ onChoose, onClose }: { onChoose: (space: Space) => void; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const list = useInfiniteQuery({
    queryKey: ['spaces', 'choices', search],
    queryFn: async ({ signal, pageParam }) =>
      await client.spaces.list(
        { page: pageParam, page_size: PAGE_SIZE, ordering: 'name', ...(search !== '' && { search }) },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: ({ next }, pages) => (next ? pages.length + 1 : undefined),
    placeholderData: keepPreviousData,
  });
  const spaces = list.data?.pages.flatMap(({ results }) => results).filter((space) => hasRoleIn(space, 'write')) ?? [];
  return (
    <Dialog title="Choose a space" onClose={onClose}>
      <ChoiceList
        label="Name of the space"
        listLabel="Spaces"
        typed={typed}
        onType={setTyped}
        choices={spaces}
        keyOf={({ id }) => id}
        onChoose={onChoose}
        empty={list.isPending ? '' : 'No space that you may edit has this name.'}
        more={
          list.hasNextPage && (
            <Button look="quiet" isPending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              Show more
            </Button>
          )
        }
      >
        {({ name }) => (
          <>
            <Icon name="layers" className="text-muted" />
            <span dir="auto" className="truncate" title={name}>
              {name}
            </span>
          </>
        )}
      </ChoiceList>
    </Dialog>
  );
}
