import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../routing/root.js';
import { strictSearch } from '../../routing/strict-search.js';
import { readNotificationsSearch } from './search.js';

export const notificationsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/notifications',
  validateSearch: strictSearch(readNotificationsSearch),
  component: lazyRouteComponent(() => import('./notifications-page.js'), 'NotificationsPage'),
});
