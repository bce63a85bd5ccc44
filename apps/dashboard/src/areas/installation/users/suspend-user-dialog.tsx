import type { AdminUser } from '@millrace/client';
import { client } from '../../../api/client.js';
import { notify } from '../../../ui/toast.js';
import { useRefresh } from '../parts/area-queries.js';
import { SuspendDialog } from '../parts/suspend-dialog.js';

export function SuspendUserDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const refresh = useRefresh();
  return (
    <SuspendDialog
      title={`Suspend ${user.email}?`}
      description="All sessions and tokens of the user end within a second. They cannot sign in, and their schedules and hooks start no runs, until an administrator resumes them. Runs that are under way continue."
      onSuspend={async (reason) => {
        await client.adminUsers.suspend(user.id, { reason });
        notify({ title: `${user.email} is suspended` });
        await refresh();
      }}
      onClose={onClose}
    />
  );
}
