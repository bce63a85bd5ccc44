import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { NotificationConfig } from '@millrace/client';
import { client } from '../../../api/client.js';
import { Button } from '../../../ui/button.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Icon } from '../../../ui/icon.js';
import { Time } from '../../../ui/time.js';
import { configQuery } from '../queries.js';

/** Says that the mail server has rejected the user's address, and offers to try again. */
export function MailPaused({ paused }: { paused: NonNullable<NotificationConfig['email_paused']> }) {
  const queryClient = useQueryClient();
  const resume = useMutation({
    mutationFn: () => client.config.resumeMail(),
    onSuccess: (config) => queryClient.setQueryData(configQuery.queryKey, config),
  });
  return (
    <div className="mb-4 rounded-md border border-line bg-stopped-soft px-3 py-2.5 text-sm">
      <div className="flex items-start gap-2.5">
        <Icon name="warning" className="mt-0.5 text-stopped" />
        <p className="wrap-text min-w-0 flex-1">
          The mail server rejected your address (<Time value={paused.since} />, {paused.reason}), so you get no mails.
          Notifications in the app continue. Check your address in the settings before you try again.
        </p>
        <Button isPending={resume.isPending} onClick={() => resume.mutate()}>
          Mail again
        </Button>
      </div>
      {resume.error && <ErrorNote error={resume.error} />}
    </div>
  );
}
