import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { client } from '../api/client.js';
import { meQuery, signOut } from '../api/session.js';
import { Keys } from '../keyboard/keys.js';
import { useStore } from '../store/create-store.js';
import { createStoredValue } from '../store/stored-value.js';
import { theme } from '../theme.js';
import { IconButton } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import { Menu } from '../ui/menu.js';
import { Logo } from './logo.js';
import { MAIN_PAGES, useOtherPages, type Destination } from './navigation.js';
import { isPaletteOpen } from './palette-state.js';
import { isSidebarShown } from './top-bar.js';
import { UnseenCount } from './unseen-count.js';

const isCollapsed = createStoredValue('sidebar.collapsed', false, (value) =>
  typeof value === 'boolean' ? value : undefined,
);

export function Sidebar() {
  const isNarrow = useStore(isCollapsed);
  const isShown = useStore(isSidebarShown);
  const otherPages = useOtherPages();
  return (
    <nav
      aria-label="Main"
      data-collapsed={isNarrow || undefined}
      className={`group/sidebar z-30 flex w-55 shrink-0 flex-col gap-0.5 border-r border-line bg-panel px-2 py-2 data-collapsed:md:w-13 max-md:fixed max-md:inset-y-0 max-md:left-0 ${isShown ? 'max-md:shadow-float' : 'max-md:hidden'}`}
    >
      <VaultName />
      <button
        type="button"
        onClick={() => isPaletteOpen.set(true)}
        className="my-1.5 flex h-8 items-center gap-2.5 rounded-md border border-line bg-raised px-2 text-sm text-muted hover:border-line-strong"
      >
        <Icon name="search" />
        <span className="flex-1 text-left group-data-collapsed/sidebar:md:sr-only">Search</span>
        <span aria-hidden className="group-data-collapsed/sidebar:md:hidden">
          <Keys keys="mod+k" />
        </span>
      </button>
      {MAIN_PAGES.map((page) => (
        <NavLink key={page.to} {...page} />
      ))}
      <div className="flex-1" />
      {otherPages.map((page) => (
        <NavLink key={page.to} {...page} aside={page.icon === 'bell' && <UnseenCount />} />
      ))}
      <UserMenu />
      <IconButton
        icon="panelLeft"
        label={isNarrow ? 'Widen the menu' : 'Collapse the menu'}
        className="self-start max-md:hidden"
        onClick={() => isCollapsed.set(!isNarrow)}
      />
    </nav>
  );
}

const ITEM_CLASS =
  'relative flex h-8 w-full items-center gap-2.5 rounded-md px-2 text-sm text-muted hover:bg-hover hover:text-ink';

const NavLink = ({ to, label, icon, aside }: Destination & { aside?: ReactNode }) => (
  <Link
    to={to}
    title={label}
    onClick={() => isSidebarShown.set(false)}
    activeOptions={{ exact: to === '/', includeSearch: false }}
    className={ITEM_CLASS}
    activeProps={{ className: 'bg-pressed text-ink! font-medium' }}
  >
    <Icon name={icon} />
    <span className="min-w-0 flex-1 truncate group-data-collapsed/sidebar:md:sr-only">{label}</span>
    {aside}
  </Link>
);

function VaultName() {
  const { data } = useQuery({
    queryKey: ['vault'],
    queryFn: ({ signal }) => client.vaults.get({ signal }),
    staleTime: 300_000,
  });
  return (
    <div className="flex h-9 items-center gap-2.5 px-1.5">
      <Logo />
      <span className="min-w-0 flex-1 truncate font-semibold group-data-collapsed/sidebar:md:hidden" title={data?.name}>
        {data?.name ?? 'Millrace'}
      </span>
    </div>
  );
}

function UserMenu() {
  const { data: me } = useQuery(meQuery);
  const chosen = useStore(theme);
  const trigger = (
    <button type="button" className={ITEM_CLASS} aria-label={`Account of ${me?.name ?? ''}`}>
      <Icon name="circleUser" />
      <span className="min-w-0 flex-1 truncate text-left group-data-collapsed/sidebar:md:hidden">{me?.name}</span>
    </button>
  );
  const mark = (value: typeof chosen) => (chosen === value ? <Icon name="check" label="chosen" /> : undefined);
  return (
    <Menu
      trigger={trigger}
      align="start"
      side="top"
      header={<span className="wrap-text">{me?.email}</span>}
      groups={[
        [
          { label: 'Theme of the device', icon: 'sunMoon', onSelect: () => theme.set('system'), aside: mark('system') },
          { label: 'Light', icon: 'sun', onSelect: () => theme.set('light'), aside: mark('light') },
          { label: 'Dark', icon: 'moon', onSelect: () => theme.set('dark'), aside: mark('dark') },
        ],
        [{ label: 'Sign out', icon: 'logOut', onSelect: () => void signOut() }],
      ]}
    />
  );
}
