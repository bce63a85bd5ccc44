import { createRootRoute, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { isSessionOver } from '../api/describe-error.js';
import { queryClient } from '../api/query-client.js';
import { meQuery } from '../api/session.js';
import { NotFoundPage, PageErrorPage } from '../frame/problem-pages.js';

export const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  errorComponent: PageErrorPage,
});

/** Where to go after the sign-in. Home is where it leads anyway. */
const nextSearch = (href: string) => (href === '/' ? {} : { next: href });

/** The pages of a signed-in user. Without a session they lead to the sign-in page, and from there back. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(meQuery);
    } catch (error) {
      // oxlint-disable-next-line typescript/only-throw-error -- the router's own way to redirect
      if (isSessionOver(error)) throw redirect({ to: '/login', search: nextSearch(location.href) });
      throw error;
    }
  },
  component: lazyRouteComponent(() => import('../frame/frame.js'), 'Frame'),
  notFoundComponent: NotFoundPage,
  errorComponent: PageErrorPage,
});
