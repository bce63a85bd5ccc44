import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { appRoute } from '../../routing/root.js';

const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings-layout.js'), 'SettingsLayout'),
});

const indexRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router's own way to redirect
    throw redirect({ to: '/settings/profile', replace: true });
  },
});

const profileRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/profile',
  component: lazyRouteComponent(() => import('./profile-page.js'), 'ProfilePage'),
});

const securityRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/security',
  component: lazyRouteComponent(() => import('./security-page.js'), 'SecurityPage'),
});

const sessionsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./sessions-page.js'), 'SessionsPage'),
});

const developerRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/developer',
  component: lazyRouteComponent(() => import('./developer-page.js'), 'DeveloperPage'),
});

export const settingsRoutes = settingsRoute.addChildren([
  indexRoute,
  profileRoute,
  securityRoute,
  sessionsRoute,
  developerRoute,
]);
