import type { IncomingMessage } from 'node:http';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { readSandboxFile, SANDBOX_SESSION_LIMITS, writeSandboxFile } from '@millrace/contracts/runs/sandbox';
import { admitSandbox } from '@millrace/contracts/runs/sandbox-hosts';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { ObjectStore, StoredObject } from '@millrace/storage/object-store';
import { readRequest } from '../routes/read-request.js';
import { Serves } from '../routes/route.js';
import { limited } from './limit-bytes.js';
import { OBJECT_STORE } from './object-stores.js';
import { takeOrHangUp } from './receive-upload.js';
import { sendObject, type Content } from './send-object.js';

/** Files of sandboxes: bytes go into the object store under their hash, and come from there. */
@Controller()
export class SandboxFilesController {
  constructor(
    private readonly rpc: RpcClient,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @Serves(readSandboxFile)
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const content = (await this.rpc.send(readSandboxFile, readRequest(readSandboxFile, request))) as Content;
    sendObject(this.store, content, request, reply);
  }

  @Serves(writeSandboxFile)
  async write(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const stored = await takeOrHangUp(request, () => this.take(request));
    const envelope = readRequest(writeSandboxFile, request, stored);
    void reply.code(writeSandboxFile.status).send(await this.rpc.send(writeSandboxFile, envelope));
  }

  private async take(request: FastifyRequest): Promise<StoredObject> {
    // Before megabytes are taken in: the query, and whether it is the caller's.
    const { query } = readRequest(writeSandboxFile, request, { sha256: NO_HASH, size: 0 });
    const { user } = request as { user?: Caller };
    const { sessionId: session } = query as { sessionId: string };
    await this.rpc.call(admitSandbox, { session, storing: true }, { caller: user ?? null, requestId: request.id });
    const told = Number(request.headers['content-length'] ?? 0);
    if (told > SANDBOX_SESSION_LIMITS.fileBytes) throw tooLarge();
    const content = request.body as IncomingMessage | undefined;
    if (!content) return this.store.put(Buffer.alloc(0), { durable: true });
    return this.store
      .put(limited(content, SANDBOX_SESSION_LIMITS.fileBytes, tooLarge), { durable: true })
      .catch((error: unknown) => {
        throw content.errored && !(error instanceof ApiError) ? new ValidationError({ body: 'was cut off' }) : error;
      });
  }
}

const NO_HASH = '0'.repeat(64);
const tooLarge = () => new ApiError('payload_too_large', 'A file of a sandbox may have 64 MiB');
