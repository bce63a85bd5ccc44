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
 *
 * Nodes that collide get their next names in rounds. A round reads only the nodes that the one before has renamed: users choose
 * labels, and can make each name collide with one more node.
 * @returns the folders by node
 */
export function chooseOutputFolders(nodes: readonly OutputNode[]): Map<string, string> {
  const places = nodes
    .toSorted((a, b) => (a.node < b.node ? -1 : 1))
    .map((node, at): Place => ({ node, position: at + 1, choice: 0, folder: nameFolder(node, at + 1, 0) }));
  const index = new FolderIndex();
  for (const place of places) index.add(place);
  for (let changed: Iterable<Place> = places; ;) {
    const renamed = [...index.findColliding(changed)].filter(({ choice }) => choice < FOLDER_NAMES.length - 1);
    if (renamed.length === 0) return new Map(places.map(({ node, folder }) => [node.node, folder]));
    for (const place of renamed) {
      index.delete(place);
      place.choice += 1;
      place.folder = nameFolder(place.node, place.position, place.choice);
      index.add(place);
    }
    changed = renamed;
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
    .trim()
    .replaceAll(/[/\\\0]/g, '-')
    .replace(/^([a-z]):/i, '$1-');

interface Place {
  node: OutputNode;
  /** Number of the node in the order of their names, from 1. */
  position: number;
  /** Index of its name in `FOLDER_NAMES`. */
  choice: number;
  folder: string;
}

/** Finds nodes that would have the same folder: `1-hosts` may be the folder of a child of `hosts`. */
class FolderIndex {
  /** By `name` those without children, by `/name` those with children, by `//name` those without children named `<number>-name`. */
  private readonly places = new Map<string, Set<Place>>();

  add(place: Place): void {
    for (const key of listKeys(place)) this.places.set(key, this.find(key).add(place));
  }

  delete(place: Place): void {
    for (const key of listKeys(place)) this.find(key).delete(place);
  }

  /** Those that have the folder of one of these, if several have it. */
  findColliding(places: Iterable<Place>): Set<Place> {
    const colliding = new Set<Place>();
    const names = new Set<string>();
    for (const place of places) {
      const [own = '', numbered] = listKeys(place);
      const split = place.node.hasChildren ? own : numbered?.slice(1);
      names.add(split !== undefined && this.find(split).size > 0 ? split : own);
    }
    for (const name of names) {
      const group = name.startsWith('/') ? [...this.find(name), ...this.find(`/${name}`)] : [...this.find(name)];
      if (group.length > 1) for (const place of group) colliding.add(place);
    }
    return colliding;
  }

  private find(key: string): Set<Place> {
    return this.places.get(key) ?? new Set();
  }
}

function listKeys({ node, folder }: Place): string[] {
  const name = folder.normalize().toLowerCase();
  if (node.hasChildren) return [`/${name}`];
  const rest = /^\d+-(.*)$/s.exec(name)?.[1];
  return rest === undefined ? [name] : [name, `//${rest}`];
}
