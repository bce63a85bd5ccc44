import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Result } from '@millrace/contracts/kit/operation';
import { exportWorkflow } from '@millrace/contracts/workflows/exchange';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { readRequest } from '../routes/read-request.js';
import { Serves } from '../routes/route.js';
import { nameAttachment } from './attachment-header.js';

/** Workflows as files: the owning service writes the text, the gateway makes it one to save. */
@Controller()
export class ExportsController {
  constructor(private readonly rpc: RpcClient) {}

  @Serves(exportWorkflow)
  async export(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const answer = await this.rpc.send(exportWorkflow, readRequest(exportWorkflow, request));
    const { name, type, content } = answer as Result<typeof exportWorkflow>;
    void reply
      .header('content-disposition', nameAttachment(name))
      .header('cache-control', 'private, no-cache')
      .type(type)
      .send(content);
  }
}
