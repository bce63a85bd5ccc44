import { analyseWorkflow } from '../check/analyse-workflow.js';
import { type Problem } from '../check/problem.js';
import { type Modules } from '../data/workflow-data.js';
import { type Level, type OutputPort } from '../parse/level.js';
import { compareNames } from '../parse/order-nodes.js';
import { type InputType } from '../plan/plan.js';
import { namedOutputs, openInputs } from './module-ports.js';

/** What a workflow takes and gives where it stands in another one as a module. */
export interface ModulePorts {
  inputs: { name: string; type: InputType; value: string | boolean | null }[];
  outputs: { name: string; type: 'FILE' | 'FOLDER' }[];
  /** Why it cannot stand there; its ports are those of what could be read. */
  problems: Problem[];
}

/**
 * Says which ports a version has as a module: its labelled primitives and those without a value, and its labelled nodes,
 * by name. An input whose `value` is null must be given one. Takes anything; see `validateWorkflow` for `modules`.
 */
export function describeModulePorts(data: unknown, modules: Modules): ModulePorts {
  const { errors, whole } = analyseWorkflow(data, modules, null);
  if (whole === null) return { inputs: [], outputs: [], problems: errors.list() };
  const { level } = whole;
  const inputs = [...openInputs(level)].map(([name, { type, value }]) => ({ name, type, value }));
  const outputs = [...new Map(namedOutputs(level).map(({ label, output }) => [label, typeOf(level, output)]))];
  return {
    inputs: inputs.sort((a, b) => compareNames(a.name, b.name)),
    outputs: outputs.map(([name, type]) => ({ name, type })).sort((a, b) => compareNames(a.name, b.name)),
    problems: errors.list(),
  };
}

/** A tool that declares a folder alone gives nothing else; all others give files, and folders where they are asked. */
function typeOf(level: Level, { node: name, inner }: OutputPort): 'FILE' | 'FOLDER' {
  const node = level.nodes.get(name);
  if (inner !== null && node?.module) {
    const port = node.module.outputs.get(inner);
    return port === undefined ? 'FILE' : typeOf(node.module, port);
  }
  const { file, folder } = node?.node.outputs ?? {};
  return folder !== undefined && file === undefined ? 'FOLDER' : 'FILE';
}
