import type { IncomingMessage } from 'node:http';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { admitRows, appendRows } from '@millrace/contracts/datasets/rows';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Input } from '@millrace/contracts/kit/operation';
import { isDiskFull } from '@millrace/messaging/rpc/explain-outage';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { ObjectStore } from '@millrace/storage/object-store';
import { toldTypeOf } from '../bodies/stream-bodies.js';
import { readRequest } from '../routes/read-request.js';
import { Serves } from '../routes/route.js';
import { limited } from './limit-bytes.js';
import { OBJECT_STORE } from './object-stores.js';
import { takeOrHangUp } from './receive-upload.js';

type Given = Input<typeof appendRows>['body'];

const FORMATS: Record<string, Given['format']> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/x-jsonlines': 'ndjson',
  'text/csv': 'csv',
};
const ENCODINGS: Record<string, Given['encoding']> = {
  identity: 'identity',
  gzip: 'gzip',
  'x-gzip': 'gzip',
  zstd: 'zstd',
};

/** Rows for Live Tables: bytes are streamed into the object store under their hash, and read from there. */
@Controller()
export class RowUploadsController {
  constructor(
    private readonly rpc: RpcClient,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @Serves(appendRows)
  async append(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const body = await takeOrHangUp(request, () => this.take(request));
    const envelope = readRequest(appendRows, request, body);
    void reply.code(appendRows.status).send(await this.rpc.send(appendRows, envelope));
  }

  private async take(request: FastifyRequest): Promise<Given> {
    const told = readHeaders(request);
    const { user, params } = request as { user?: Caller; params: { id: string } };
    const from = { caller: user ?? null, requestId: request.id };
    const { max_bytes: most = Infinity } = await this.rpc.call(admitRows, { dataset: params.id }, from);
    const content = request.body as IncomingMessage | undefined;
    if (!content) throw new ValidationError({ body: 'is empty' });
    const tooLarge = () =>
      new ApiError('payload_too_large', `The upload has more than ${most} bytes (LOAD_MAX_UNPACKED_BYTES)`);
    const stored = await this.store.put(limited(content, most, tooLarge), { durable: true }).catch((error: unknown) => {
      // To stop reading in the middle looks to the stream as if it was cut off.
      throw content.errored && !(error instanceof ApiError) && !isDiskFull(error)
        ? new ValidationError({ body: 'was cut off' })
        : error;
    });
    if (stored.size === 0) throw new ValidationError({ body: 'is empty' });
    return { ...told, ...stored };
  }
}

/** What the rows are, as the client says. @throws ValidationError */
function readHeaders(request: FastifyRequest): Pick<Given, 'format' | 'encoding'> {
  const [type = '', ...parameters] = (toldTypeOf(request) ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((one) => /^\s*charset\s*=\s*"?([^"\s]*)/.exec(one)?.[1])
    .find((one) => one !== undefined);
  const format = FORMATS[type.trim()];
  const encoding = ENCODINGS[(request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()];
  if (!format) {
    const known = 'must be application/json, application/x-ndjson or text/csv';
    throw new ValidationError({ 'header.Content-Type': known });
  }
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/.test(charset)) {
    throw new ValidationError({ 'header.Content-Type': 'must be of the charset utf-8' });
  }
  if (!encoding) throw new ValidationError({ 'header.Content-Encoding': 'must be gzip, zstd or identity' });
  return { format, encoding };
}
