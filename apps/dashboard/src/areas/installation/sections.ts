import { lazyRouteComponent } from '@tanstack/react-router';

/** The pages of the area in their order, by the end of their address. The first one has none. */
export const SECTIONS = {
  '': {
    label: 'Health',
    Page: lazyRouteComponent(() => import('./health/health-page.js'), 'HealthPage'),
  },
  workers: {
    label: 'Workers',
    Page: lazyRouteComponent(() => import('./workers/workers-page.js'), 'WorkersPage'),
  },
  'joined-workers': {
    label: 'Joined workers',
    Page: lazyRouteComponent(() => import('./joining/joining-page.js'), 'JoiningPage'),
  },
  users: {
    label: 'Users',
    Page: lazyRouteComponent(() => import('./users/users-page.js'), 'UsersPage'),
  },
  vaults: {
    label: 'Vaults',
    Page: lazyRouteComponent(() => import('./vaults/vaults-page.js'), 'VaultsPage'),
  },
  'dead-letters': {
    label: 'Dead letters',
    Page: lazyRouteComponent(() => import('./dead-letters/dead-letters-page.js'), 'DeadLettersPage'),
  },
  checks: {
    label: 'Checks and indexes',
    Page: lazyRouteComponent(() => import('./checks/checks-page.js'), 'ChecksPage'),
  },
  audit: {
    label: 'Audit log',
    Page: lazyRouteComponent(() => import('./audit/audit-page.js'), 'AuditPage'),
  },
  administrators: {
    label: 'Administrators',
    Page: lazyRouteComponent(() => import('./admins/admins-page.js'), 'AdminsPage'),
  },
};

export type SectionName = keyof typeof SECTIONS;

export const SECTION_NAMES = Object.keys(SECTIONS) as SectionName[];
