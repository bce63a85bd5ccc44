import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Files of these types shrink; fonts and images are compressed already. */
const COMPRESSIBLE = /\.(css|html|js|json|map|svg|txt)$/;
/** A smaller file fits into one packet. */
const MIN_BYTES = 1_000;

/** Writes `.br` and `.gz` beside each built file, so that the gateway compresses nothing on a request. */
export function compressAssets(): Plugin {
  let folder = '';
  return {
    name: 'compress-assets',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = join(root, build.outDir);
    },
    closeBundle: () => {
      for (const file of listFiles(folder)) compressFile(file);
    },
  };
}

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));

function compressFile(file: string): void {
  const content = readFileSync(file);
  if (content.length < MIN_BYTES) return;
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
}
