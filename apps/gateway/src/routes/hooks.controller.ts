import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fireHook } from '@millrace/contracts/workflows/hooks';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { readRequest } from './read-request.js';
import { Route } from './route.js';

/** A service that restarts is back within this time, as for every operation. */
const RESTART_TIMEOUT_MS = 5_000;
/** Headers with credentials for this host. No hook signature is sent in them, so they are not forwarded. */
const CREDENTIAL_HEADERS = ['authorization', 'cookie', 'proxy-authorization'];

/** Calls to hooks, which start workflows. Body and headers are forwarded unmodified, because only the hook's settings define their format. */
@Controller()
export class HooksController {
  constructor(private readonly rpc: RpcClient) {}

  @Route(fireHook)
  async fire(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const payload = Buffer.isBuffer(request.body) ? request.body.toString('base64') : '';
    const envelope = readRequest(fireHook, request, { payload });
    if (envelope.client) envelope.client.headers = forwardedHeaders(request);
    const result = await this.rpc.send(fireHook, envelope, { retryForMs: RESTART_TIMEOUT_MS });
    void reply.code(fireHook.status).send(result);
  }
}

const forwardedHeaders = ({ headers }: FastifyRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && !CREDENTIAL_HEADERS.includes(name) ? [[name, value]] : [],
    ),
  );
