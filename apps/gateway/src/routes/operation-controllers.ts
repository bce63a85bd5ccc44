import { Controller, Inject, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ListQuery } from '@millrace/contracts/kit/list';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { restOperations } from '@millrace/contracts/registry';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { updateSessionCookies } from '../browser-sessions/update-session-cookies.js';
import { addPageLinks } from './add-page-links.js';
import { publicUrl } from './public-url.js';
import { readRequest } from './read-request.js';
import { Route } from './route.js';

/** A service that restarts is back within this time. */
const RESTART_TIMEOUT_MS = 5_000;

/** One controller per operation whose request and response are JSON. All others have a controller of their own. */
export const operationControllers = (): Type[] =>
  restOperations.filter(({ transfer }) => transfer === 'json').map(controllerFor);

function controllerFor(operation: AnyOperation): Type {
  @Controller()
  class OperationController {
    constructor(@Inject(RpcClient) private readonly rpc: RpcClient) {}

    @Route(operation)
    async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
      const envelope = readRequest(operation, request);
      const response = await this.rpc.send(operation, envelope, { retryForMs: RESTART_TIMEOUT_MS });
      const result = updateSessionCookies(operation, reply, response, envelope);
      // Browsers and proxies must not store a token that passes through them.
      if (operation.secret) void reply.header('cache-control', 'no-store');
      if (operation.status === 204) return void reply.code(204).send();
      void reply.code(operation.status).send(this.withPageLinks(result, envelope.query, request));
    }

    private withPageLinks(result: unknown, query: unknown, request: FastifyRequest): unknown {
      if (!operation.list) return result;
      return addPageLinks(
        operation,
        result as Parameters<typeof addPageLinks>[1],
        query as ListQuery,
        publicUrl(request),
      );
    }
  }
  Object.defineProperty(OperationController, 'name', { value: `${operation.name} controller` });
  return OperationController;
}
