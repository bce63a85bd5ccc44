import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NotificationConfig } from '@millrace/client';
import { client } from '../../../api/client.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Icon } from '../../../ui/icon.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { HEAD_CELL, Table } from '../../../ui/table.js';
import { NOTIFICATION_TYPES, TYPE_LOOKS, type NotificationType } from '../notification-types.js';
import { configQuery } from '../queries.js';
import { MailPaused } from './mail-paused.js';

type Channel = 'in_app' | 'email';

interface Choice {
  type: NotificationType;
  channel: Channel;
  value: boolean;
}

/** How the user gets each type of notification. A change is saved at once. */
export function SettingsTab() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(configQuery);
  const save = useMutation({
    mutationFn: ({ type, channel, value }: Choice) =>
      client.config.update({ config: JSON.stringify({ [type]: { [channel]: value } }) }),
    onMutate: (choice) => queryClient.setQueryData(configQuery.queryKey, (config) => config && apply(config, choice)),
    // Another change may be under way, so the response may be older than the page.
    onSettled: () => queryClient.invalidateQueries({ queryKey: configQuery.queryKey }),
  });
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} className="mt-0" />;
  if (!data) return <Skeleton />;
  return (
    <div className="max-w-3xl">
      {data.email_paused && <MailPaused paused={data.email_paused} />}
      <Table
        label="Notifications by type"
        head={
          <>
            <th scope="col" className={`${HEAD_CELL} w-full`}>
              Type
            </th>
            <th scope="col" className={`${HEAD_CELL} text-center`}>
              In the app
            </th>
            <th scope="col" className={`${HEAD_CELL} text-center`}>
              By mail
            </th>
          </>
        }
      >
        {NOTIFICATION_TYPES.map((type) => (
          <TypeRow
            key={type}
            type={type}
            config={data}
            onChange={(channel, value) => save.mutate({ type, channel, value })}
          />
        ))}
      </Table>
      {save.error && <ErrorNote error={save.error} />}
      <p className="mt-3 text-xs text-muted">
        Changes of Live Tables are not in this list: you choose how you get them when you follow a table or a view.
      </p>
    </div>
  );
}

const apply = (config: NotificationConfig, { type, channel, value }: Choice): NotificationConfig => ({
  ...config,
  config: { ...config.config, [type]: { ...config.config[type], [channel]: value } },
});

interface TypeRowProps {
  type: NotificationType;
  config: NotificationConfig;
  onChange: (channel: Channel, value: boolean) => void;
}

function TypeRow({ type, config: { config }, onChange }: TypeRowProps) {
  const { label, description, icon, className } = TYPE_LOOKS[type];
  return (
    <tr>
      <th scope="row" className="px-3 py-2 text-left font-normal">
        <span className="flex gap-2.5">
          <Icon name={icon} className={`mt-0.5 ${className}`} />
          <span>
            <span className="font-medium">{label}</span>
            <span className="block text-xs text-muted">{description}</span>
          </span>
        </span>
      </th>
      {(['in_app', 'email'] as const).map((channel) => (
        <td key={channel} className="px-3 text-center">
          <input
            type="checkbox"
            aria-label={`${label}: ${channel === 'email' ? 'by mail' : 'in the app'}`}
            checked={config[type][channel]}
            onChange={(event) => onChange(channel, event.target.checked)}
            className="size-4 accent-(--accent-9)"
          />
        </td>
      ))}
    </tr>
  );
}
