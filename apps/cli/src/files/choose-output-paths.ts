import { join } from 'node:path';
import type { Output, Run } from '@millrace/client';
import { CliError } from '../cli-error.js';

type PathSource = Pick<Output, 'subjob' | 'label' | 'node' | 'task_index' | 'path'>;

/** Possible names of the folder of a node. A later one is used where several nodes would have the earlier one. */
const FOLDER_NAMES: readonly ((output: PathSource) => string)[] = [
  ({ label, node }) => label || node,
  ({ node }) => node,
  ({ node, subjob }) => `${node}-${subjob}`,
];

/**
 * Chooses the path of each output below the folder of its run, in the order of the outputs: `<label>/<path>`, or
 * `<index>-<label>/<path>` for a child of a task group. Nodes with the same label have the name of the node instead. Folders
 * whose names differ in case alone count as equal, because they are equal on some systems.
 */
export function chooseOutputPaths(outputs: readonly PathSource[]): string[] {
  /** By node, the position of its folder name in the list above. */
  const positions = new Map<string, number>();
  for (;;) {
    const folders = outputs.map((output) => folderOf(output, positions.get(output.node) ?? 0));
    const nodes = findCollidingNodes(outputs, folders);
    if (nodes.size === 0) return outputs.map(({ path }, at) => `${folders[at]}/${checkPath(path)}`);
    for (const node of nodes) {
      const position = (positions.get(node) ?? 0) + 1;
      if (position >= FOLDER_NAMES.length) throw new CliError(`The outputs of "${node}" would overwrite others.`);
      positions.set(node, position);
    }
  }
}

function folderOf(output: PathSource, position: number): string {
  const name = toFolderName(FOLDER_NAMES[position]?.(output) ?? '');
  return output.task_index === undefined ? name : `${output.task_index}-${name}`;
}

/** Finds the nodes whose folder is also that of another node, or of another child. */
function findCollidingNodes(outputs: readonly PathSource[], folders: readonly string[]): Set<string> {
  const owners = new Map<string, Map<string, string>>();
  for (const [at, { node, task_index: index }] of outputs.entries()) {
    const key = (folders[at] ?? '').normalize().toLowerCase();
    const found = owners.get(key) ?? new Map<string, string>();
    owners.set(key, found.set(JSON.stringify([node, index]), node));
  }
  const colliding = [...owners.values()].filter((found) => found.size > 1);
  return new Set(colliding.flatMap((found) => [...found.values()]));
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

function checkPath(path: string): string {
  const isUnsafe = path.split('/').some((part) => part === '' || part === '.' || part === '..' || /[\0\\]/.test(part));
  if (isUnsafe) throw new CliError(`An output has a path outside of its folder: ${path}`);
  return path;
}
