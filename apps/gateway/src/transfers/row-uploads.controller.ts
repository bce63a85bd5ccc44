import type { IncomingMessage } from 'node:http';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { admitRows, appendRows } from '@millrace/contracts/datasets/rows';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Input } from '@millrace/contracts/kit/operation';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { ObjectStore } from '@millrace/storage/object-store';
import { clientTypeOf } from '../bodies/body-parsers.js';
import { readRequest } from '../routes/read-request.js';
import { Route } from '../routes/route.js';
import { limitBytes } from './limit-bytes.js';
import { OBJECT_STORE } from './object-stores.js';

type RowsBody = Input<typeof appendRows>['body'];

const FORMATS: Record<string, RowsBody['format']> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/x-jsonlines': 'ndjson',
  'text/csv': 'csv',
};
const ENCODINGS: Record<string, RowsBody['encoding']> = {
  identity: 'identity',
  gzip: 'gzip',
  'x-gzip': 'gzip',
  zstd: 'zstd',
};

/** Rows for Live Tables: the bytes are streamed into the object store under their hash, and the datasets service reads them from there. */
@Controller()
export class RowUploadsController {
  constructor(
    private readonly rpc: RpcClient,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @Route(appendRows)
  async append(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const body = await this.receive(request);
    const envelope = readRequest(appendRows, request, body);
    void reply.code(appendRows.status).send(await this.rpc.send(appendRows, envelope));
  }

  private async receive(request: FastifyRequest): Promise<RowsBody> {
    const headers = readHeaders(request);
    const { user, params } = request as { user?: Caller; params: { id: string } };
    const from = { caller: user ?? null, requestId: request.id };
    const { max_bytes: maxBytes = Infinity } = await this.rpc.call(admitRows, { dataset: params.id }, from);
    const content = request.body as IncomingMessage | undefined;
    if (!content) throw new ValidationError({ body: 'is empty; send at least one row' });
    const tooLargeError = () =>
      new ApiError(
        'payload_too_large',
        `The upload is larger than ${maxBytes} bytes (LOAD_MAX_UNPACKED_BYTES). Send the rows in several requests.`,
      );
    const stored = await this.store
      .put(limitBytes(content, maxBytes, tooLargeError), { durable: true })
      .catch((error: unknown) => {
        throw content.errored ? new ValidationError({ body: 'ended before it was complete; send it again' }) : error;
      });
    if (stored.size === 0) throw new ValidationError({ body: 'is empty; send at least one row' });
    return { ...headers, ...stored };
  }
}

/** Reads format and encoding of the rows from the headers. @throws ValidationError */
function readHeaders(request: FastifyRequest): Pick<RowsBody, 'format' | 'encoding'> {
  const [type = '', ...parameters] = (clientTypeOf(request) ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)/.exec(parameter)?.[1])
    .find((value) => value !== undefined);
  const format = FORMATS[type.trim()];
  const encoding = ENCODINGS[(request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()];
  if (!format) {
    const problem = 'must be application/json, application/x-ndjson or text/csv';
    throw new ValidationError({ 'header.Content-Type': problem });
  }
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/.test(charset)) {
    throw new ValidationError({ 'header.Content-Type': `must have the charset utf-8 (got ${charset.slice(0, 40)})` });
  }
  if (!encoding) throw new ValidationError({ 'header.Content-Encoding': 'must be gzip, zstd or identity' });
  return { format, encoding };
}
