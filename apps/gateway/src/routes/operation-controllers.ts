import { Controller, Inject, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { ListQuery } from '@millrace/contracts/kit/list';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { restOperations } from '@millrace/contracts/registry';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { changesSession, updateSessionCookies } from '../browser-sessions/update-session-cookies.js';
import { addPageLinks, type Page } from './add-page-links.js';
import { publicUrl } from './public-url.js';
import { readRequest } from './read-request.js';
import { Route } from './route.js';

/** A service that restarts is back within this time. */
const RESTART_TIMEOUT_MS = 5_000;
const SEND_OPTIONS = { retryForMs: RESTART_TIMEOUT_MS };
/** Fastify sets this itself for objects. */
const JSON_TYPE = 'application/json; charset=utf-8';

/** One controller per operation whose request and response are JSON. All others have a controller of their own. */
export const operationControllers = (): Type[] =>
  restOperations.filter(({ transfer }) => transfer === 'json').map(controllerFor);

function controllerFor(operation: AnyOperation): Type {
  const changesResponse = operation.list !== null || changesSession(operation);

  @Controller()
  class OperationController {
    constructor(@Inject(RpcClient) private readonly rpc: RpcClient) {}

    @Route(operation)
    async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
      const envelope = readRequest(operation, request);
      const body = await this.send(envelope, reply);
      // Browsers and proxies must not store a token that passes through them.
      if (operation.secret) void reply.header('cache-control', 'no-store');
      if (operation.status === 204) return void reply.code(204).send();
      void reply.code(operation.status).type(JSON_TYPE).send(body);
    }

    /** @returns the body of the response. The gateway parses only responses that it changes. */
    private async send(envelope: Envelope, reply: FastifyReply): Promise<unknown> {
      if (!changesResponse) return this.rpc.sendForJson(operation, envelope, SEND_OPTIONS);
      const response = await this.rpc.send(operation, envelope, SEND_OPTIONS);
      const result = updateSessionCookies(operation, reply, response, envelope);
      return operation.list
        ? addPageLinks(operation, result as Page, envelope.query as ListQuery, publicUrl(reply.request))
        : result;
    }
  }
  Object.defineProperty(OperationController, 'name', { value: `${operation.name} controller` });
  return OperationController;
}
