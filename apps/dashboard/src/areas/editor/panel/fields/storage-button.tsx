import { useState } from 'react';
import { IconButton } from '../../../../ui/button.js';
import { Dialog } from '../../../../ui/dialog.js';
import { StoragePicker } from '../../../../ui/run-input/storage-picker.js';

interface StorageButtonProps {
  name: string;
  isFolder: boolean;
  onPick: (value: string) => void;
}

/** Sets a value to a file or folder of the storage. */
export function StorageButton({ name, isFolder, onPick }: StorageButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const kind = isFolder ? 'folder' : 'file';
  return (
    <>
      <IconButton icon="folderOpen" label={`Choose a ${kind} for ${name}`} onClick={() => setOpen(true)} />
      {isOpen && (
        <Dialog title={`Choose a ${kind}`} onClose={() => setOpen(false)}>
          <StoragePicker
            isFolder={isFolder}
            onPick={(path) => {
              onPick(`millrace://file/${path}`);
              setOpen(false);
            }}
          />
        </Dialog>
      )}
    </>
  );
}
