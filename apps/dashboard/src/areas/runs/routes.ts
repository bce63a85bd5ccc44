import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../routing/root.js';
import { strictSearch } from '../../routing/strict-search.js';
import { readCompareSearch } from './compare/compare-search.js';
import { type ListSearch, readListSearch } from './list/list-search.js';
import { readRunSearch } from './run/run-search.js';

export const runsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/runs',
  validateSearch: strictSearch(readListSearch),
  component: lazyRouteComponent(() => import('./list/runs-page.js'), 'RunsPage'),
});

export const workflowRunsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/workflows/$workflowId/runs',
  /** `compare` has the ids of the checked runs, as `41,42`. */
  validateSearch: strictSearch((search): ListSearch & { compare?: string } => {
    const { compare } = search;
    const isValid = typeof compare === 'string' && /^\d+(,\d+)?$/.test(compare);
    return { ...readListSearch(search), ...(isValid && { compare }) };
  }),
  component: lazyRouteComponent(() => import('./list/workflow-runs-page.js'), 'WorkflowRunsPage'),
});

export const runRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/runs/$runId',
  validateSearch: strictSearch(readRunSearch),
  component: lazyRouteComponent(() => import('./run/run-page.js'), 'RunPage'),
});

export const compareRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/runs/$runId/compare/$otherId',
  validateSearch: strictSearch(readCompareSearch),
  component: lazyRouteComponent(() => import('./compare/compare-page.js'), 'ComparePage'),
});

export const runRoutes = [runsRoute, workflowRunsRoute, runRoute, compareRoute];
