import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Version, Workflow } from '@millrace/client';
import { client } from '../../../api/client.js';
import { useSpaceRole } from '../../../api/roles.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { notify } from '../../../ui/toast.js';
import { readDocument } from '../document/document.js';
import { findRenames } from '../document/find-renames.js';
import { moveBindings } from '../session/move-bindings.js';
import { PublishDialog } from './publish-dialog.js';

interface VersionDiffActionsProps {
  workflow: Workflow;
  before: Version;
  after: Version;
}

/** Publishes the later version, or makes the earlier one the latest again if nothing came after the later one. */
export function VersionDiffActions({ workflow, before, after }: VersionDiffActionsProps) {
  const [dialog, setDialog] = useState<'restore' | 'publish'>();
  const canEdit = useSpaceRole(workflow.space_info, 'write');
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  if (!canEdit) return null;
  const close = () => setDialog(undefined);
  const restore = async () => {
    const { id, number } = await client.versions.restore(workflow.id, before.id, { expected_version_id: after.id });
    await moveBindings(workflow.id, findRenames(readDocument(after.data), readDocument(before.data), { done: [] }));
    await queryClient.invalidateQueries({ queryKey: ['editor'] });
    notify({ title: `Version ${before.number} is the latest again, as version ${number}` });
    await navigate({
      to: '/workflows/$workflowId/versions/$range',
      params: { workflowId: workflow.id, range: `${after.id}...${id}` },
    });
  };
  return (
    <>
      {after.id === workflow.latest_version_info && (
        <Button icon="history" onClick={() => setDialog('restore')}>
          Restore version {before.number}
        </Button>
      )}
      <Button icon="share" onClick={() => setDialog('publish')}>
        Publish version {after.number}
      </Button>
      {dialog === 'restore' && (
        <ConfirmDialog
          title={`Restore version ${before.number}?`}
          description={`It is saved as a new version, and version ${after.number} remains in the history.`}
          action="Restore"
          isDangerous={false}
          onConfirm={restore}
          onClose={close}
        />
      )}
      {dialog === 'publish' && <PublishDialog workflow={workflow} version={after.id} onClose={close} />}
    </>
  );
}
