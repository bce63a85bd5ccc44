import type { Readable } from 'node:stream';
import type { MultipartFile, MultipartValue } from '@fastify/multipart';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { QuotaExceededError } from '@millrace/contracts/workflows/quota-exceeded';
import { admitUpload, uploadFile } from '@millrace/contracts/workflows/storage';
import { isDiskFull } from '@millrace/messaging/rpc/explain-outage';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { ObjectStore, StoredObject } from '@millrace/storage/object-store';
import { readRequest } from '../routes/read-request.js';
import { Route } from '../routes/route.js';
import { limitBytes } from './limit-bytes.js';
import { OBJECT_STORE } from './object-stores.js';

/** File uploads: the bytes are streamed into the object store under their hash, then the workflows service creates the record. */
@Controller()
export class UploadsController {
  constructor(
    private readonly rpc: RpcClient,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @Route(uploadFile)
  async upload(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (!request.isMultipart()) {
      throw new ValidationError({ 'header.Content-Type': 'must be multipart/form-data' });
    }
    const { path, stored } = await this.readParts(request);
    const envelope = readRequest(uploadFile, request, { path, ...stored });
    void reply.code(uploadFile.status).send(await this.rpc.send(uploadFile, envelope));
  }

  /** The content, limited to the remaining quota. @throws ApiError if no file may be written at the path */
  private async limitToQuota(request: FastifyRequest, path: string, content: Readable): Promise<AsyncIterable<Buffer>> {
    const { user } = request as { user?: Caller };
    const from = { caller: user ?? null, requestId: request.id };
    const { most: maxBytes, used_bytes: used, quota_bytes: quota } = await this.rpc.call(admitUpload, { path }, from);
    return maxBytes === null || quota === null
      ? content
      : limitBytes(content, maxBytes, () => new QuotaExceededError({ used, quota }));
  }

  private async readParts(request: FastifyRequest): Promise<{ path: string; stored: StoredObject }> {
    let path: string | undefined;
    let stored: StoredObject | undefined;
    for await (const part of readMultipart(request)) {
      const field = `body.${part.fieldname}`;
      if (stored || (part.type === 'field' && path !== undefined))
        throw invalidPart(field, 'must be sent once, before the file');
      if (part.type === 'field' && part.fieldname === 'path') path = checkPath(part.value);
      else if (part.type === 'file' && part.fieldname === 'file') {
        // The path comes first, so that an invalid one is rejected before gigabytes arrive.
        if (path === undefined) throw invalidPart('body.path', 'must come before the file');
        const content = await this.limitToQuota(request, path, part.file);
        stored = await this.store.put(content, { durable: true }).catch((error: unknown) => {
          // When the gateway stops reading early, the stream reports an error as if the client had disconnected.
          const isOwnError = error instanceof ApiError || isDiskFull(error);
          throw part.file.errored && !isOwnError
            ? invalidPart('body.file', 'ended before it was complete; send it again')
            : error;
        });
      } else throw invalidPart(field, 'is not a known field');
    }
    if (path === undefined) throw invalidPart('body.path', 'is required');
    if (stored === undefined) throw invalidPart('body.file', 'is required');
    return { path, stored };
  }
}

type Part = MultipartFile | MultipartValue<string>;

const invalidPart = (field: string, problem: string): ValidationError => new ValidationError({ [field]: problem });

/** Reads the parts of a multipart message. An error of the parser is a 400, because the client sent the message. */
async function* readMultipart(request: FastifyRequest): AsyncGenerator<Part> {
  try {
    yield* request.parts() as AsyncIterable<Part>;
  } catch (error) {
    if (error instanceof ValidationError || isDiskFull(error)) throw error;
    const { code } = error as { code?: string };
    if (code === 'FST_FILES_LIMIT') throw invalidPart('body.file', 'must be sent once; an upload is one file');
    throw invalidPart('body', `is not a complete multipart message: ${(error as Error).message}`);
  }
}

function checkPath(path: unknown): string {
  const checked = uploadFile.body.shape.path.safeParse(path);
  if (!checked.success) throw invalidPart('body.path', checked.error.issues[0]?.message ?? 'is not a path');
  return checked.data;
}
