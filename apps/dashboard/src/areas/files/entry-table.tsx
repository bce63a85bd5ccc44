import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { File as StoredFile, Folder } from '@millrace/client';
import { formatBytes } from '../../text/format-bytes.js';
import { IconButton } from '../../ui/button.js';
import { copyText } from '../../ui/copy-text.js';
import { Icon, type IconName } from '../../ui/icon.js';
import { Menu, type MenuItem } from '../../ui/menu.js';
import { CELL, HEAD_CELL, SortHead, Table } from '../../ui/table.js';
import { Time } from '../../ui/time.js';
import { notify } from '../../ui/toast.js';
import type { Doomed } from './delete-dialog.js';
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
  onDelete: (target: Doomed) => void;
  openFile: string | undefined;
}

/** Folders, then files. */
export function EntryTable({ folder, folders, files, sort, onSort, onDelete, openFile }: EntryTableProps) {
  const change = (value: string) => isSort(value) && onSort(value);
  return (
    <Table
      label="Files and folders"
      head={
        <>
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
        <FolderRow key={entry.id} folder={entry} onDelete={() => onDelete({ kind: 'folder', folder: entry })} />
      ))}
      {files.map((file) => (
        <FileRow
          key={file.id}
          file={file}
          name={relativeTo(folder, file.path)}
          isOpen={file.id === openFile}
          onDelete={() => onDelete({ kind: 'file', file })}
        />
      ))}
    </Table>
  );
}

function FolderRow({ folder, onDelete }: { folder: Folder; onDelete: () => void }) {
  return (
    <EntryRow
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

interface FileRowProps {
  file: StoredFile;
  name: string;
  isOpen: boolean;
  onDelete: () => void;
}

function FileRow({ file, name, isOpen, onDelete }: FileRowProps) {
  return (
    <EntryRow
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

interface EntryRowProps {
  icon: IconName;
  size: number | undefined;
  date: string;
  isSelected?: boolean;
  menuLabel: string;
  actions: readonly (readonly MenuItem[])[];
  children: ReactNode;
}

const EntryRow = ({ icon, size, date, isSelected = false, menuLabel, actions, children }: EntryRowProps) => (
  <tr className={`relative ${isSelected ? 'bg-selected' : 'hover:bg-hover'}`}>
    <td className={`${CELL} max-w-0`}>
      <div className="flex min-w-0 items-center gap-2.5">
        <Icon name={icon} className={icon === 'folder' ? 'text-accent-ink' : 'text-muted'} />
        {children}
      </div>
    </td>
    <td className={`${CELL} nums text-right text-muted`}>{size !== undefined && formatBytes(size)}</td>
    <td className={`${CELL} text-muted`}>
      <Time value={date} />
    </td>
    <td className="relative z-1 pr-1.5">
      <Menu trigger={<IconButton icon="dots" label={menuLabel} className="h-7! w-7!" />} groups={actions} />
    </td>
  </tr>
);

async function copyReference(path: string): Promise<void> {
  await copyText(inputReference(path));
  notify({ title: 'Copied', description: inputReference(path) });
}
