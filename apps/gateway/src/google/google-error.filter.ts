import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isGoogleProblem, type GoogleProblem } from '@millrace/contracts/auth/google-problems';
import type { ApiError } from '@millrace/contracts/kit/api-error';
import { pagePaths } from '@millrace/contracts/kit/page-paths';
import { toApiError } from '../http/to-api-error.js';
import { AttemptCookie } from './attempt-cookie.js';
import { safeReturnPath } from './safe-return-path.js';

/**
 * Sends a user whose sign-in fails to the sign-in page, with the name of the problem. The browser has left the app, so
 * nothing else could show them the error.
 */
@Catch()
export class GoogleErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(GoogleErrorFilter.name);

  constructor(private readonly cookie: AttemptCookie) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const apiError = toApiError(error);
    if (apiError.isServerError) {
      const entry = { message: 'Sign-in with Google failed', requestId: request.id, error };
      if (apiError.code === 'internal_error') this.logger.error(entry);
      else this.logger.warn(entry);
    }
    const query = new URLSearchParams({
      error: toProblem(apiError),
      request_id: request.id,
      ...this.readNext(request),
    });
    void http
      .getResponse<FastifyReply>()
      .header('cache-control', 'no-store')
      .redirect(`${pagePaths.login}?${query.toString()}`, 302);
  }

  /** Where the sign-in page leads to after a sign-in, if the attempt began there. */
  private readNext(request: FastifyRequest): { next?: string } {
    const { return_to: requested } = request.query as Record<string, unknown>;
    const returnTo = safeReturnPath(requested ?? this.cookie.read(request)?.returnTo, pagePaths.login);
    const { pathname, searchParams } = new URL(returnTo, request.publicOrigin);
    const next = safeReturnPath(searchParams.get('next'), pagePaths.home);
    return pathname === pagePaths.login && next !== pagePaths.home ? { next } : {};
  }
}

function toProblem({ code, details }: ApiError): GoogleProblem {
  const problem = details?.['problem'];
  if (isGoogleProblem(problem)) return problem;
  return isGoogleProblem(code) ? code : 'internal_error';
}
