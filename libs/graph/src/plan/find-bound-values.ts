import { checkName } from '../names/check-name.js';
import { type Connection, type Level, type LevelNode, type OutputPort, type Primitive } from '../parse/level.js';
import { scopeOf } from '../variables/variable-space.js';
import { authorOf } from './author-of.js';
import { spendBindings, type Bound, type Expansion, type Frame, type Result } from './expansion.js';

/** What a connection brings: one thing, or, from a module's input that several connections feed, each of them. */
export function findBounds(
  connection: Connection,
  crowded: Set<string>,
  level: Level,
  frame: Frame,
  into: Expansion,
): Bound[] {
  const { source } = connection;
  if (connection.from === 'primitive') return primitiveBounds(level.primitives.get(source), frame, into);
  if (!spendBindings(into, 1)) return [];
  const result = frame.results.get(source);
  if (result === undefined) return [];
  if (result.kind === 'splitter') {
    return [{ binding: { from: 'item', scope: result.scope }, directory: source, scope: result.scope, folder: false }];
  }
  const step = result.kind === 'step' ? result.step : outputStep(result, connection.port);
  return step === null ? [] : [stepBound(step, connection, sourceDirectory(connection, crowded, frame), frame, into)];
}

/**
 * A file from a distributed step carries its scope on, a folder gathers it. Inside of a distributed module both stay
 * with the child, so that the module does for each item what it does by itself.
 */
function stepBound(step: number, connection: Connection, directory: string, frame: Frame, into: Expansion): Bound {
  const scope = into.steps[step]?.scope ?? null;
  const folder = connection.carries === 'folder';
  const gather = folder && scope !== null && scope !== frame.forced;
  return {
    binding: { from: 'step', step, port: folder ? 'folder' : 'file', gather },
    directory,
    scope: gather ? null : scope,
    folder,
  };
}

/** Modules of which a node takes several outputs. */
export function crowdedSources(target: LevelNode): Set<string> {
  const first = new Map<string, string>();
  const crowded = new Set<string>();
  for (const { source, port, from } of target.connections) {
    if (from !== 'module') continue;
    if ((first.get(source) ?? port) !== port) crowded.add(source);
    first.set(source, port);
  }
  return crowded;
}

/** `in/<source>`; the outputs of a crowded source get a directory each below that. */
function sourceDirectory({ source, port }: Connection, crowded: Set<string>, frame: Frame): string {
  if (!crowded.has(source)) return source;
  const result = frame.results.get(source);
  const node = result?.kind === 'module' ? result.node.module?.outputs.get(port)?.node : undefined;
  return `${source}/${checkName(port) === null ? port : (node ?? source)}`;
}

function primitiveBounds(primitive: Primitive | undefined, frame: Frame, into: Expansion): Bound[] {
  if (primitive === undefined) return [];
  const given = frame.given.get(primitive.id);
  if (!spendBindings(into, given?.length ?? 1)) return [];
  if (given === undefined) return [ownBound(primitive, frame, into)];
  if (given.length === 1) return given.map((bound) => ({ ...bound, directory: primitive.id }));
  return given.map((bound, index) => ({
    ...bound,
    directory: `${primitive.id}/${bound.directory ?? String(index + 1)}`,
  }));
}

/** An input that nobody outside binds keeps its default, and a run may still set it by its path. */
function ownBound(primitive: Primitive, frame: Frame, into: Expansion): Bound {
  const id = frame.prefix + primitive.id;
  if (!into.primitives.has(id)) {
    const label = primitive.named ? frame.prefix + primitive.label : '';
    const { type, value } = primitive;
    into.primitives.set(id, { type, label, value, ...scopeOf([value], frame.space), ...authorOf(value, frame) });
  }
  return {
    binding: { from: 'primitive', primitive: id },
    directory: primitive.id,
    scope: null,
    folder: primitive.type === 'FOLDER',
  };
}

/** The step behind a module's output, through modules inside of it. */
export function outputStep(module: Extract<Result, { kind: 'module' }>, port: string): number | null {
  let at: Result | undefined = module;
  let output: OutputPort | undefined = module.node.module?.outputs.get(port);
  while (at?.kind === 'module' && output !== undefined) {
    at = at.results.get(output.node);
    output = at?.kind === 'module' ? at.node.module?.outputs.get(output.inner ?? '') : undefined;
  }
  return at?.kind === 'step' ? at.step : null;
}
