import { useQueryClient } from '@tanstack/react-query';
import { client } from '../../../api/client.js';
import { unseenCountQuery } from '../../../api/notifications.js';
import { countOf } from '../../../text/format-count.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { notify } from '../../../ui/toast.js';
import { LIST_KEY } from '../queries.js';

interface ClearDialogProps {
  /** Whether unseen notifications stay. */
  isSeenOnly: boolean;
  onClose: () => void;
}

export function ClearDialog({ isSeenOnly, onClose }: ClearDialogProps) {
  const queryClient = useQueryClient();
  const clear = async () => {
    const { deleted } = await client.notifications.clear(isSeenOnly ? { seen: 'true' } : {});
    await queryClient.invalidateQueries({ queryKey: LIST_KEY });
    await queryClient.invalidateQueries({ queryKey: unseenCountQuery.queryKey });
    notify({ title: `Deleted ${countOf(deleted, 'notification')}` });
  };
  return (
    <ConfirmDialog
      title={isSeenOnly ? 'Delete all seen notifications?' : 'Delete all notifications?'}
      description={isSeenOnly ? 'Unseen ones stay. The others cannot be restored.' : 'They cannot be restored.'}
      action="Delete"
      onConfirm={clear}
      onClose={onClose}
    />
  );
}
