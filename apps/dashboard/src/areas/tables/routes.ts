import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { appRoute } from '../../routing/root.js';
import { strictSearch } from '../../routing/strict-search.js';
import { validateListSearch } from './list/list-search.js';
import { validateTableSearch } from './table/table-search.js';

export const tablesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/tables',
  validateSearch: strictSearch(validateListSearch),
  component: lazyRouteComponent(() => import('./list/tables-page.js'), 'TablesPage'),
});

export const tableRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/tables/$tableId',
  validateSearch: strictSearch(validateTableSearch),
  component: lazyRouteComponent(() => import('./table/table-page.js'), 'TablePage'),
});

export const viewRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/solutions/$solutionId/views/$viewId',
  validateSearch: strictSearch(validateTableSearch),
  component: lazyRouteComponent(() => import('./views/view-page.js'), 'ViewPage'),
});

/** Mails and other services name a table by its path in the API. */
const datasetRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/datasets/$datasetId',
  beforeLoad: ({ params }) => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router's own way to redirect
    throw redirect({ to: '/tables/$tableId', params: { tableId: params.datasetId } });
  },
});

export const tableRoutes = [tablesRoute, tableRoute, viewRoute, datasetRoute];
