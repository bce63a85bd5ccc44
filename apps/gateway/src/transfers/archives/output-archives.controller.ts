import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { Result } from '@millrace/contracts/kit/operation';
import { archiveOutputs } from '@millrace/contracts/runs/outputs';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { ObjectStore } from '@millrace/storage/object-store';
import { readRequest } from '../../routes/read-request.js';
import { Route } from '../../routes/route.js';
import { attachmentHeader } from '../attachment-header.js';
import { OBJECT_STORE } from '../object-stores.js';
import { type ArchivedFile, writeArchive } from './write-archive.js';

type Part = Result<typeof archiveOutputs>;

/** Applies to each part; an archive of 100,000 files has 100. */
const PART_TIMEOUT_MS = 30_000;

/** Outputs of a run as one zip archive, whose files the runs service lists in parts. */
@Controller()
export class OutputArchivesController {
  constructor(
    private readonly rpc: RpcClient,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @Route(archiveOutputs)
  async archive(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const envelope = readRequest(archiveOutputs, request);
    const first = await this.fetchPart(envelope);
    void reply
      .header('content-disposition', attachmentHeader(first.name))
      .header('cache-control', 'private, no-cache')
      .type('application/zip')
      .send(writeArchive(this.store, this.listFiles(envelope, first)));
  }

  private async *listFiles(envelope: Envelope, first: Part): AsyncGenerator<ArchivedFile, void> {
    yield* first.files;
    for (let { next } = first; next !== null;) {
      const part = await this.fetchPart({ ...envelope, query: { ...(envelope.query as object), after: next } });
      yield* part.files;
      next = part.next;
    }
  }

  private async fetchPart(envelope: Envelope): Promise<Part> {
    return (await this.rpc.send(archiveOutputs, { ...envelope, deadline: Date.now() + PART_TIMEOUT_MS })) as Part;
  }
}
