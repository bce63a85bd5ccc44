import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type GoogleProblem, isGoogleProblem } from '@millrace/contracts/auth/google-problems';
import { localPath } from '../../routing/local-path.js';
import { readText } from '../../routing/read-search.js';
import { rootRoute } from '../../routing/root.js';
import { strictSearch } from '../../routing/strict-search.js';

interface LoginSearch {
  /** Where to go after the sign-in. */
  next?: string | undefined;
  /** The single-use ticket of a sign-in with Google. */
  ticket?: string | undefined;
  /** Why a sign-in with Google failed, and the request that failed. */
  error?: GoogleProblem | undefined;
  request_id?: string | undefined;
}

/** Form of the ids of requests. Anyone can write a link to this page, so other texts are not shown. */
const REQUEST_ID = /^[\w.-]{1,128}$/;

function readLogin(search: Record<string, unknown>): LoginSearch {
  const next = localPath(search['next']);
  const [error, requestId] = [readText(search['error']), readText(search['request_id'])];
  return {
    next: next === '/' ? undefined : next,
    ticket: readText(search['ticket']),
    error: error === undefined || isGoogleProblem(error) ? error : 'internal_error',
    request_id: requestId !== undefined && REQUEST_ID.test(requestId) ? requestId : undefined,
  };
}

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: strictSearch(readLogin),
  component: lazyRouteComponent(() => import('./login-page.js'), 'LoginPage'),
});

export const signupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/signup',
  component: lazyRouteComponent(() => import('./signup-page.js'), 'SignupPage'),
});

export const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/password-reset',
  validateSearch: strictSearch((search): { token?: string | undefined } => ({ token: readText(search['token']) })),
  component: lazyRouteComponent(() => import('./reset-page.js'), 'ResetPage'),
});

export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitations/accept',
  validateSearch: strictSearch((search): { token?: string | undefined; ticket?: string | undefined } => ({
    token: readText(search['token']),
    ticket: readText(search['ticket']),
  })),
  component: lazyRouteComponent(() => import('./invitation-page.js'), 'InvitationPage'),
});

export const accountRoutes = [loginRoute, signupRoute, resetRoute, invitationRoute];
