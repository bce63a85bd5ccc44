import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { downloadExport } from '@millrace/contracts/datasets/exports';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { downloadOutput, downloadSigned } from '@millrace/contracts/runs/outputs';
import { downloadFile } from '@millrace/contracts/workflows/storage';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { ObjectStore } from '@millrace/storage/object-store';
import { readRequest } from '../routes/read-request.js';
import { Route } from '../routes/route.js';
import { EXPORT_STORE, OBJECT_STORE } from './object-stores.js';
import { sendObject, type Content } from './send-object.js';

/** Downloads of files, outputs and exports: the owning service names the object, and the gateway streams it. */
@Controller()
export class DownloadsController {
  constructor(
    private readonly rpc: RpcClient,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(EXPORT_STORE) private readonly exportStore: ObjectStore,
  ) {}

  @Route(downloadFile)
  file(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.send(downloadFile, request, reply);
  }

  @Route(downloadOutput)
  output(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.send(downloadOutput, request, reply);
  }

  @Route(downloadSigned)
  signed(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.send(downloadSigned, request, reply);
  }

  @Route(downloadExport)
  export(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.send(downloadExport, request, reply, this.exportStore);
  }

  private async send(
    operation: AnyOperation,
    request: FastifyRequest,
    reply: FastifyReply,
    store = this.store,
  ): Promise<void> {
    const content = (await this.rpc.send(operation, readRequest(operation, request))) as Content;
    sendObject(store, content, request, reply);
  }
}
