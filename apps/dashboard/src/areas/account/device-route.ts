import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../routing/root.js';

export const deviceRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/device',
  validateSearch: ({ user_code: code }: Record<string, unknown>): { user_code?: string } =>
    typeof code === 'string' || typeof code === 'number' ? { user_code: String(code) } : {},
  component: lazyRouteComponent(() => import('./device-page.js'), 'DevicePage'),
});
