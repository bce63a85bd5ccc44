import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Result } from '@millrace/contracts/kit/operation';
import { exportWorkflow } from '@millrace/contracts/workflows/exchange';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { readRequest } from '../routes/read-request.js';
import { Route } from '../routes/route.js';
import { attachmentHeader } from './attachment-header.js';

/** Downloads of workflows as files: the workflows service writes the text, and the gateway sends it as an attachment. */
@Controller()
export class WorkflowExportsController {
  constructor(private readonly rpc: RpcClient) {}

  @Route(exportWorkflow)
  async export(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const result = await this.rpc.send(exportWorkflow, readRequest(exportWorkflow, request));
    const { name, type, content } = result as Result<typeof exportWorkflow>;
    void reply
      .header('content-disposition', attachmentHeader(name))
      .header('cache-control', 'private, no-cache')
      .type(type)
      .send(content);
  }
}
