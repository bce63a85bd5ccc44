import type { LinkProps } from '@tanstack/react-router';
import { useIsInstanceAdmin } from '../api/roles.js';
import type { IconName } from '../ui/icon.js';

export interface Destination {
  to: NonNullable<LinkProps['to']>;
  label: string;
  icon: IconName;
  /** The shortcut that leads there. */
  keys?: string;
}

/** The main pages, in the order of the sidebar. The palette and the shortcuts lead to the same. */
export const MAIN_PAGES: readonly Destination[] = [
  { to: '/', label: 'Home', icon: 'home', keys: 'g h' },
  { to: '/workflows', label: 'Workflows', icon: 'workflow', keys: 'g w' },
  { to: '/runs', label: 'Runs', icon: 'play', keys: 'g r' },
  { to: '/tables', label: 'Tables', icon: 'table', keys: 'g t' },
  { to: '/library', label: 'Library', icon: 'library', keys: 'g l' },
  { to: '/files', label: 'Files', icon: 'folder', keys: 'g f' },
  { to: '/schedules', label: 'Schedules', icon: 'calendarClock', keys: 'g s' },
];

const OTHER_PAGES: readonly Destination[] = [
  { to: '/notifications', label: 'Notifications', icon: 'bell', keys: 'g n' },
  { to: '/settings', label: 'Settings', icon: 'settings' },
];

const ADMIN_PAGES: readonly Destination[] = [{ to: '/installation', label: 'Installation', icon: 'server' }];

/** The pages at the end of the sidebar. Only administrators of the installation get its pages. */
export const useOtherPages = (): readonly Destination[] =>
  useIsInstanceAdmin() ? [...ADMIN_PAGES, ...OTHER_PAGES] : OTHER_PAGES;
