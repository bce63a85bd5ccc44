import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../routing/root.js';
import { strictSearch } from '../../routing/strict-search.js';
import { readWorkflowsSearch } from './search.js';

export const workflowsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/workflows',
  validateSearch: strictSearch(readWorkflowsSearch),
  component: lazyRouteComponent(() => import('./workflows-page.js'), 'WorkflowsPage'),
});
