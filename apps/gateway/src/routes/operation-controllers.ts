import { Controller, Inject, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ListQuery } from '@millrace/contracts/kit/list';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { restOperations } from '@millrace/contracts/registry';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { addLinks } from './add-page-links.js';
import { publicUrl } from './public-url.js';
import { readRequest } from './read-request.js';
import { Serves } from './route.js';

/** A service that is being restarted is back within this time. */
const TIMEOUT_MS = 5_000;

/** A controller for every operation that is plain JSON both ways; the others are written by hand. */
export const operationControllers = (): Type[] =>
  restOperations.filter(({ transfer }) => transfer === 'json').map(controllerFor);

function controllerFor(operation: AnyOperation): Type {
  @Controller()
  class OperationController {
    constructor(@Inject(RpcClient) private readonly rpc: RpcClient) {}

    @Serves(operation)
    async answer(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
      const envelope = readRequest(operation, request);
      const answer = await this.rpc.send(operation, envelope, { patienceMs: TIMEOUT_MS });
      // Neither a browser nor a proxy may keep a token that it saw pass.
      if (operation.secret) void reply.header('cache-control', 'no-store');
      if (operation.status === 204) return void reply.code(204).send();
      void reply.code(operation.status).send(this.complete(answer, envelope.query, request));
    }

    private complete(answer: unknown, query: unknown, request: FastifyRequest): unknown {
      if (!operation.list) return answer;
      return addLinks(operation, answer as Parameters<typeof addLinks>[1], query as ListQuery, publicUrl(request));
    }
  }
  Object.defineProperty(OperationController, 'name', { value: `${operation.name} controller` });
  return OperationController;
}
