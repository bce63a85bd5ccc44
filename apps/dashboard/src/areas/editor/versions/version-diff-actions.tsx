import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Version, Workflow } from '@millrace/client';
import { useSpaceRole } from '../../../api/roles.js';
import { workflowQuery } from '../../../api/workflow-query.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { restoreVersion } from '../session/restore-version.js';
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
    const { versionId = '' } = await restoreVersion(workflow.id, before, after.id);
    await queryClient.invalidateQueries(workflowQuery(workflow.id));
    await navigate({
      to: '/workflows/$workflowId/versions/$range',
      params: { workflowId: workflow.id, range: `${after.id}...${versionId}` },
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
