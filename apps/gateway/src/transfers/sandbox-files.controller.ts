import type { IncomingMessage } from 'node:http';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { SANDBOX_SESSION_LIMITS, readSandboxFile, writeSandboxFile } from '@millrace/contracts/runs/sandbox';
import { admitSandbox } from '@millrace/contracts/runs/sandbox-hosts';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { ObjectStore, StoredObject } from '@millrace/storage/object-store';
import { readRequest } from '../routes/read-request.js';
import { Route } from '../routes/route.js';
import { limitBytes } from './limit-bytes.js';
import { OBJECT_STORE } from './object-stores.js';
import { type Content, sendObject } from './send-object.js';

/** Files of sandboxes: the gateway writes them to the object store under their hash, and reads them from there. */
@Controller()
export class SandboxFilesController {
  constructor(
    private readonly rpc: RpcClient,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @Route(readSandboxFile)
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const content = (await this.rpc.send(readSandboxFile, readRequest(readSandboxFile, request))) as Content;
    sendObject(this.store, content, request, reply);
  }

  @Route(writeSandboxFile)
  async write(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const stored = await this.receive(request);
    const envelope = readRequest(writeSandboxFile, request, stored);
    void reply.code(writeSandboxFile.status).send(await this.rpc.send(writeSandboxFile, envelope));
  }

  private async receive(request: FastifyRequest): Promise<StoredObject> {
    // Checks the query and the caller's access before it accepts megabytes.
    const { query } = readRequest(writeSandboxFile, request, { sha256: PLACEHOLDER_HASH, size: 0 });
    const { user } = request as { user?: Caller };
    const { sessionId: session } = query as { sessionId: string };
    await this.rpc.call(admitSandbox, { session, storing: true }, { caller: user ?? null, requestId: request.id });
    const announcedBytes = Number(request.headers['content-length'] ?? 0);
    if (announcedBytes > SANDBOX_SESSION_LIMITS.fileBytes) throw fileTooLargeError();
    const content = request.body as IncomingMessage | undefined;
    if (!content) return this.store.put(Buffer.alloc(0), { durable: true });
    return this.store
      .put(limitBytes(content, SANDBOX_SESSION_LIMITS.fileBytes, fileTooLargeError), { durable: true })
      .catch((error: unknown) => {
        throw content.errored ? new ValidationError({ body: 'ended before it was complete; send it again' }) : error;
      });
  }
}

const PLACEHOLDER_HASH = '0'.repeat(64);
const fileTooLargeError = () =>
  new ApiError(
    'payload_too_large',
    `The file is larger than ${SANDBOX_SESSION_LIMITS.fileBytes / 1024 / 1024} MiB, the maximum for a sandbox file.`,
  );
