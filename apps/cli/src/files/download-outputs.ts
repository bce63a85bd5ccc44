import { join } from 'node:path';
import type { MillraceClient, Output } from '@millrace/client';
import { CliError } from '../cli-error.js';
import { chooseOutputPaths } from './choose-output-paths.js';
import { verified } from './verified.js';
import { writeAtomically } from './write-atomically.js';

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
  await writeAtomically(file, verified(body, output.sha256, file));
}
