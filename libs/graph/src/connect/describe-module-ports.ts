import { analyseWorkflow } from '../check/analyse-workflow.js';
import { type Problem } from '../check/problem.js';
import { type Modules } from '../data/workflow-data.js';
import { type Level, type OutputPort } from '../parse/level.js';
import { compareNames } from '../parse/order-nodes.js';
import { type InputType } from '../plan/plan.js';
import { namedOutputs, openInputs } from './module-ports.js';

/** The input and output ports of a workflow as a module of another workflow. */
export interface ModulePorts {
  inputs: { name: string; type: InputType; value: string | boolean | null }[];
  outputs: { name: string; type: 'FILE' | 'FOLDER' }[];
  /** Errors that prevent it from being a module. The ports describe its valid part. */
  problems: Problem[];
}

/**
 * Describes the ports of a version as a module, sorted by name: labelled primitives, primitives without a value, and labelled
 * nodes. An input whose `value` is null requires a value. Takes any data; see `validateWorkflow` for `modules`.
 */
export function describeModulePorts(data: unknown, modules: Modules): ModulePorts {
  const { errors, expanded } = analyseWorkflow(data, modules, null);
  if (expanded === null) return { inputs: [], outputs: [], problems: errors.list() };
  const { level } = expanded;
  const inputs = [...openInputs(level)].map(([name, { type, value }]) => ({ name, type, value }));
  const outputs = [...new Map(namedOutputs(level).map(({ label, output }) => [label, findOutputType(level, output)]))];
  return {
    inputs: inputs.sort((a, b) => compareNames(a.name, b.name)),
    outputs: outputs.map(([name, type]) => ({ name, type })).sort((a, b) => compareNames(a.name, b.name)),
    problems: errors.list(),
  };
}

/** A tool that declares only a folder produces only that. All others produce a file, and a folder if one is connected. */
function findOutputType(level: Level, { node: name, innerPort }: OutputPort): 'FILE' | 'FOLDER' {
  const node = level.nodes.get(name);
  if (innerPort !== null && node?.module) {
    const port = node.module.outputs.get(innerPort);
    return port === undefined ? 'FILE' : findOutputType(node.module, port);
  }
  const { file, folder } = node?.node.outputs ?? {};
  return folder !== undefined && file === undefined ? 'FOLDER' : 'FILE';
}
