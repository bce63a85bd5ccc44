import { Readable } from 'node:stream';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { exportUsage } from '@millrace/contracts/billing/usage';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { Result } from '@millrace/contracts/kit/operation';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { readRequest } from '../routes/read-request.js';
import { Serves } from '../routes/route.js';
import { nameAttachment } from './attachment-header.js';

type Part = Result<typeof exportUsage>;

/** For each part; a long list is many of them. */
const DEADLINE_MS = 30_000;

/** Usage as a file: asked for part by part, so that its length costs neither side memory. */
@Controller()
export class UsageExportsController {
  constructor(private readonly rpc: RpcClient) {}

  @Serves(exportUsage)
  async export(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const envelope = readRequest(exportUsage, request);
    const first = await this.ask(envelope);
    void reply
      .header('content-disposition', nameAttachment('usage.csv'))
      .header('cache-control', 'private, no-cache')
      .type('text/csv; charset=utf-8')
      .send(Readable.from(this.parts(envelope, first)));
  }

  private async *parts(envelope: Envelope, first: Part): AsyncGenerator<string> {
    yield first.content;
    for (let { next } = first; next !== null;) {
      const part = await this.ask({ ...envelope, query: { ...(envelope.query as object), after: next } });
      yield part.content;
      next = part.next;
    }
  }

  private async ask(envelope: Envelope): Promise<Part> {
    return (await this.rpc.send(exportUsage, { ...envelope, deadline: Date.now() + DEADLINE_MS })) as Part;
  }
}
