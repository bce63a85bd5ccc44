import { type LevelNode } from '../parse/level.js';
import { type InputType } from '../plan/plan.js';

/** An input of a node as a connection or a value meets it. */
export interface Param {
  name: string;
  type: InputType;
  order: number;
  /** Flag, positional when empty, no argument at all when null. */
  command: string | null;
}

const GENERIC: Record<string, InputType> = { file: 'FILE', folder: 'FOLDER' };

/**
 * The input `name` of a node, or null where it has none. A connection from `source` may have an entry of its own,
 * `<name>/<source>`, whose order and command go before those of `<name>`. A script takes files and folders without
 * declaring them; a splitter takes `multiple`; a module takes its ports.
 */
export function findParam(target: LevelNode, name: string, source: string | null): Param | null {
  if (target.module !== null) {
    const type = target.module.inputs.get(name)?.[0]?.type;
    return type === undefined ? null : { name, type, order: 0, command: null };
  }
  const splitter = target.node.type === 'SPLITTER';
  if (name.includes('/') || (splitter && name !== 'multiple')) return null;
  const base = target.inputs.get(name);
  const own = source === null || !target.ownEntries ? undefined : target.inputs.get(`${name}/${source}`);
  const type = splitter ? 'FILE' : (base?.type ?? genericType(target, name) ?? own?.type);
  if (type === undefined) return null;
  const command = own?.command ?? base?.command ?? defaultCommand(target, type);
  return { name, type, order: own?.order ?? base?.order ?? 0, command };
}

/** A script finds its files under `in/` and needs no argument for them; all else is positional. */
const defaultCommand = (target: LevelNode, type: InputType): string | null =>
  target.node.type === 'SCRIPT' && (type === 'FILE' || type === 'FOLDER') ? null : '';

const genericType = (target: LevelNode, name: string): InputType | undefined =>
  target.node.type === 'SCRIPT' && Object.hasOwn(GENERIC, name) ? GENERIC[name] : undefined;

/** Names that a connection to the node may use. */
export function paramNames(target: LevelNode): string[] {
  if (target.module !== null) return [...target.module.inputs.keys()];
  if (target.node.type === 'SPLITTER') return ['multiple'];
  const declared = [...target.inputs.keys()].filter((key) => !key.includes('/'));
  return target.node.type === 'SCRIPT' ? [...new Set([...declared, 'file', 'folder'])] : declared;
}

/** Inputs that do something: declared ones and connected ones, without the entries that connections leave behind. */
export function usedParams(target: LevelNode): string[] {
  const used = new Set<string>();
  for (const key of target.inputs.keys()) if (!key.includes('/')) used.add(key);
  for (const { param } of target.connections) used.add(param);
  return [...used];
}
