import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../routing/root.js';
import { strictSearch } from '../../routing/strict-search.js';
import { readInstallationSearch } from './search.js';

/**
 * All pages of the area. Everyone loads the routes, and few may open these pages, so there is no route for each of them:
 * the layout chooses the page. Their addresses have the fields of one search.
 */
export const installationRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/installation',
  validateSearch: strictSearch(readInstallationSearch),
  component: lazyRouteComponent(() => import('./installation-layout.js'), 'InstallationLayout'),
});

const sectionRoute = createRoute({ getParentRoute: () => installationRoute, path: '/$section' });

export const installationRoutes = installationRoute.addChildren([sectionRoute]);
