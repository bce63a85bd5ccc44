import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../routing/root.js';
import { strictSearch } from '../../routing/strict-search.js';

export const deviceRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/device',
  validateSearch: strictSearch(({ user_code: code }): { user_code?: string } =>
    typeof code === 'string' ? { user_code: code } : {},
  ),
  component: lazyRouteComponent(() => import('./device-page.js'), 'DevicePage'),
});
