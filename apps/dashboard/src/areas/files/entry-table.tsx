import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { File as StoredFile, Folder } from '@millrace/client';
import { formatBytes } from '../../text/format-bytes.js';
import { countOf } from '../../text/format-count.js';
import { Button, IconButton } from '../../ui/button.js';
import { copyText } from '../../ui/copy-text.js';
import { Icon, type IconName } from '../../ui/icon.js';
import { Menu, type MenuItem } from '../../ui/menu.js';
import { SelectBox, type Selectable } from '../../ui/select-box.js';
import { CELL, HEAD_CELL, SortHead, Table } from '../../ui/table.js';
import { Time } from '../../ui/time.js';
import { notify } from '../../ui/toast.js';
import type { StorageEntry } from './describe-deletion.js';
import { downloadUrl, inputReference } from './file-panel.js';
import { relativeTo } from './folder-path.js';
import { filesRoute } from './routes.js';
import { isSort, type FilesSort } from './search.js';

interface EntryTableProps {
  folder: string;
  folders: readonly Folder[];
  files: readonly StoredFile[];
  sort: FilesSort;
  onSort: (sort: FilesSort) => void;
  onDelete: (targets: readonly StorageEntry[]) => void;
  openFile: string | undefined;
}

/** Folders, then files. Several can be selected and deleted together. */
export function EntryTable({ folder, folders, files, sort, onSort, onDelete, openFile }: EntryTableProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const change = (value: string) => isSort(value) && onSort(value);
  const entries: StorageEntry[] = [
    ...folders.map((entry) => ({ kind: 'folder', entry }) as const),
    ...files.map((entry) => ({ kind: 'file', entry }) as const),
  ];
  // What was deleted is no longer listed.
  const chosen = entries.filter(({ entry }) => selected.has(entry.id));
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  const areAllChosen = chosen.length === entries.length && entries.length > 0;
  const toggleAll = () => setSelected(new Set(areAllChosen ? [] : entries.map(({ entry }) => entry.id)));
  const select = (id: string) => ({ isChosen: selected.has(id), onToggle: () => toggle(id) });
  return (
    <>
      <div role="status" className={chosen.length > 0 ? 'mb-2 flex h-8 items-center gap-3 text-sm' : 'sr-only'}>
        {chosen.length > 0 && (
          <>
            <span className="nums">{countOf(chosen.length, 'entry', 'entries')} selected</span>
            <Button icon="trash" onClick={() => onDelete(chosen)}>
              Delete…
            </Button>
            <Button look="quiet" onClick={() => setSelected(new Set())}>
              Clear the selection
            </Button>
          </>
        )}
      </div>
      <Table
        label="Files and folders"
        head={
          <>
            <th scope="col" className={`${HEAD_CELL} w-8 pr-0!`}>
              <SelectBox label="Select all" isChosen={areAllChosen} onToggle={toggleAll} />
            </th>
            <SortHead label="Name" field="path" sort={sort} onSort={change} className="w-full" />
            <SortHead label="Size" field="size" sort={sort} onSort={change} className="text-right" />
            <SortHead label="Modified" field="modified_date" sort={sort} onSort={change} />
            <th scope="col" className={HEAD_CELL}>
              <span className="sr-only">Actions</span>
            </th>
          </>
        }
      >
        {folders.map((entry) => (
          <FolderRow
            key={entry.id}
            folder={entry}
            {...select(entry.id)}
            onDelete={() => onDelete([{ kind: 'folder', entry }])}
          />
        ))}
        {files.map((entry) => (
          <FileRow
            key={entry.id}
            file={entry}
            name={relativeTo(folder, entry.path)}
            isOpen={entry.id === openFile}
            {...select(entry.id)}
            onDelete={() => onDelete([{ kind: 'file', entry }])}
          />
        ))}
      </Table>
    </>
  );
}

interface FolderRowProps extends Selectable {
  folder: Folder;
  onDelete: () => void;
}

function FolderRow({ folder, onDelete, ...selection }: FolderRowProps) {
  return (
    <EntryRow
      {...selection}
      name={folder.name}
      icon="folder"
      size={undefined}
      date={folder.created_date}
      menuLabel={`Actions for the folder ${folder.name}`}
      actions={[
        [{ label: 'Copy as an input', icon: 'copy', onSelect: () => void copyReference(folder.path) }],
        [{ label: 'Delete…', icon: 'trash', isDangerous: true, onSelect: onDelete }],
      ]}
    >
      <Link
        from={filesRoute.fullPath}
        to="."
        search={({ sort }) => ({ folder: folder.path, ...(sort && { sort }) })}
        dir="auto"
        title={folder.name}
        className="min-w-0 truncate font-medium after:absolute after:inset-0"
      >
        {folder.name}
      </Link>
      {folder.description && (
        <span dir="auto" className="min-w-0 flex-1 truncate text-xs text-muted">
          {folder.description}
        </span>
      )}
    </EntryRow>
  );
}

interface FileRowProps extends Selectable {
  file: StoredFile;
  name: string;
  isOpen: boolean;
  onDelete: () => void;
}

function FileRow({ file, name, isOpen, onDelete, ...selection }: FileRowProps) {
  return (
    <EntryRow
      {...selection}
      name={file.name}
      icon="file"
      size={file.size}
      date={file.modified_date}
      isSelected={isOpen}
      menuLabel={`Actions for the file ${file.name}`}
      actions={[
        [
          { label: 'Download', icon: 'download', onSelect: () => location.assign(downloadUrl(file.id)) },
          { label: 'Copy as an input', icon: 'copy', onSelect: () => void copyReference(file.path) },
        ],
        [{ label: 'Delete…', icon: 'trash', isDangerous: true, onSelect: onDelete }],
      ]}
    >
      <Link
        from={filesRoute.fullPath}
        to="."
        search={({ view: _, ...search }) => ({ ...search, file: file.id })}
        dir="auto"
        title={name}
        className="min-w-0 truncate after:absolute after:inset-0"
      >
        {name}
      </Link>
    </EntryRow>
  );
}

interface EntryRowProps extends Selectable {
  icon: IconName;
  name: string;
  size: number | undefined;
  date: string;
  /** Whether it is open beside the list. */
  isSelected?: boolean;
  menuLabel: string;
  actions: readonly (readonly MenuItem[])[];
  children: ReactNode;
}

const EntryRow = (props: EntryRowProps) => (
  <tr className={`relative ${props.isSelected || props.isChosen ? 'bg-selected' : 'hover:bg-hover'}`}>
    <td className={`${CELL} pr-0!`}>
      <SelectBox label={`Select ${props.name}`} isChosen={props.isChosen} onToggle={props.onToggle} />
    </td>
    <td className={`${CELL} max-w-0`}>
      <div className="flex min-w-0 items-center gap-2.5">
        <Icon name={props.icon} className={props.icon === 'folder' ? 'text-accent-ink' : 'text-muted'} />
        {props.children}
      </div>
    </td>
    <td className={`${CELL} nums text-right text-muted`}>{props.size !== undefined && formatBytes(props.size)}</td>
    <td className={`${CELL} text-muted`}>
      <Time value={props.date} />
    </td>
    <td className="relative z-1 pr-1.5">
      <Menu trigger={<IconButton icon="dots" label={props.menuLabel} className="h-7! w-7!" />} groups={props.actions} />
    </td>
  </tr>
);

async function copyReference(path: string): Promise<void> {
  await copyText(inputReference(path));
  notify({ title: 'Copied', description: inputReference(path) });
}
