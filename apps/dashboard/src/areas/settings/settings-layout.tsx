import { Link, Outlet } from '@tanstack/react-router';
import { Page } from '../../ui/page.js';

const PAGES = [
  { to: '/settings/profile', label: 'Profile' },
  { to: '/settings/security', label: 'Security' },
  { to: '/settings/sessions', label: 'Sessions' },
  { to: '/settings/developer', label: 'Developer' },
] as const;

export const SettingsLayout = () => (
  <Page title="Settings">
    <div className="flex gap-8 px-6 pt-2 max-md:flex-col max-md:gap-4 max-sm:px-4">
      <nav
        aria-label="Settings"
        className="flex w-52 shrink-0 flex-col gap-0.5 max-md:w-auto max-md:flex-row max-md:flex-wrap"
      >
        {PAGES.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            className="flex h-8 items-center rounded-md px-2.5 text-sm text-muted hover:bg-hover hover:text-ink"
            activeProps={{ className: 'bg-pressed text-ink! font-medium' }}
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className="min-w-0 max-w-2xl flex-1">
        <Outlet />
      </div>
    </div>
  </Page>
);
