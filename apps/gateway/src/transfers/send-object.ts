import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ObjectStore } from '@millrace/storage/object-store';
import { refuseRange } from './reject-range.js';

export interface Content {
  name: string;
  sha256: string;
  size: number;
}

interface Range {
  start: number;
  end: number;
}

/** Streams a stored object as an attachment; answers one byte range (RFC 9110 §14) and `If-None-Match`. */
export function sendObject(store: ObjectStore, content: Content, request: FastifyRequest, reply: FastifyReply): void {
  const etag = `"${content.sha256}"`;
  void reply
    .header('accept-ranges', 'bytes')
    .header('etag', etag)
    .header('cache-control', 'private, no-cache')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(content.name)}`)
    .type('application/octet-stream');
  if (matches(request.headers['if-none-match'], etag)) return void reply.code(304).send();
  // RFC 9110, 13.1.5: a range of something else than the client began with would mix two contents.
  const isSame = [undefined, etag].includes(request.headers['if-range'] as string | undefined);
  const range = isSame ? readRange(request.headers.range, content.size) : null;
  if (range === 'unsatisfiable') {
    return refuseRange(reply, content.size, 'file');
  }
  if (range) {
    void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${content.size}`);
  }
  void reply.header('content-length', range ? range.end - range.start + 1 : content.size);
  void reply.send(store.read(content.sha256, range ?? undefined));
}

/** `If-None-Match`: a list of tags, weak or not, or `*`. */
export const matches = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));

/** One `bytes=` range; null where there is none or it is not understood, which RFC 9110 lets a server ignore. */
export function readRange(header: string | undefined, size: number): Range | null | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(first) > Number(last)) return null;
  return start >= size || end < start ? 'unsatisfiable' : { start, end };
}
