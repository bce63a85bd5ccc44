import { Readable } from 'node:stream';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { exportUsage } from '@millrace/contracts/billing/usage';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { Result } from '@millrace/contracts/kit/operation';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { readRequest } from '../routes/read-request.js';
import { Route } from '../routes/route.js';
import { attachmentHeader } from './attachment-header.js';

type Part = Result<typeof exportUsage>;

/** Applies to each part; a long export has many. */
const PART_TIMEOUT_MS = 30_000;

/** Usage as a CSV file, fetched in parts so that its length costs neither side memory. */
@Controller()
export class UsageExportsController {
  constructor(private readonly rpc: RpcClient) {}

  @Route(exportUsage)
  async export(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const envelope = readRequest(exportUsage, request);
    const first = await this.fetchPart(envelope);
    void reply
      .header('content-disposition', attachmentHeader('usage.csv'))
      .header('cache-control', 'private, no-cache')
      .type('text/csv; charset=utf-8')
      .send(Readable.from(this.readParts(envelope, first)));
  }

  private async *readParts(envelope: Envelope, first: Part): AsyncGenerator<string> {
    yield first.content;
    for (let { next } = first; next !== null;) {
      const part = await this.fetchPart({ ...envelope, query: { ...(envelope.query as object), after: next } });
      yield part.content;
      next = part.next;
    }
  }

  private async fetchPart(envelope: Envelope): Promise<Part> {
    return (await this.rpc.send(exportUsage, { ...envelope, deadline: Date.now() + PART_TIMEOUT_MS })) as Part;
  }
}
