import type { Output } from '@millrace/sdk/records';
import { CliError } from '../cli-error.js';

type Placed = Pick<Output, 'id' | 'label' | 'node' | 'task_index' | 'path'>;

/**
 * Where each output is put below the folder of downloads, in the order of the outputs. If outputs of different nodes would
 * have the same path, as nodes with the same label do, all outputs with their labels go into a folder for each node,
 * `<label>/<node>/<path>`. Paths that differ in case alone are the same on some systems, and so they are here.
 */
export function chooseOutputPaths(outputs: readonly Placed[]): string[] {
  const depths = new Map<string, number>();
  for (;;) {
    const paths = outputs.map((output) => outputPath({ ...output, label: folderOf(output, depths) }));
    const labels = findShared(outputs, paths);
    if (labels.size === 0) return paths;
    for (const label of labels) {
      const depth = (depths.get(label) ?? 0) + 1;
      if (depth > 2) throw new CliError(`Several outputs named "${label}" have the same path.`);
      depths.set(label, depth);
    }
  }
}

/** Node names that contain slashes can still meet in each other's folders; the ids of outputs cannot. */
function folderOf({ label, node, id }: Placed, depths: ReadonlyMap<string, number>): string {
  return [label, node, id].slice(0, 1 + (depths.get(label) ?? 0)).join('/');
}

/** Labels of outputs that would be the same file as an output of another node, or a file where that one has a folder. */
function findShared(outputs: readonly Placed[], paths: readonly string[]): Set<string> {
  const files = new Map<string, { owners: Set<string>; labels: Set<string> }>();
  const keys = paths.map((path) => path.normalize().toLowerCase());
  const ownerOf = ({ node, label }: Placed): string => JSON.stringify([node, label]);
  for (const [at, output] of outputs.entries()) {
    const key = keys[at] ?? '';
    const file = files.get(key) ?? { owners: new Set(), labels: new Set() };
    files.set(key, { owners: file.owners.add(ownerOf(output)), labels: file.labels.add(output.label) });
  }
  const shared = new Set<string>();
  for (const [at, output] of outputs.entries()) {
    for (const place of placesOf(keys[at] ?? '')) {
      const file = files.get(place);
      if (file === undefined || (file.owners.size === 1 && file.owners.has(ownerOf(output)))) continue;
      for (const other of file.labels.add(output.label)) shared.add(other);
    }
  }
  return shared;
}

/** A path and the folders that it is in. */
function* placesOf(path: string): Generator<string> {
  yield path;
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) yield path.slice(0, end);
}

/** Where an output is put below the folder of downloads: `<label>/<path>`, a child's `<label>/<index>/<path>`. */
export function outputPath({ label, task_index: index, path }: Pick<Output, 'label' | 'task_index' | 'path'>): string {
  const parts = [...label.split('/'), ...(index === undefined ? [] : [String(index)]), ...path.split('/')];
  // The names come from the server, and from there out of a workflow that others may have written.
  const bad = parts.some((part) => part === '' || part === '.' || part === '..' || /[\0\\]/.test(part));
  if (bad) throw new CliError(`The output "${label}" has a path outside of the folder: ${path}`);
  return parts.join('/');
}
