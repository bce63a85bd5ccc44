import { useQuery } from '@tanstack/react-query';
import type { File as StoredFile } from '@millrace/client';
import { apiUrl, client } from '../../api/client.js';
import { formatBytes } from '../../text/format-bytes.js';
import { buttonClass, IconButton } from '../../ui/button.js';
import { Copyable } from '../../ui/copyable.js';
import { ErrorNote } from '../../ui/error-note.js';
import { Fact, FactList } from '../../ui/fact-list.js';
import { Icon } from '../../ui/icon.js';
import { ContentPreview } from '../../ui/preview/content-preview.js';
import type { PreviewView } from '../../ui/preview/list-views.js';
import { SidePanel } from '../../ui/side-panel.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import { fileQuery } from './queries.js';

export const downloadUrl = (id: string): string => apiUrl(`/storage/files/${id}/download`);

interface FilePanelProps {
  id: string;
  view: PreviewView | undefined;
  onViewChange: (view: PreviewView) => void;
  onDelete: (file: StoredFile) => void;
  onClose: () => void;
}

/** The facts and the first part of a file. */
export function FilePanel({ id, view, onViewChange, onDelete, onClose }: FilePanelProps) {
  const { data: file, error } = useQuery(fileQuery(id));
  if (!file)
    return (
      <SidePanel title="File" onClose={onClose}>
        {error ? <ErrorNote error={error} className="mx-4" /> : <Skeleton />}
      </SidePanel>
    );
  return (
    <SidePanel
      title={file.name}
      onClose={onClose}
      actions={
        <>
          <a
            href={downloadUrl(id)}
            download={file.name}
            aria-label="Download"
            title="Download"
            className={buttonClass('quiet', true)}
          >
            <Icon name="download" />
          </a>
          <IconButton icon="trash" label="Delete" onClick={() => onDelete(file)} />
        </>
      }
    >
      <Facts file={file} />
      <ContentPreview
        key={file.sha256}
        className="flex-1 border-t border-line"
        contentKey={file.sha256}
        name={file.name}
        size={file.size}
        read={async (range, signal) => (await client.files.download(id, { range, signal })).bytes()}
        view={view}
        onViewChange={onViewChange}
      />
    </SidePanel>
  );
}

const Facts = ({ file }: { file: StoredFile }) => (
  <FactList className="max-h-[40%] shrink-0 overflow-y-auto px-4 py-3">
    <Fact label="Folder">
      <span dir="auto">{file.folder ?? 'Top level'}</span>
    </Fact>
    <Fact label="Size">{formatBytes(file.size)}</Fact>
    <Fact label="Modified">
      <Time value={file.modified_date} />
    </Fact>
    <Fact label="As an input">
      <Copyable text={inputReference(file.path)} label="Copy the reference" />
    </Fact>
    <Fact label="SHA-256">
      <span className="font-mono text-xs">{file.sha256}</span>
    </Fact>
  </FactList>
);

/** How inputs of runs name the file. */
export const inputReference = (path: string): string => `millrace://file/${path}`;
