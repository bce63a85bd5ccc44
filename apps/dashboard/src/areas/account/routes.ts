import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type GoogleProblem, isGoogleProblem } from '@millrace/contracts/auth/google-problems';
import { localPath } from '../../routing/local-path.js';
import { rootRoute } from '../../routing/root.js';

const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

interface LoginSearch {
  /** Where to go after the sign-in. */
  next?: string;
  /** The single-use ticket of a sign-in with Google. */
  ticket?: string;
  /** Why a sign-in with Google failed, and the request that failed. */
  error?: GoogleProblem;
  request_id?: string;
}

/** Form of the ids of requests. Anyone can write a link to this page, so other texts are not shown. */
const REQUEST_ID = /^[\w.-]{1,128}$/;

/** Keeps what the page reads from the address, without empty fields. */
function readLogin(search: Record<string, unknown>): LoginSearch {
  const ticket = text(search['ticket']);
  const next = localPath(search['next']);
  return {
    ...(next !== '/' && { next }),
    ...(ticket !== undefined && { ticket }),
    ...readProblem(search),
  };
}

function readProblem(search: Record<string, unknown>): LoginSearch {
  const [error, requestId] = [text(search['error']), text(search['request_id'])];
  if (error === undefined) return {};
  return {
    error: isGoogleProblem(error) ? error : 'internal_error',
    ...(requestId !== undefined && REQUEST_ID.test(requestId) && { request_id: requestId }),
  };
}

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: readLogin,
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
  validateSearch: (search: Record<string, unknown>): { token?: string } => {
    const token = text(search['token']);
    return token === undefined ? {} : { token };
  },
  component: lazyRouteComponent(() => import('./reset-page.js'), 'ResetPage'),
});

export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitations/accept',
  validateSearch: (search: Record<string, unknown>): { token?: string; ticket?: string } => {
    const [token, ticket] = [text(search['token']), text(search['ticket'])];
    return { ...(token !== undefined && { token }), ...(ticket !== undefined && { ticket }) };
  },
  component: lazyRouteComponent(() => import('./invitation-page.js'), 'InvitationPage'),
});

export const accountRoutes = [loginRoute, signupRoute, resetRoute, invitationRoute];
