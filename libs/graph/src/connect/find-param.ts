import { type LevelNode } from '../parse/level.js';
import { type InputType } from '../plan/plan.js';

/** An input of a node, as one connection or one value uses it. */
export interface Param {
  name: string;
  type: InputType;
  order: number;
  /** Flag. Empty: positional argument. Null: no argument. */
  command: string | null;
}

/** Inputs that scripts and approvals have without declaring them. An approval has no others. */
const DEFAULT_INPUTS: Record<string, InputType> = { file: 'FILE', folder: 'FOLDER' };

/**
 * Finds the input `name` of a node; null if the node has no such input. A connection from `source` may have an entry of its
 * own, `<name>/<source>`, whose order and command take precedence over those of `<name>`. A script has the inputs `file` and
 * `folder` without declaring them and an approval has only these, a splitter has `multiple`, and a module has its ports.
 */
export function findParam(target: LevelNode, name: string, source: string | null): Param | null {
  if (target.module !== null) {
    const type = target.module.inputs.get(name)?.[0]?.type;
    return type === undefined ? null : { name, type, order: 0, command: null };
  }
  const { type: kind } = target.node;
  const isSplitter = kind === 'SPLITTER';
  if (name.includes('/') || (isSplitter && name !== 'multiple')) return null;
  if (kind === 'APPROVAL') {
    const type = findDefaultType(target, name);
    return type === undefined ? null : { name, type, order: 0, command: null };
  }
  const base = target.inputs.get(name);
  const own = source === null || !target.hasConnectionEntries ? undefined : target.inputs.get(`${name}/${source}`);
  const type = isSplitter ? 'FILE' : (base?.type ?? findDefaultType(target, name) ?? own?.type);
  if (type === undefined) return null;
  const command = own?.command ?? base?.command ?? defaultCommand(target, type);
  return { name, type, order: own?.order ?? base?.order ?? 0, command };
}

/** A script reads its files below `in/` and needs no argument for them. Other inputs are positional. */
const defaultCommand = (target: LevelNode, type: InputType): string | null =>
  target.node.type === 'SCRIPT' && (type === 'FILE' || type === 'FOLDER') ? null : '';

const findDefaultType = ({ node }: LevelNode, name: string): InputType | undefined =>
  (node.type === 'SCRIPT' || node.type === 'APPROVAL') && Object.hasOwn(DEFAULT_INPUTS, name)
    ? DEFAULT_INPUTS[name]
    : undefined;

/** Lists the input names that a connection to the node may use. */
export function paramNames(target: LevelNode): string[] {
  if (target.module !== null) return [...target.module.inputs.keys()];
  if (target.node.type === 'SPLITTER') return ['multiple'];
  if (target.node.type === 'APPROVAL') return Object.keys(DEFAULT_INPUTS);
  const declared = [...target.inputs.keys()].filter((key) => !key.includes('/'));
  return target.node.type === 'SCRIPT' ? [...new Set([...declared, 'file', 'folder'])] : declared;
}

/** Lists the inputs that have an effect: declared and connected ones, without the entries for single connections. */
export function usedParams(target: LevelNode): string[] {
  const used = new Set<string>();
  for (const key of target.inputs.keys()) if (!key.includes('/')) used.add(key);
  for (const { param } of target.connections) used.add(param);
  return [...used];
}
