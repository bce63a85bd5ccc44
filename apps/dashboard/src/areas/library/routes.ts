import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { appRoute } from '../../routing/root.js';
import { strictSearch } from '../../routing/strict-search.js';
import { readLibrarySearch, readModuleSearch } from './search.js';

export const libraryRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/library',
  validateSearch: strictSearch(readLibrarySearch),
  component: lazyRouteComponent(() => import('./library-page.js'), 'LibraryPage'),
});

export const moduleRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/library/modules/$moduleId',
  validateSearch: strictSearch(readModuleSearch),
  component: lazyRouteComponent(() => import('./module/module-page.js'), 'ModulePage'),
});

export const publishedRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/library/workflows/$snapshotId',
  component: lazyRouteComponent(() => import('./published/published-page.js'), 'PublishedPage'),
});

/** The address of a module in mails, which follows the path of the API. */
const mailedModuleRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/library/module/$moduleId',
  beforeLoad: ({ params: { moduleId } }) => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router's own way to redirect
    throw redirect({ to: '/library/modules/$moduleId', params: { moduleId }, replace: true });
  },
});

export const libraryRoutes = [libraryRoute, moduleRoute, publishedRoute, mailedModuleRoute];
