import { OUTPUT_URL } from '../data/find-stored-values.js';
import { checkName } from '../names/check-name.js';
import type { Connection, Level, LevelNode, OutputPort, Primitive } from '../parse/level.js';
import { variableSpace } from '../variables/substitute-variables.js';
import { reserveBindings, type BoundValue, type Expansion, type LevelContext, type NodeResult } from './expansion.js';

/** Finds the values that a connection passes: one, or several from a module's input that several connections feed. */
export function findBoundValues(
  connection: Connection,
  multiOutput: Set<string>,
  level: Level,
  context: LevelContext,
  expansion: Expansion,
): BoundValue[] {
  const { source } = connection;
  if (connection.from === 'primitive') return bindPrimitive(level.primitives.get(source), context, expansion);
  if (!reserveBindings(expansion, 1)) return [];
  const result = context.results.get(source);
  if (result === undefined) return [];
  if (result.kind === 'splitter') {
    return [
      { binding: { from: 'item', scope: result.scope }, directory: source, scope: result.scope, isFolder: false },
    ];
  }
  const step = result.kind === 'step' ? result.step : findOutputStep(result, connection.port);
  return step === null
    ? []
    : [bindStep(step, connection, sourceDirectory(connection, multiOutput, context), context, expansion)];
}

/**
 * A file from a distributed step keeps the step's scope; a folder gathers all children. Inside of a distributed module
 * both stay within the child, so that the module treats each item as it would treat a single input.
 */
function bindStep(
  step: number,
  connection: Connection,
  directory: string,
  context: LevelContext,
  expansion: Expansion,
): BoundValue {
  const scope = expansion.steps[step]?.scope ?? null;
  const isFolder = connection.carries === 'folder';
  const gather = isFolder && scope !== null && scope !== context.moduleScope;
  return {
    binding: { from: 'step', step, port: isFolder ? 'folder' : 'file', gather },
    directory,
    scope: gather ? null : scope,
    isFolder,
  };
}

/** Finds the modules that a node takes several outputs of. */
export function findMultiOutputSources(target: LevelNode): Set<string> {
  const first = new Map<string, string>();
  const multiOutput = new Set<string>();
  for (const { source, port, from } of target.connections) {
    if (from !== 'module') continue;
    if ((first.get(source) ?? port) !== port) multiOutput.add(source);
    first.set(source, port);
  }
  return multiOutput;
}

/** The directory below `in/`: `<source>`, or `<source>/<output>` for a source with several outputs in use. */
function sourceDirectory({ source, port }: Connection, multiOutput: Set<string>, context: LevelContext): string {
  if (!multiOutput.has(source)) return source;
  const result = context.results.get(source);
  const node = result?.kind === 'module' ? result.node.module?.outputs.get(port)?.node : undefined;
  return `${source}/${checkName(port) === null ? port : (node ?? source)}`;
}

/** The values of an input: those that the outer level binds to it, or else its default. */
export function bindPrimitive(
  primitive: Primitive | undefined,
  context: LevelContext,
  expansion: Expansion,
): BoundValue[] {
  if (primitive === undefined) return [];
  const bound = context.boundPrimitives.get(primitive.id);
  if (!reserveBindings(expansion, bound?.length ?? 1)) return [];
  if (bound === undefined) return [bindDefault(primitive, context, expansion)];
  if (bound.length === 1) return bound.map((value) => ({ ...value, directory: primitive.id }));
  return bound.map((value, index) => ({
    ...value,
    directory: `${primitive.id}/${value.directory ?? String(index + 1)}`,
  }));
}

/** A module's input that nothing outside of the module binds keeps its default. A run can still set it by its path. */
function bindDefault(primitive: Primitive, context: LevelContext, expansion: Expansion): BoundValue {
  const id = context.prefix + primitive.id;
  if (!expansion.primitives.has(id)) {
    const label = primitive.isNamed ? context.prefix + primitive.label : '';
    const { type, value } = primitive;
    expansion.primitives.set(id, {
      type,
      label,
      value,
      ...variableSpace([value], context.space),
      ...authorOf(value, context),
    });
  }
  return {
    binding: { from: 'primitive', primitive: id },
    directory: primitive.id,
    scope: null,
    isFolder: primitive.type === 'FOLDER',
  };
}

/** Finds the step that produces a module's output, inside of nested modules too. */
export function findOutputStep(module: Extract<NodeResult, { kind: 'module' }>, port: string): number | null {
  let result: NodeResult | undefined = module;
  let output: OutputPort | undefined = module.node.module?.outputs.get(port);
  while (result?.kind === 'module' && output !== undefined) {
    result = result.results.get(output.node);
    output = result?.kind === 'module' ? result.node.module?.outputs.get(output.innerPort ?? '') : undefined;
  }
  return result?.kind === 'step' ? result.step : null;
}

/**
 * The author of a value in a module, if the value names a run's output. A run reads that output only if the author may.
 */
export const authorOf = (value: unknown, { author }: LevelContext): { author?: string } =>
  author !== null && typeof value === 'string' && value.startsWith(OUTPUT_URL) ? { author } : {};
