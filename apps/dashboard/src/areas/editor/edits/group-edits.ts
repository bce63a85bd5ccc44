import { change, type Diff } from '../document/diff.js';
import type { Document, GroupRecord } from '../document/document.js';
import { freshName } from './fresh-name.js';

/** Puts nodes into a new group. They leave their former ones. */
export function groupNodes(document: Document, ids: ReadonlySet<string>, label: string): Diff {
  const members = [...ids].filter(
    (id) => Object.hasOwn(document.nodes, id) || Object.hasOwn(document.primitiveNodes, id),
  );
  if (members.length === 0) return [];
  const key = freshName('group', (name) => Object.hasOwn(document.groups, name));
  const left = Object.entries(document.groups).flatMap(([other, group]) => {
    const nodes = group.nodes.filter((id) => !ids.has(id));
    if (nodes.length === group.nodes.length) return [];
    return [change(document, 'groups', other, nodes.length === 0 ? undefined : { ...group, nodes })];
  });
  return [...left, change(document, 'groups', key, { label, nodes: members })];
}

export function updateGroup(document: Document, key: string, fields: Partial<GroupRecord>): Diff {
  const group = document.groups[key];
  return group ? [change(document, 'groups', key, { ...group, ...fields })] : [];
}

/** Removes the group; its nodes stay. */
export const ungroup = (document: Document, key: string): Diff =>
  Object.hasOwn(document.groups, key) ? [change(document, 'groups', key, undefined)] : [];
