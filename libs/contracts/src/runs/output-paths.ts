/** A node whose outputs are stored as files. */
export interface OutputNode {
  node: string;
  label: string;
  /** Whether its outputs are those of the children of a task group. */
  hasChildren: boolean;
}

/** Possible names of the folder of a node. A later one is used where several nodes would have the earlier one. */
const FOLDER_NAMES: readonly ((node: OutputNode, position: number) => string)[] = [
  ({ label, node }) => label || node,
  ({ node }) => node,
  ({ node }, position) => `${node} (${position})`,
];

/**
 * Chooses the folder of each node: named after its label, or after the node if the label cannot be a folder or another node has
 * the same. Folders whose names differ in case or in Unicode normalization alone count as equal, because they are equal on some
 * systems. Command line and archives share it, so that both have the same layout.
 * @returns the folders by node
 */
export function chooseOutputFolders(nodes: readonly OutputNode[]): Map<string, string> {
  const sorted = nodes.toSorted((a, b) => (a.node < b.node ? -1 : 1));
  /** By node, the index of its folder name in the list above. */
  const choices = new Map<string, number>();
  for (;;) {
    const folders = sorted.map((node, at) => nameFolder(node, at + 1, choices.get(node.node) ?? 0));
    const colliding = findColliding(sorted, folders).filter(
      ({ node }) => (choices.get(node) ?? 0) < FOLDER_NAMES.length - 1,
    );
    if (colliding.length === 0) return new Map(sorted.map(({ node }, at) => [node, folders[at] ?? '']));
    for (const { node } of colliding) choices.set(node, (choices.get(node) ?? 0) + 1);
  }
}

/**
 * The path of an output: `<folder>/<path>`, or `<index>-<folder>/<path>` for a child of a task group. A backslash, which separates
 * folders on some systems, becomes `%5C`.
 * @throws Error if the path leads out of the folder
 */
export function joinOutputPath(folder: string, taskIndex: number | undefined, path: string): string {
  if (path.includes('\0') || path.split('/').some((part) => ['', '.', '..'].includes(part)))
    throw new Error(`An output has a path outside of its folder: ${path}`);
  const escaped = path.replaceAll(/%(?=(?:25)*5C)/g, '%25').replaceAll('\\', '%5C');
  return `${taskIndex === undefined ? folder : `${taskIndex}-${folder}`}/${escaped}`;
}

function nameFolder(node: OutputNode, position: number, choice: number): string {
  const names = FOLDER_NAMES.slice(choice).map((name) => toFolderName(name(node, position)));
  return names.find((name) => !['', '.', '..'].includes(name)) ?? '';
}

/** A label may have any characters. Some of them lead out of a folder, or to another drive. */
const toFolderName = (name: string): string =>
  name
    .replaceAll(/[/\\\0]/g, '-')
    .replace(/^([a-z]):/i, '$1-')
    .trim();

/** The nodes whose folder another node may have, too: `1-hosts` may be the folder of a child of `hosts`. */
function findColliding(nodes: readonly OutputNode[], folders: readonly string[]): OutputNode[] {
  const keys = nodes.map(({ hasChildren }, at) => `${hasChildren ? '#-' : ''}${toKey(folders[at] ?? '')}`);
  const childFolders = new Set(keys.filter((key) => key.startsWith('#-')));
  const groups = new Map<string, OutputNode[]>();
  for (const [at, node] of nodes.entries()) {
    const key = keys[at] ?? '';
    const asChild = key.replace(/^\d+-/, '#-');
    const group = childFolders.has(asChild) ? asChild : key;
    groups.set(group, [...(groups.get(group) ?? []), node]);
  }
  return [...groups.values()].filter((group) => group.length > 1).flat();
}

const toKey = (folder: string): string => folder.normalize().toLowerCase();
