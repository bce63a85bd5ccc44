import { Option, type Command } from 'commander';
import { type MillraceClient, type OutputsArchiveQuery, type Run, isFinalRun, NotFoundError } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { runFolder } from '../files/choose-output-paths.js';
import { downloadOutputs } from '../files/download-outputs.js';
import { isStdout, writeOutput } from '../files/write-output.js';
import { print, printDone, toJson } from '../print-records.js';
import { toLine } from '../to-line.js';
import { addCommand } from './command-group.js';
import { parseNames } from './parse-names.js';
import { parseRunNumber } from './parse-number.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['outputs.listOfRun', 'outputs.download', 'outputs.archive', 'runs.get'];

interface Options {
  nodes?: string[] | undefined;
  files?: string[];
  all?: boolean | undefined;
  dir?: string;
  archive?: string;
  json?: boolean | undefined;
}

export function addOutput(parent: Command, { env }: CliContext): void {
  addCommand(parent, 'output', 'download outputs of a run: the named ones, or those of some nodes', [
    'run output 42',
    'run output 42 --nodes report,scan-1 --dir results',
    'run output 42 --all --files hosts.json',
    'run output 42 --all --archive results.zip',
  ])
    .argument('<run>', 'number of the run', parseRunNumber)
    .option('-n, --nodes <list>', 'download only the outputs of these nodes, by label or name', parseNames)
    .option('-f, --files <list>', 'download only files with these names', parseNames)
    .addOption(new Option('--all', 'download the outputs of all nodes, not only the named ones').conflicts('nodes'))
    .option('-d, --dir <dir>', 'folder for the outputs (default: <space>/<project>/<workflow>/run-<time>-<run>)')
    .addOption(
      new Option(
        '--archive <file>',
        'write one zip archive with the same folders, to a file or - for stdout',
      ).conflicts([...['dir', 'files']]),
    )
    .action(async (id: string, { dir, archive, nodes, files, all, json }: Options) => {
      const client = await connect(env);
      if (archive !== undefined) return saveArchive(client, id, archive, { nodes, all, json });
      const folder = dir ?? runFolder(await client.runs.get(id));
      const downloads = await downloadOutputs(client, id, folder, { nodes, files, all });
      if (json) await print(toJson(downloads.map(({ output, file }) => ({ ...output, file }))));
      else for (const { file } of downloads) await print(`${toLine(file)}\n`);
      if (downloads.length > 0) return;
      const run = await client.runs.get(id);
      const message = explainNoOutputs(run);
      if (run.status !== 'COMPLETED') throw new CliError(message);
      process.stderr.write(`${message}\n`);
    });
}

async function saveArchive(
  client: MillraceClient,
  id: string,
  file: string,
  { nodes, all, json }: Pick<Options, 'nodes' | 'all' | 'json'>,
): Promise<void> {
  if ((nodes?.length ?? 0) > 1)
    throw new CliError('--archive takes one node, or all of them: use --nodes <node> or --all.');
  const [node] = nodes ?? [];
  const query = node !== undefined ? await selectNode(client, id, node) : all ? {} : { named: 'true' as const };
  try {
    const { body } = await client.outputs.archive(id, query);
    await writeOutput(file, body);
  } catch (error) {
    if (!(error instanceof NotFoundError) || node !== undefined || all) throw error;
    throw new CliError(explainNoOutputs(await client.runs.get(id)));
  }
  if (!isStdout(file)) await printDone(`Wrote ${file}.`, { file }, { json });
}

/** A node is named by its label, or by its name if no node has this label. */
async function selectNode(client: MillraceClient, id: string, name: string): Promise<OutputsArchiveQuery> {
  const { count } = await client.outputs.listOfRun(id, { label: name, page_size: 1 });
  return count > 0 ? { label: name } : { node: name };
}

/** Explains why a run has no named outputs: it failed, it has not ended, or its workflow names none. */
export function explainNoOutputs({
  id,
  status,
  error,
}: Pick<Run, 'id' | 'status'> & { error?: string | undefined }): string {
  if (status === 'COMPLETED') {
    return `Run ${id} is COMPLETED. It has no named outputs, because no node of its workflow has a label of its own (meta.label).`;
  }
  if (!isFinalRun(status)) return `Run ${id} is ${status} and has no named outputs yet. Try again when it has ended.`;
  const reason = error === undefined ? '' : ` (${error})`;
  return `Run ${id} ${status === 'STOPPED' ? 'was stopped' : 'failed'} before it produced a named output${reason}. To see why: millrace logs ${id} <node> --stream stderr`;
}
