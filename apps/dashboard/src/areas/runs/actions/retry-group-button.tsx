import { useState } from 'react';
import type { FailureGroup, Run } from '@millrace/client';
import { client } from '../../../api/client.js';
import { useSpaceRole } from '../../../api/roles.js';
import { countOf } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { useRefreshRun } from './use-refresh-run.js';

/** The API takes at most this many subjobs in one request. */
const MAX_SUBJOBS = 10_000;
const PAGE_SIZE = 1000;

/** Runs again what failed for one reason. */
export function RetryGroupButton({ run, group }: { run: Run; group: FailureGroup }) {
  const [isAsking, setAsking] = useState(false);
  const mayRun = useSpaceRole(run.space_info, 'execute');
  const refresh = useRefreshRun(run.id);
  if (!mayRun || run.status === 'STOPPING') return null;
  const retry = async () => {
    const failed = await client.failures.subjobs(run.id, group.id, { page_size: PAGE_SIZE }).toArray(MAX_SUBJOBS);
    await client.runs.retry(run.id, { children: failed.map(({ subjob }) => subjob) });
    await refresh();
  };
  const number = Math.min(group.count, MAX_SUBJOBS);
  return (
    <>
      <Button icon="retry" onClick={() => setAsking(true)}>
        Retry
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Run ${countOf(number, 'subjob')} of “${group.label}” again?`}
          description={`Those that failed with “${group.reason}”. Everything that depends on a new result runs again, too; all other results stay.`}
          action="Retry"
          isDangerous={false}
          onConfirm={retry}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
