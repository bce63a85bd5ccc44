import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../routing/root.js';
import { readSchedulesSearch } from './search.js';

export const schedulesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/schedules',
  validateSearch: readSchedulesSearch,
  component: lazyRouteComponent(() => import('./schedules-page.js'), 'SchedulesPage'),
});
