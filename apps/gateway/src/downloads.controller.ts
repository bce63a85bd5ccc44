import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { downloadOutput, downloadSigned } from '@millrace/contracts/runs/outputs';
import { downloadFile } from '@millrace/contracts/workflows/storage';
import { Asker } from '@millrace/messaging/asker';
import type { ObjectStore } from '@millrace/storage/object-store';
import { OBJECT_STORE } from './object-store.js';
import { readRequest } from './read-request.js';
import { sendObject, type Content } from './send-object.js';
import { Serves } from './serves.js';

/** Contents of files and outputs: the owning service says which object it is, the gateway streams it. */
@Controller()
export class DownloadsController {
  constructor(
    private readonly asker: Asker,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @Serves(downloadFile)
  file(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.send(downloadFile, request, reply);
  }

  @Serves(downloadOutput)
  output(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.send(downloadOutput, request, reply);
  }

  @Serves(downloadSigned)
  signed(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.send(downloadSigned, request, reply);
  }

  private async send(operation: AnyOperation, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const content = (await this.asker.send(operation, readRequest(operation, request))) as Content;
    sendObject(this.store, content, request, reply);
  }
}
