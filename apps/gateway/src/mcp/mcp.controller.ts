import { Readable } from 'node:stream';
import { Controller, Delete, Get, Post, Logger, Req, Res, UseGuards, SetMetadata } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MillraceClient } from '@millrace/client';
import { anyUser } from '@millrace/contracts/kit/access';
import { readDocs } from '@millrace/mcp/docs/docs-pages';
import { HttpEndpoint } from '@millrace/mcp/http/http-endpoint';
import { toUserAgent } from '@millrace/mcp/http/session-id';
import { OPERATION_METADATA, OperationGuard, type GuardedRoute } from '../access/operation.guard.js';
import { publicUrl } from '../routes/public-url.js';
import { injectFetch } from './inject-fetch.js';

const ROUTE: GuardedRoute = { access: anyUser, sessionOnly: false, method: 'POST' };

/**
 * The MCP server. Its tools call the REST API as the caller, inside this process, so that permissions, limits, checks and the
 * audit log are those of the REST API.
 */
@Controller('mcp')
@SetMetadata(OPERATION_METADATA, ROUTE)
@UseGuards(OperationGuard)
export class McpController {
  private readonly logger = new Logger(McpController.name);
  private readonly endpoint = new HttpEndpoint({
    docs: readDocs(),
    onDefect: (error) => this.logger.error({ message: 'MCP tool failed', error }),
  });

  @Post()
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.respond(request, reply);
  }

  /** Older clients request a stream of notifications, and get 405, because the server has none outside of calls. */
  @Get()
  async refuseStream(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.respond(request, reply);
  }

  /** Older clients end their session, and get 405, because there is nothing to end. */
  @Delete()
  async refuseEnd(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.respond(request, reply);
  }

  private async respond(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const disconnected = new AbortController();
    reply.raw.once('close', () => disconnected.abort());
    const response = await this.endpoint.respond({
      request: toWebRequest(request, disconnected.signal),
      body: request.body,
      openClient: (info) =>
        new MillraceClient({
          baseUrl: request.publicOrigin,
          // The fetch adds the credentials of the request, in the form in which it has them.
          fetch: injectFetch(request, toUserAgent(info)),
          tries: 3,
        }),
    });
    void reply.code(response.status).headers(Object.fromEntries(response.headers));
    if (response.body === null) return void reply.send();
    void reply.header('cache-control', 'no-store').send(Readable.fromWeb(response.body as never));
  }
}

/** The request for the MCP server, which needs no credentials and reads no body. */
function toWebRequest(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (name !== 'authorization' && typeof value === 'string') headers.set(name, value);
  }
  return new Request(publicUrl(request), { method: request.method, headers, signal });
}
