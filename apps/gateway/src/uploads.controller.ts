import type { MultipartFile, MultipartValue } from '@fastify/multipart';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import { uploadFile } from '@millrace/contracts/workflows/storage';
import { Asker } from '@millrace/messaging/asker';
import type { ObjectStore, StoredObject } from '@millrace/storage/object-store';
import { OBJECT_STORE } from './object-store.js';
import { readRequest } from './read-request.js';
import { Serves } from './serves.js';

/** Uploads: bytes are streamed into the object store under their hash, then the owning service makes the file's record. */
@Controller()
export class UploadsController {
  constructor(
    private readonly asker: Asker,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @Serves(uploadFile)
  async upload(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (!request.isMultipart()) {
      throw new ValidationError({ 'header.Content-Type': 'must be multipart/form-data' });
    }
    const { path, stored } = await this.readParts(request);
    const envelope = readRequest(uploadFile, request, { path, ...stored });
    void reply.code(uploadFile.status).send(await this.asker.send(uploadFile, envelope));
  }

  private async readParts(request: FastifyRequest): Promise<{ path: string; stored: StoredObject }> {
    let path: string | undefined;
    for await (const part of request.parts() as AsyncIterable<MultipartFile | MultipartValue<string>>) {
      if (part.type === 'field' && part.fieldname === 'path') path = part.value;
      else if (part.type === 'file' && part.fieldname === 'file') {
        // The path comes first so that a wrong one is refused before gigabytes are taken in.
        if (path === undefined) throw new ValidationError({ 'body.path': 'must come before the file' });
        const checked = uploadFile.body.shape.path.safeParse(path);
        if (!checked.success) throw new ValidationError({ 'body.path': checked.error.issues[0]?.message });
        return { path, stored: await this.store.put(part.file, { durable: true }) };
      } else throw new ValidationError({ [`body.${part.fieldname}`]: 'is not a known field' });
    }
    throw new ValidationError({ [path === undefined ? 'body.path' : 'body.file']: 'is missing' });
  }
}
