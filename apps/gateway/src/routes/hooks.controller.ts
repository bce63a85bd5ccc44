import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fireHook } from '@millrace/contracts/workflows/hooks';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { readRequest } from './read-request.js';
import { Serves } from './route.js';

/** As for every operation: a service that restarts is back within this time. */
const TIMEOUT_MS = 5_000;
/** Credentials for this host, which no signature is in. */
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization'];

/** Calls of webhooks that start workflows: body and headers as they came, for only the hook's settings say how to read them. */
@Controller()
export class HooksController {
  constructor(private readonly rpc: RpcClient) {}

  @Serves(fireHook)
  async fire(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const payload = Buffer.isBuffer(request.body) ? request.body.toString('base64') : '';
    const envelope = readRequest(fireHook, request, { payload });
    if (envelope.client) envelope.client.headers = headersOf(request);
    const answer = await this.rpc.send(fireHook, envelope, { patienceMs: TIMEOUT_MS });
    void reply.code(fireHook.status).send(answer);
  }
}

const headersOf = ({ headers }: FastifyRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && !CREDENTIALS.includes(name) ? [[name, value]] : [],
    ),
  );
