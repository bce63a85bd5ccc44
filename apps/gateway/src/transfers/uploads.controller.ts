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
import { Serves } from '../routes/route.js';
import { limited } from './limit-bytes.js';
import { OBJECT_STORE } from './object-stores.js';
import { takeOrHangUp } from './receive-upload.js';

/** Uploads: bytes are streamed into the object store under their hash, then the owning service makes the file's record. */
@Controller()
export class UploadsController {
  constructor(
    private readonly rpc: RpcClient,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @Serves(uploadFile)
  async upload(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (!request.isMultipart()) {
      throw new ValidationError({ 'header.Content-Type': 'must be multipart/form-data' });
    }
    const { path, stored } = await takeOrHangUp(request, () => this.readParts(request));
    const envelope = readRequest(uploadFile, request, { path, ...stored });
    void reply.code(uploadFile.status).send(await this.rpc.send(uploadFile, envelope));
  }

  /** The content, which fails where it becomes larger than it may be. @throws ApiError where nothing may be at the path */
  private async admit(
    request: FastifyRequest,
    path: string,
    content: AsyncIterable<Buffer>,
  ): Promise<AsyncIterable<Buffer>> {
    const { user } = request as { user?: Caller };
    const from = { caller: user ?? null, requestId: request.id };
    const { most, used_bytes: used, quota_bytes: quota } = await this.rpc.call(admitUpload, { path }, from);
    return most === null || quota === null
      ? content
      : limited(content, most, () => new QuotaExceededError({ used, quota }));
  }

  private async readParts(request: FastifyRequest): Promise<{ path: string; stored: StoredObject }> {
    let path: string | undefined;
    let stored: StoredObject | undefined;
    for await (const part of partsOf(request)) {
      const place = `body.${part.fieldname}`;
      if (stored || (part.type === 'field' && path !== undefined))
        throw refuse(place, 'comes after the file, or twice');
      if (part.type === 'field' && part.fieldname === 'path') path = checkPath(part.value);
      else if (part.type === 'file' && part.fieldname === 'file') {
        // The path comes first so that a wrong one is refused before gigabytes are taken in.
        if (path === undefined) throw refuse('body.path', 'must come before the file');
        const content = await this.admit(request, path, part.file);
        stored = await this.store.put(content, { durable: true }).catch((error: unknown) => {
          // To stop reading in the middle looks to the stream as if it was cut off.
          const isOurs = error instanceof ApiError || isDiskFull(error);
          throw part.file.errored && !isOurs ? refuse('body.file', 'was cut off') : error;
        });
      } else throw refuse(place, 'is not a known field');
    }
    if (path === undefined) throw refuse('body.path', 'is missing');
    if (stored === undefined) throw refuse('body.file', 'is missing');
    return { path, stored };
  }
}

type Part = MultipartFile | MultipartValue<string>;

const refuse = (place: string, problem: string): ValidationError => new ValidationError({ [place]: problem });

/** What the parser finds wrong with the message is the client's mistake, not ours. */
async function* partsOf(request: FastifyRequest): AsyncGenerator<Part> {
  try {
    yield* request.parts() as AsyncIterable<Part>;
  } catch (error) {
    if (error instanceof ValidationError || isDiskFull(error)) throw error;
    const { code } = error as { code?: string };
    if (code === 'FST_FILES_LIMIT') throw refuse('body.file', 'comes twice: an upload is one file');
    throw refuse('body', `is not a whole multipart message: ${(error as Error).message}`);
  }
}

function checkPath(path: unknown): string {
  const checked = uploadFile.body.shape.path.safeParse(path);
  if (!checked.success) throw refuse('body.path', checked.error.issues[0]?.message ?? 'is not a path');
  return checked.data;
}
