import { basename, join } from 'node:path';
import type { MillraceClient, Output } from '@millrace/client';
import { notFound } from '../cli-error.js';
import { chooseOutputPaths } from './choose-output-paths.js';
import { transferAll } from './transfer-all.js';
import { verified } from './verified.js';
import { writeAtomically } from './write-atomically.js';

export interface DownloadedOutput {
  output: Output;
  file: string;
}

/** Which outputs of a run to download. */
export interface OutputSelection {
  /** Labels or names of nodes; undefined for the named outputs. */
  nodes?: readonly string[] | undefined;
  /** Whether to download the outputs of all nodes. */
  all?: boolean | undefined;
  /** Names of files, or paths in the folder of a node; undefined for all. */
  files?: readonly string[] | undefined;
}

/** Downloads outputs of a run into a folder, each to a separate path, and verifies their hashes. */
export async function downloadOutputs(
  client: MillraceClient,
  run: string,
  folder: string,
  selection: OutputSelection,
): Promise<DownloadedOutput[]> {
  const selected = await selectOutputs(client, run, selection);
  const paths = chooseOutputPaths(selected);
  const downloads = selected.map((output, at) => ({ output, file: join(folder, paths[at] ?? '') }));
  await transferAll(downloads, async ({ output, file }) => {
    const { body } = await client.outputs.download(output.id);
    await writeAtomically(file, verified(body, output.sha256, file));
  });
  return downloads;
}

/** @throws CliError (not found) if a node or a file has no output */
async function selectOutputs(
  client: MillraceClient,
  run: string,
  { nodes, all, files }: OutputSelection,
): Promise<Output[]> {
  const list = (query: { named?: 'true'; label?: string; node?: string }) =>
    client.outputs.listOfRun(run, query).toArray();
  const found: Output[] = [];
  if (nodes === undefined) found.push(...(await list(all ? {} : { named: 'true' })));
  const missing: string[] = [];
  for (const name of new Set(nodes)) {
    const labelled = await list({ label: name });
    const outputs = labelled.length > 0 ? labelled : await list({ node: name });
    if (outputs.length === 0) missing.push(name);
    found.push(...outputs);
  }
  if (missing.length > 0)
    throw notFound(`Run ${run} has no outputs of ${missing.join(', ')}. Use the labels or the names of its nodes.`);
  const unique = [...new Map(found.map((output) => [output.id, output])).values()];
  const isSelected = ({ path }: Output, file: string) => path === file || basename(path) === file;
  const absent = files?.filter((file) => !unique.some((output) => isSelected(output, file))) ?? [];
  if (absent.length > 0) throw notFound(`Run ${run} has no output file named ${absent.join(', ')}.`);
  return unique.filter((output) => files === undefined || files.some((file) => isSelected(output, file)));
}
