import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import type { MillraceClient, Output } from '@millrace/client';
import { CliError } from '../cli-error.js';
import { chooseOutputPaths } from './choose-output-paths.js';

const MAX_CONCURRENT_DOWNLOADS = 4;

export interface DownloadedOutput {
  output: Output;
  file: string;
}

/**
 * Downloads the named outputs of a run into a folder, each to a separate path, and verifies their hashes.
 * @param labels downloads only the outputs with these labels
 */
export async function downloadOutputs(
  client: MillraceClient,
  run: string,
  folder: string,
  labels?: readonly string[],
): Promise<DownloadedOutput[]> {
  const selected: Output[] = [];
  for await (const output of client.outputs.listOfRun(run, { named: 'true' })) {
    if (labels === undefined || labels.includes(output.label)) selected.push(output);
  }
  const missing = labels?.filter((label) => !selected.some((output) => output.label === label)) ?? [];
  if (missing.length > 0) throw new CliError(`Run ${run} has no output named ${missing.join(', ')}.`);
  const paths = chooseOutputPaths(selected);
  const downloads: DownloadedOutput[] = [];
  const queue = selected.entries();
  const work = async () => {
    for (const [index, output] of queue) {
      const file = join(folder, paths[index] ?? '');
      await save(client, output, file);
      downloads[index] = { output, file };
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_DOWNLOADS }, work));
  return downloads;
}

async function save(client: MillraceClient, output: Output, file: string): Promise<void> {
  const { body } = await client.outputs.download(output.id);
  await mkdir(dirname(file), { recursive: true });
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _, callback) {
      hash.update(chunk);
      callback(null, chunk);
    },
  });
  await pipeline(Readable.fromWeb(body as NodeStream<Uint8Array>), hashing, createWriteStream(file));
  if (hash.digest('hex') !== output.sha256)
    throw new CliError(`${file} was damaged during the download: its SHA-256 differs. Try again.`);
}
