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
 * The content of a body as it was before a server compressed it, which ends with an error past `most` bytes: what is
 * counted is what comes out, so that a few kilobytes which unfold to terabytes end there too.
 * @throws EgressError for an encoding that nobody asked for and we do not know
 */
export function decodeBody(body: Readable, encoding: string, most: number): Readable {
  const coding = encoding.trim().toLowerCase();
  const bound = boundBytes(most);
  if (coding === '' || coding === 'identity') return pipeline(body, bound, () => undefined);
  const decode = DECODERS[coding];
  if (!decode) throw new EgressError('the answer is compressed in a way that is not known here');
  return pipeline(body, decode(), bound, () => undefined);
}

function boundBytes(most: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > most) done(tooLarge(most));
      else done(null, chunk);
    },
  });
}

export const tooLarge = (most: number): EgressError => new EgressError(`it is larger than ${most} bytes`);
