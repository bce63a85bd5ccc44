import { join } from 'node:path';
import type { Output, Run } from '@millrace/client';
import { chooseOutputFolders, joinOutputPath } from '@millrace/contracts/runs/output-paths';
import { CliError } from '../cli-error.js';

type PathSource = Pick<Output, 'label' | 'node' | 'task_index' | 'path'>;

/**
 * Chooses the path of each output below the folder of its run, in the order of the outputs: `<label>/<path>`, or
 * `<index>-<label>/<path>` for a child of a task group. Nodes with the same label have the name of the node instead. An archive
 * from the server has the same paths.
 */
export function chooseOutputPaths(outputs: readonly PathSource[]): string[] {
  const nodes = new Map(
    outputs.map(({ node, label, task_index: index }) => [node, { node, label, hasChildren: index !== undefined }]),
  );
  const folders = chooseOutputFolders([...nodes.values()]);
  return outputs.map(({ node, task_index: index, path }) => joinPath(folders.get(node) ?? '', index, path));
}

/** The server sends paths that another user has chosen, so they may not lead out of the folder. */
function joinPath(folder: string, index: number | undefined, path: string): string {
  try {
    return joinOutputPath(folder, index, path);
  } catch (error) {
    throw new CliError((error as Error).message);
  }
}

/** The default folder of the outputs of a run: `<space>/<project>/<workflow>/run-<time of its start>-<number>`. */
export function runFolder(run: Run): string {
  const places = [run.space_name, run.project_name, run.workflow_name].filter((name) => name !== undefined);
  const time = (run.started_date ?? run.created_date).replace(/\.\d+/, '').replaceAll(':', '');
  return join(...places.map(toFolderName), `run-${time}-${run.id}`);
}

/** The server sends names that another user may have chosen, so they may not lead out of a folder. */
function toFolderName(name: string): string {
  const folder = name.replaceAll(/[/\\\0]/g, '-').trim();
  if (folder === '' || folder === '.' || folder === '..')
    throw new CliError(`"${name}" cannot be the name of a folder.`);
  return folder;
}
