import { analyseWorkflow } from '../check/analyse-workflow.js';
import { InvalidWorkflowError } from '../check/problem.js';
import { isRecord } from '../data/is-record.js';
import type { Modules } from '../data/workflow-data.js';
import { showName } from '../names/check-name.js';
import { suggestName } from '../names/suggest-name.js';
import type { Level } from '../parse/level.js';

/** Which nodes of a workflow a run executes. */
export interface Part {
  /** These nodes and all that depend on them run; those before them are only needed for their results. */
  from?: readonly string[] | undefined;
  /** Nodes after these, or beside them, are left out. */
  until?: readonly string[] | undefined;
}

export interface SelectedPart {
  /** The workflow without the nodes that are left out. Its inputs are complete. */
  data: unknown;
  /** Nodes that run even if an earlier run has their results. */
  repeated: string[];
}

/** A part that the workflow does not have. */
export class InvalidPartError extends Error {
  constructor(
    readonly field: 'from' | 'until',
    readonly position: number,
    /** In words that follow the name of the field. */
    readonly problem: string,
  ) {
    super(`\`${field}\` ${problem}`);
    this.name = 'InvalidPartError';
  }
}

/**
 * Selects a part of a workflow. A node precedes another one if data, an order or a condition leads from it. The part may
 * be valid although the whole workflow is not.
 * @throws InvalidPartError
 * @throws InvalidWorkflowError if the connections of the workflow cannot be read
 */
export function selectPart(data: unknown, modules: Modules, { from = [], until = [] }: Part): SelectedPart {
  const { level, errors } = analyseWorkflow(data, modules, null);
  if (level === null || !isRecord(data)) throw new InvalidWorkflowError(errors.list());
  requireNodes(level, 'from', from);
  requireNodes(level, 'until', until);
  const kept = until.length > 0 ? findNodesBefore(level, until) : new Set(level.nodes.keys());
  for (const [position, name] of from.entries()) {
    if (!kept.has(name))
      throw new InvalidPartError('from', position, `names ${showName(name)}, which no node of \`until\` depends on`);
  }
  const repeated = findNodesAfter(level, from).filter((name) => kept.has(name));
  return { data: keepNodes(data, level, kept), repeated };
}

function requireNodes({ nodes }: Level, field: 'from' | 'until', names: readonly string[]): void {
  for (const [position, name] of names.entries()) {
    if (nodes.has(name)) continue;
    const suggestion = suggestName(name, nodes.keys()) ?? '';
    throw new InvalidPartError(
      field,
      position,
      `names no node of the workflow (got ${showName(name)}). ${suggestion}`.trimEnd(),
    );
  }
}

/** The nodes and everything that they depend on. */
function findNodesBefore(level: Level, names: readonly string[]): Set<string> {
  const found = new Set(names);
  for (const name of found) for (const predecessor of listPredecessors(level, name)) found.add(predecessor);
  return found;
}

/** The nodes and everything that depends on them, in topological order. */
function findNodesAfter(level: Level, names: readonly string[]): string[] {
  const found = new Set(names);
  for (const name of level.nodes.keys()) {
    if (listPredecessors(level, name).some((predecessor) => found.has(predecessor))) found.add(name);
  }
  return [...level.nodes.keys()].filter((name) => found.has(name));
}

function listPredecessors({ nodes }: Level, name: string): string[] {
  const node = nodes.get(name);
  if (!node) return [];
  const sources = node.connections.filter(({ from }) => from !== 'primitive').map(({ source }) => source);
  return [...sources, ...node.after, ...(node.condition?.nodes ?? [])];
}

function keepNodes(data: Record<string, unknown>, { nodes }: Level, kept: ReadonlySet<string>): unknown {
  const isKept = (name: string) => !nodes.has(name) || kept.has(name);
  const { nodes: written, connections } = data;
  return {
    ...data,
    ...(isRecord(written) && { nodes: Object.fromEntries(Object.entries(written).filter(([name]) => isKept(name))) }),
    ...(Array.isArray(connections) && {
      connections: connections.filter((edge) => isKept(nameIn(edge, 'source')) && isKept(nameIn(edge, 'destination'))),
    }),
  };
}

/** The node at one end of an edge, such as `scan-1` of `output/scan-1/file`. */
function nameIn(edge: unknown, end: 'source' | 'destination'): string {
  const point = isRecord(edge) ? edge[end] : null;
  const id = isRecord(point) ? point['id'] : null;
  return typeof id === 'string' ? (id.split('/')[1] ?? '') : '';
}
