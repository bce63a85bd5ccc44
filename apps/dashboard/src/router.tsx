import { createRouter } from '@tanstack/react-router';
import { deviceRoute } from './areas/account/device-route.js';
import { accountRoutes } from './areas/account/routes.js';
import { editorRoutes } from './areas/editor/routes.js';
import { filesRoute } from './areas/files/routes.js';
import { homeRoute } from './areas/home/routes.js';
import { installationRoutes } from './areas/installation/routes.js';
import { libraryRoutes } from './areas/library/routes.js';
import { notificationsRoute } from './areas/notifications/routes.js';
import { runRoutes } from './areas/runs/routes.js';
import { schedulesRoute } from './areas/schedules/routes.js';
import { settingsRoutes } from './areas/settings/routes.js';
import { tableRoutes } from './areas/tables/routes.js';
import { workflowsRoute } from './areas/workflows/routes.js';
import { appRoute, rootRoute } from './routing/root.js';
import { parseSearch, stringifySearch } from './routing/search.js';

const routeTree = rootRoute.addChildren([
  ...accountRoutes,
  appRoute.addChildren([
    homeRoute,
    deviceRoute,
    workflowsRoute,
    ...editorRoutes,
    ...runRoutes,
    ...tableRoutes,
    ...libraryRoutes,
    filesRoute,
    schedulesRoute,
    notificationsRoute,
    settingsRoutes,
    installationRoutes,
  ]),
]);

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  // The query client decides what is fresh.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  scrollToTopSelectors: ['#content'],
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
