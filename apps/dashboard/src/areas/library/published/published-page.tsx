import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../api/client.js';
import { useMemberName } from '../../../api/members.js';
import { useSpaceRole } from '../../../api/roles.js';
import { Button, IconButton } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Menu } from '../../../ui/menu.js';
import { Page } from '../../../ui/page.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { Time } from '../../../ui/time.js';
import { AddModuleDialog } from '../dialogs/add-module-dialog.js';
import { CopyPublishedDialog } from '../dialogs/copy-published-dialog.js';
import { publishedQuery } from '../queries.js';
import { publishedRoute } from '../routes.js';
import { GraphSection } from './graph-section.js';
import { NodeTable } from './node-table.js';

/** A published workflow: what it consists of, and what can be made of it. */
export function PublishedPage() {
  const { snapshotId } = publishedRoute.useParams();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<'copy' | 'add' | 'withdraw'>();
  const { data: snapshot, error, refetch } = useQuery(publishedQuery(snapshotId));
  const author = useMemberName(snapshot?.author);
  const mayWithdraw = useSpaceRole(snapshot?.space_info, 'write');
  const maySee = useSpaceRole(snapshot?.space_info, 'read');
  const breadcrumb = (
    <Link to="/library" search={{ tab: 'workflows' }} className="hover:text-ink hover:underline">
      Library
    </Link>
  );
  if (!snapshot)
    return (
      <Page title="Published workflow" breadcrumb={breadcrumb}>
        {error ? <ErrorNote error={error} onRetry={() => void refetch()} className="mx-6" /> : <Skeleton />}
      </Page>
    );
  const close = () => setOpen(undefined);
  const withdraw = async () => {
    await client.snapshots.delete(snapshot.workflow, snapshot.id);
    await navigate({ to: '/library', search: { tab: 'workflows' } });
    queryClient.removeQueries({ queryKey: ['library', 'published', snapshot.id] });
    await queryClient.invalidateQueries({ queryKey: ['library'] });
  };
  return (
    <Page
      title={<span dir="auto">{snapshot.name}</span>}
      tabTitle={snapshot.name}
      breadcrumb={breadcrumb}
      aside={<span className="text-xs text-muted">Published workflow</span>}
      actions={
        <>
          {mayWithdraw && (
            <Menu
              trigger={<IconButton icon="dots" label="More actions" look="secondary" />}
              groups={[[{ label: 'Withdraw…', icon: 'trash', isDangerous: true, onSelect: () => setOpen('withdraw') }]]}
            />
          )}
          <Button icon="library" onClick={() => setOpen('add')}>
            Add as a module
          </Button>
          <Button look="primary" icon="copy" onClick={() => setOpen('copy')}>
            Copy to a space
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-6 px-6 pt-2 max-sm:px-4">
        {snapshot.description && (
          <p dir="auto" className="wrap-text max-w-3xl">
            {snapshot.description}
          </p>
        )}
        <dl className="wrap-text grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-sm">
          <dt className="text-muted">Workflow</dt>
          <dd dir="auto">
            {maySee ? (
              <Link to="/workflows/$workflowId" params={{ workflowId: snapshot.workflow }} className="link">
                {snapshot.workflow_name}
              </Link>
            ) : (
              snapshot.workflow_name
            )}
          </dd>
          <dt className="text-muted">Version</dt>
          <dd className="nums">{snapshot.version_number}</dd>
          <dt className="text-muted">Space</dt>
          <dd dir="auto">{snapshot.space_name}</dd>
          <dt className="text-muted">Author</dt>
          <dd dir="auto">{author ?? snapshot.author}</dd>
          <dt className="text-muted">Published</dt>
          <dd>
            <Time value={snapshot.created_date} />
          </dd>
        </dl>
        <GraphSection snapshot={snapshot.id} />
        <NodeTable data={snapshot.data} />
      </div>
      {open === 'copy' && <CopyPublishedDialog snapshot={snapshot} onClose={close} />}
      {open === 'add' && <AddModuleDialog snapshot={snapshot} onClose={close} />}
      {open === 'withdraw' && (
        <ConfirmDialog
          title={`Withdraw “${snapshot.name}” from the library?`}
          description="The version of the workflow remains. Modules that wrap it can no longer be used in new workflows."
          action="Withdraw"
          onConfirm={withdraw}
          onClose={close}
        />
      )}
    </Page>
  );
}
