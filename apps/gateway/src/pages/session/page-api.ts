import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { logout } from '@millrace/contracts/auth/sessions';
import { ApiError, HTTP_STATUS, type ErrorCode, type ErrorDetails } from '@millrace/contracts/kit/api-error';
import type { Operation, Request } from '@millrace/contracts/kit/operation';

export interface CallParts<O extends Operation> {
  body?: Request<O>['body'];
  query?: Record<string, string>;
  /** Path parameters by name. */
  params?: Record<string, string>;
}

/**
 * Calls the REST API for a page on behalf of its user. The request passes through the whole server but not the network, so
 * that the same limits and checks apply as for every client, and count for the user's own address.
 */
export class PageApi {
  constructor(private readonly fastify: FastifyInstance) {}

  /**
   * @param parts `access`: the session JWT, for operations that require one
   * @throws ApiError the error that the API responded with
   */
  async call<O extends Operation>(
    operation: O,
    from: FastifyRequest,
    parts: CallParts<O> & { access?: string },
  ): Promise<z.output<O['response']>> {
    const { method, path } = operation;
    const response = await this.fastify.inject({
      method,
      url: `/api${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parts.params?.[name] ?? '')}`,
      remoteAddress: from.ip,
      headers: {
        host: new URL(from.publicOrigin).host,
        'x-request-id': from.id,
        ...(from.headers['user-agent'] !== undefined && { 'user-agent': from.headers['user-agent'] }),
        ...(parts.access !== undefined && { authorization: `Bearer ${parts.access}` }),
      },
      ...(parts.query && { query: parts.query }),
      ...(parts.body !== undefined && { payload: parts.body as object }),
    });
    const result: unknown = response.json();
    if (response.statusCode >= 400) throw toError(result);
    return result as z.output<O['response']>;
  }

  /** Ends the session of a page that no longer needs it. If that fails, the session stays in the user's list and expires. */
  async signOut(from: FastifyRequest, { access, refresh }: { access: string; refresh: string }): Promise<void> {
    await this.call(logout, from, { body: { refresh }, access }).catch(() => undefined);
  }
}

function toError(body: unknown): ApiError {
  const { code, message, details } = body as { code: string; message: string; details?: ErrorDetails };
  return new ApiError(code in HTTP_STATUS ? (code as ErrorCode) : 'internal_error', message, details);
}
