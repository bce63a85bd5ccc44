import type { Output } from '@millrace/client';
import { CliError } from '../cli-error.js';

type PathSource = Pick<Output, 'id' | 'label' | 'node' | 'task_index' | 'path'>;

/**
 * Chooses the path of each output below the download folder, in the order of the outputs. Nodes can have the same label. If
 * outputs of different nodes would have the same path, all outputs with their labels have the path `<label>/<node>/<path>`.
 * Paths that differ in case alone count as equal, because they are equal on some systems.
 */
export function chooseOutputPaths(outputs: readonly PathSource[]): string[] {
  const depths = new Map<string, number>();
  for (;;) {
    const paths = outputs.map((output) => outputPath({ ...output, label: folderOf(output, depths) }));
    const labels = findCollidingLabels(outputs, paths);
    if (labels.size === 0) return paths;
    for (const label of labels) {
      const depth = (depths.get(label) ?? 0) + 1;
      if (depth > 2) throw new CliError(`Several outputs named "${label}" have the same path.`);
      depths.set(label, depth);
    }
  }
}

/** Names of nodes can contain slashes, so paths with them can still be equal. Paths with the ids of outputs cannot. */
function folderOf({ label, node, id }: PathSource, depths: ReadonlyMap<string, number>): string {
  return [label, node, id].slice(0, 1 + (depths.get(label) ?? 0)).join('/');
}

/** Finds the labels of outputs whose path equals the path, or a parent folder of the path, of an output of another node. */
function findCollidingLabels(outputs: readonly PathSource[], paths: readonly string[]): Set<string> {
  const files = new Map<string, { owners: Set<string>; labels: Set<string> }>();
  const keys = paths.map((path) => path.normalize().toLowerCase());
  const ownerOf = ({ node, label }: PathSource): string => JSON.stringify([node, label]);
  for (const [at, output] of outputs.entries()) {
    const key = keys[at] ?? '';
    const file = files.get(key) ?? { owners: new Set(), labels: new Set() };
    files.set(key, { owners: file.owners.add(ownerOf(output)), labels: file.labels.add(output.label) });
  }
  const colliding = new Set<string>();
  for (const [at, output] of outputs.entries()) {
    for (const path of withParents(keys[at] ?? '')) {
      const file = files.get(path);
      if (file === undefined || (file.owners.size === 1 && file.owners.has(ownerOf(output)))) continue;
      for (const label of file.labels.add(output.label)) colliding.add(label);
    }
  }
  return colliding;
}

/** Yields a path and its parent folders. */
function* withParents(path: string): Generator<string> {
  yield path;
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) yield path.slice(0, end);
}

/** The path of an output below the download folder: `<label>/<path>`, or `<label>/<index>/<path>` for a child. */
export function outputPath({ label, task_index: index, path }: Pick<Output, 'label' | 'task_index' | 'path'>): string {
  const parts = [...label.split('/'), ...(index === undefined ? [] : [String(index)]), ...path.split('/')];
  // The server sends the names of a workflow that another user may have written.
  const isUnsafe = parts.some((part) => part === '' || part === '.' || part === '..' || /[\0\\]/.test(part));
  if (isUnsafe) throw new CliError(`The output "${label}" has a path outside of the folder: ${path}`);
  return parts.join('/');
}
