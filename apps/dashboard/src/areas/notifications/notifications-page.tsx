import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unseenCountQuery } from '../../api/notifications.js';
import { Button, IconButton } from '../../ui/button.js';
import { Checkbox } from '../../ui/field.js';
import { FilterSelect } from '../../ui/filter-select.js';
import { Menu } from '../../ui/menu.js';
import { Page } from '../../ui/page.js';
import { Tabs } from '../../ui/tabs.js';
import { ClearDialog } from './list/clear-dialog.js';
import { NotificationList } from './list/notification-list.js';
import { useNotificationActions } from './list/use-notification-actions.js';
import { NOTIFICATION_TYPES, TYPE_LOOKS } from './notification-types.js';
import { notificationsRoute } from './routes.js';
import type { NotificationsSearch } from './search.js';
import { SettingsTab } from './settings/settings-tab.js';

/** What has happened that concerns the user, and what they want to be notified of. */
export function NotificationsPage() {
  const search = notificationsRoute.useSearch();
  const navigate = notificationsRoute.useNavigate();
  const { data: unseen = 0 } = useQuery(unseenCountQuery);
  const tab = search.tab ?? 'list';
  return (
    <Page title="Notifications" actions={tab === 'list' && <ListActions unseen={unseen} />}>
      <Tabs
        label="Notifications"
        className="px-6 max-sm:px-4"
        tabs={[
          { value: 'list', label: 'List', ...(unseen > 0 && { count: unseen }) },
          { value: 'settings', label: 'Settings' },
        ]}
        value={tab}
        onChange={(value) => void navigate({ search: value === 'settings' ? { tab: value } : {} })}
        panelClassName="px-6 pt-4 max-sm:px-4"
      >
        {tab === 'settings' ? (
          <SettingsTab />
        ) : (
          <div className="max-w-4xl">
            <Filters search={search} onChange={(next) => void navigate({ search: next, replace: true })} />
            <NotificationList search={search} />
          </div>
        )}
      </Tabs>
    </Page>
  );
}

function ListActions({ unseen }: { unseen: number }) {
  const { markAll } = useNotificationActions();
  const [clearing, setClearing] = useState<'seen' | 'all'>();
  return (
    <>
      <Button icon="checkCheck" disabled={unseen === 0} onClick={markAll}>
        Mark all as seen
      </Button>
      <Menu
        trigger={<IconButton icon="dots" label="More actions" look="secondary" />}
        groups={[
          [
            { label: 'Delete all seen…', icon: 'trash', isDangerous: true, onSelect: () => setClearing('seen') },
            { label: 'Delete all…', icon: 'trash', isDangerous: true, onSelect: () => setClearing('all') },
          ],
        ]}
      />
      {clearing && <ClearDialog isSeenOnly={clearing === 'seen'} onClose={() => setClearing(undefined)} />}
    </>
  );
}

interface FiltersProps {
  search: NotificationsSearch;
  onChange: (search: NotificationsSearch) => void;
}

const Filters = ({ search: { unseen, type }, onChange }: FiltersProps) => (
  <div className="mb-3 flex flex-wrap items-center gap-4">
    <FilterSelect
      label="Type"
      all="All types"
      value={type}
      options={NOTIFICATION_TYPES.map((value) => ({ value, label: TYPE_LOOKS[value].label }))}
      onChange={(value) => onChange({ ...(unseen && { unseen }), ...(value && { type: value }) })}
    />
    <Checkbox
      label="Only unseen"
      checked={unseen === 'true'}
      onChange={(isUnseen) => onChange({ ...(isUnseen && { unseen: 'true' }), ...(type && { type }) })}
    />
  </div>
);
