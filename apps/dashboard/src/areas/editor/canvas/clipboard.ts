import { parse, stringify } from 'yaml';
import { readDocument } from '../document/document.js';
import { expandConnections } from '../yaml/yaml-text.js';

/** The first line of copied nodes. It is a comment in YAML, so the text can be pasted into a workflow file too. */
const MARK = '# Millrace nodes';

export const writeClipboard = (fragment: Record<string, unknown>): string =>
  `${MARK}\n${stringify(fragment, { aliasDuplicateObjects: false })}`;

/** Reads copied nodes, or the YAML of a workflow. @returns undefined for any other text */
export function readClipboard(text: string): Record<string, unknown> | undefined {
  if (!text.includes('nodes:') && !text.includes('"nodes"')) return undefined;
  try {
    const parsed: unknown = parse(text, { maxAliasCount: 0 });
    if (typeof parsed !== 'object' || parsed === null) return undefined;
    const { data, workflow } = parsed as Record<string, unknown>;
    const found = expandConnections((data ?? workflow ?? parsed) as Record<string, unknown>);
    const { nodes, primitiveNodes } = readDocument(found);
    const isEmpty = Object.keys(nodes).length + Object.keys(primitiveNodes).length === 0;
    return isEmpty ? undefined : found;
  } catch {
    return undefined;
  }
}
