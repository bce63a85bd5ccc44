import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { logout } from '@millrace/contracts/auth/sessions';
import { ApiError, HTTP_STATUS, type ErrorCode, type ErrorDetails } from '@millrace/contracts/kit/api-error';
import type { Operation, Request } from '@millrace/contracts/kit/operation';

export interface CallParts<O extends Operation> {
  body?: Request<O>['body'];
  query?: Record<string, string>;
  /** Of the path, as they stand there. */
  params?: Record<string, string>;
}

/**
 * The REST API, called by a page on behalf of whoever looks at it. It goes through the whole server but not over the
 * network, so that limits, checks and rules are the same as for every other client, counted for the person's own address.
 */
export class OwnApi {
  constructor(private readonly fastify: FastifyInstance) {}

  /**
   * @param parts `access`: session JWT, for operations that want one
   * @throws ApiError what the API answered
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
    const answer: unknown = response.json();
    if (response.statusCode >= 400) throw toError(answer);
    return answer as z.output<O['response']>;
  }

  /** Ends the session of a page that has done what it was for. One that cannot be ended now is in the user's list, and expires. */
  async signOut(from: FastifyRequest, { access, refresh }: { access: string; refresh: string }): Promise<void> {
    await this.call(logout, from, { body: { refresh }, access }).catch(() => undefined);
  }
}

function toError(answer: unknown): ApiError {
  const { code, message, details } = answer as { code: string; message: string; details?: ErrorDetails };
  return new ApiError(code in HTTP_STATUS ? (code as ErrorCode) : 'internal_error', message, details);
}
