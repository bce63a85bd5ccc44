import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { VersionSummary } from '@millrace/client';
import { client } from '../../../api/client.js';
import { useMemberName } from '../../../api/members.js';
import { useStore } from '../../../store/create-store.js';
import { countOf } from '../../../text/format-count.js';
import { Button, IconButton } from '../../../ui/button.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Menu } from '../../../ui/menu.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { Time } from '../../../ui/time.js';
import { notify, notifyError } from '../../../ui/toast.js';
import { changesSince } from '../session/changed-records.js';
import type { EditorDialog } from '../session/dialogs.js';
import { useEditor } from '../session/editor-context.js';
import { restoreVersion } from '../session/restore-version.js';
import { loadVersion } from '../session/save-version.js';

const PAGE_SIZE = 30;

interface VersionListProps {
  onClose: () => void;
  onDialog: (dialog: EditorDialog) => void;
}

/** All versions of the workflow, the newest first. */
export function VersionList({ onClose, onDialog }: VersionListProps) {
  const { workflow } = useEditor();
  const list = useInfiniteQuery({
    queryKey: ['editor', 'versions', workflow.id],
    queryFn: async ({ signal, pageParam }) =>
      await client.versions.list(
        workflow.id,
        { page: pageParam, page_size: PAGE_SIZE, ordering: '-number' },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: ({ next }, pages) => (next ? pages.length + 1 : undefined),
  });
  const versions = list.data?.pages.flatMap(({ results }) => results) ?? [];
  return (
    <>
      <header className="flex items-center gap-1 border-b border-line py-2 pr-2 pl-4">
        <h2 className="flex-1 text-base!">Versions</h2>
        <IconButton icon="x" label="Close the versions" onClick={onClose} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {list.isPending && <Skeleton />}
        {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} className="mx-4" />}
        {list.data && versions.length === 0 && (
          <EmptyState icon="history" title="No versions yet">
            Save the workflow to make its first version.
          </EmptyState>
        )}
        <ol>
          {versions.map((version, index) => (
            <VersionRow
              key={version.id}
              version={version}
              previous={versions[index + 1]}
              latest={versions[0]}
              onDialog={onDialog}
            />
          ))}
        </ol>
        {list.hasNextPage && (
          <Button
            look="quiet"
            className="m-2"
            isPending={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Show more
          </Button>
        )}
      </div>
    </>
  );
}

interface VersionRowProps {
  version: VersionSummary;
  previous: VersionSummary | undefined;
  latest: VersionSummary | undefined;
  onDialog: (dialog: EditorDialog) => void;
}

function VersionRow({ version, previous, latest, onDialog }: VersionRowProps) {
  const { session, workflow, canEdit } = useEditor();
  const author = useMemberName(version.author);
  const base = useStore(session.base);
  const document = useStore(session.document);
  const [error, setError] = useState<unknown>();
  const isEdited = changesSince(base.document, document).length > 0;
  const isLatest = version.id === latest?.id;
  const restore = useMutation({
    mutationFn: (replaced: string) => restoreVersion(workflow.id, version, replaced),
    onSuccess: (restored) => session.replace(restored, restored.document, `Restore version ${version.number}`),
    onError: setError,
  });
  const load = () =>
    loadVersion(workflow.id, version.id).then(
      (loaded) => {
        session.replace(base, loaded.document, `Load version ${version.number}`);
        notify({
          title: `The canvas has the data of version ${version.number}`,
          action: { label: 'Undo', onSelect: () => session.undo() },
        });
      },
      (thrown: unknown) => notifyError('The version could not be loaded', thrown),
    );
  return (
    <li className="border-b border-line px-4 py-2.5">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="wrap-text text-sm">
            <span className="font-medium">Version {version.number}</span>
            {version.name !== undefined && <span dir="auto"> {version.name}</span>}
          </p>
          <p className="flex flex-wrap gap-x-1.5 text-xs text-muted">
            <Time value={version.created_date} />
            {author !== undefined && <span dir="auto">by {author}</span>}
            {version.run_count > 0 && <span>· {countOf(version.run_count, 'run')}</span>}
            {version.snapshot && <span className="text-accent-ink">· published</span>}
            {version.id === base.versionId && <span>· {isEdited ? 'edited here' : 'open here'}</span>}
          </p>
          <p className="mt-1 flex flex-wrap gap-x-3 text-xs">
            {previous && (
              <Link
                to="/workflows/$workflowId/versions/$range"
                params={{ workflowId: workflow.id, range: `${previous.id}...${version.id}` }}
                className="link"
              >
                Changes
              </Link>
            )}
            {!isLatest && latest && (
              <Link
                to="/workflows/$workflowId/versions/$range"
                params={{ workflowId: workflow.id, range: `${version.id}...${latest.id}` }}
                className="link"
              >
                Compare with the latest
              </Link>
            )}
          </p>
        </div>
        {canEdit && (
          <Menu
            trigger={<IconButton icon="more" label={`Actions of version ${version.number}`} />}
            groups={[
              [
                ...(latest === undefined || isLatest || isEdited
                  ? []
                  : [{ label: 'Restore', icon: 'history' as const, onSelect: () => restore.mutate(latest.id) }]),
                { label: 'Load into the canvas', icon: 'download', onSelect: () => void load() },
                {
                  label: 'Publish to the library',
                  icon: 'share',
                  onSelect: () => onDialog({ kind: 'publish', version: version.id }),
                },
              ],
            ]}
          />
        )}
      </div>
      {error !== undefined && <ErrorNote error={error} />}
    </li>
  );
}
