import { pipeline, Transform, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { EgressError } from './egress-error.js';

const DECODERS: Record<string, () => Transform> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
};

/**
 * Decompresses a body, and fails if it exceeds `maxBytes`. The limit applies to the decompressed bytes, so a few
 * kilobytes that expand to terabytes are stopped as well.
 * @throws EgressError for an unknown encoding
 */
export function decodeBody(body: Readable, encoding: string, maxBytes: number): Readable {
  const coding = encoding.trim().toLowerCase();
  const limit = limitBytes(maxBytes);
  if (coding === '' || coding === 'identity') return pipeline(body, limit, () => undefined);
  const decode = DECODERS[coding];
  if (!decode) throw new EgressError('the response has an unknown content encoding');
  return pipeline(body, decode(), limit, () => undefined);
}

function limitBytes(maxBytes: number): Transform {
  let received = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > maxBytes) done(tooLarge(maxBytes));
      else done(null, chunk);
    },
  });
}

export const tooLarge = (maxBytes: number): EgressError => new EgressError(`it is larger than ${maxBytes} bytes`);
