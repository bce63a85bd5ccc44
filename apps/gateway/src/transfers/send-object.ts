import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { ObjectStore } from '@millrace/storage/object-store';

export interface Content {
  name: string;
  sha256: string;
  size: number;
}

interface Range {
  start: number;
  end: number;
}

/** Streams a stored object as an attachment; supports one byte range (RFC 9110 §14) and `If-None-Match`. */
export function sendObject(store: ObjectStore, content: Content, request: FastifyRequest, reply: FastifyReply): void {
  const etag = `"${content.sha256}"`;
  void reply
    .header('accept-ranges', 'bytes')
    .header('etag', etag)
    .header('cache-control', 'private, no-cache')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(content.name)}`)
    .type('application/octet-stream');
  if (matchesEtag(request.headers['if-none-match'], etag)) return void reply.code(304).send();
  // RFC 9110, 13.1.5: if the object has changed since the client's first part, a range would mix two contents.
  const isUnchanged = [undefined, etag].includes(request.headers['if-range'] as string | undefined);
  const range = isUnchanged ? readRange(request.headers.range, content.size) : null;
  if (range === 'unsatisfiable') {
    return rejectRange(reply, content.size, 'file');
  }
  if (range) {
    void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${content.size}`);
  }
  void reply.header('content-length', range ? range.end - range.start + 1 : content.size);
  void reply.send(store.read(content.sha256, range ?? undefined));
}

/** Whether `If-None-Match` (a list of tags, weak or strong, or `*`) contains `etag`. */
export const matchesEtag = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));

/** Reads one `bytes=` range; null if there is none or its form is not supported, which RFC 9110 lets a server ignore. */
export function readRange(header: string | undefined, size: number): Range | null | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(first) > Number(last)) return null;
  return start >= size || end < start ? 'unsatisfiable' : { start, end };
}

/** Responds with 416 to a range outside of the content (RFC 9110, 15.5.17). */
export function rejectRange(reply: FastifyReply, size: number, content: 'file' | 'log'): void {
  const problem = new ApiError(
    'validation_error',
    `The range lies outside of the ${content}, which has ${size} bytes.`,
    {
      'header.Range': `must begin before byte ${size}`,
    },
  );
  void reply.code(416).header('content-range', `bytes */${size}`).type('application/json').send(problem.toBody());
}
