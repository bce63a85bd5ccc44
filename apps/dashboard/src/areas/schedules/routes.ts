import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../routing/root.js';
import { strictSearch } from '../../routing/strict-search.js';
import { readSchedulesSearch } from './search.js';

export const schedulesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/schedules',
  validateSearch: strictSearch(readSchedulesSearch),
  component: lazyRouteComponent(() => import('./schedules-page.js'), 'SchedulesPage'),
});
