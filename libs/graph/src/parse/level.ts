import { type NamedCondition } from '../conditions/named-condition.js';
import { type NodeInput, type WorkflowNode } from '../data/workflow-data.js';
import { type InputType } from '../plan/plan.js';

/** One workflow's data with its names resolved. A module's data is a level inside of another level. */
export interface Level {
  /** Space in which variables in this level's texts are resolved; null is the space of the run. */
  space: string | null;
  /** The user who saved the module's version; null for the workflow of the run. */
  author: string | null;
  /** In topological order. */
  nodes: Map<string, LevelNode>;
  primitives: Map<string, Primitive>;
  /** The workflow's input ports as a module, by label and by primitive id. */
  inputs: Map<string, Primitive[]>;
  /** The workflow's output ports as a module, by label and by node name. */
  outputs: Map<string, OutputPort>;
  /** Number of steps, including those of its modules. */
  stepCount: number;
  /** Number of connections, including those of its modules. */
  connectionCount: number;
}

export interface LevelNode {
  name: string;
  label: string;
  /** Whether the label makes it a named output of the workflow. */
  isNamed: boolean;
  node: WorkflowNode;
  inputs: Map<string, NodeInput>;
  /** Whether `inputs` has entries for single connections, `<name>/<source>`. Most nodes have none. */
  hasConnectionEntries: boolean;
  /** The level that a WORKFLOW node wraps. */
  module: Level | null;
  connections: Connection[];
  /** Nodes that must end first, although no data comes from them: the sources of connections that only order. */
  after: Set<string>;
  /** The condition in `when`; null if there is none, or if it is not valid. */
  condition: NamedCondition | null;
}

export interface Primitive {
  id: string;
  type: InputType;
  label: string;
  value: string | boolean | null;
  /** Whether the label makes it a named input of the workflow. */
  isNamed: boolean;
}

/** A module's output port: one of its nodes, or a port of a module inside of it. */
export interface OutputPort {
  node: string;
  innerPort: string | null;
}

export interface Connection {
  source: string;
  from: 'primitive' | 'step' | 'splitter' | 'module';
  /** Output port, if the source is a module; otherwise empty. */
  port: string;
  carries: 'value' | 'file' | 'folder' | 'item';
  param: string;
}

/** A node's name without its number: `sort` of `sort-3`. */
export const baseName = (name: string): string => name.replace(/-\d+$/, '');

/** Whether a tool or script has a label, which makes it a named output under the rules of `readLevel`. */
export const isLabelled = ({ node }: LevelNode): boolean =>
  (node.meta?.label ?? '') !== '' && (node.type === 'TOOL' || node.type === 'SCRIPT');
