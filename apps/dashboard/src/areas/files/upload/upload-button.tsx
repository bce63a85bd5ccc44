import { useRef } from 'react';
import { Button } from '../../../ui/button.js';
import { Menu } from '../../../ui/menu.js';
import { collectChosen } from './collect-dropped.js';
import type { UploadItem } from './upload-queue.js';

/** Chooses files or a folder of the device. */
export function UploadButton({ onChoose }: { onChoose: (items: UploadItem[]) => void }) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const input = (isFolder: boolean) => (
    <input
      ref={isFolder ? folder : files}
      type="file"
      multiple
      hidden
      {...(isFolder && { webkitdirectory: '' })}
      aria-label={isFolder ? 'Folder to upload' : 'Files to upload'}
      onChange={(event) => {
        if (event.target.files) onChoose(collectChosen(event.target.files));
        // Otherwise the same choice again is no change.
        event.target.value = '';
      }}
    />
  );
  return (
    <>
      {input(false)}
      {input(true)}
      <Menu
        trigger={
          <Button look="primary" icon="upload">
            Upload
          </Button>
        }
        groups={[
          [
            { label: 'Files…', icon: 'file', onSelect: () => files.current?.click() },
            { label: 'Folder…', icon: 'folder', onSelect: () => folder.current?.click() },
          ],
        ]}
      />
    </>
  );
}
