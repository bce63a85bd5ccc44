import { type NodeInput, type WorkflowNode } from '../data/workflow-data.js';
import { type InputType } from '../plan/plan.js';

/** One workflow's data, read and its names resolved; a module's data becomes a level inside of another one's. */
export interface Level {
  /** Space in which variables written here are resolved; null is the space of the run. */
  space: string | null;
  /** Who saved the version of a module; null for the workflow of the run. */
  author: string | null;
  /** In topological order. */
  nodes: Map<string, LevelNode>;
  primitives: Map<string, Primitive>;
  /** Ports that the workflow has as a module: by label and by primitive id. */
  inputs: Map<string, Primitive[]>;
  /** Ports that the workflow has as a module: by label, and by node name. */
  outputs: Map<string, OutputPort>;
  /** What it comes to once its modules are put in place. */
  steps: number;
  links: number;
}

export interface LevelNode {
  name: string;
  label: string;
  /** Whether the label makes it a named output of the workflow. */
  named: boolean;
  node: WorkflowNode;
  inputs: Map<string, NodeInput>;
  /** Whether connections have entries of their own among the inputs, `<name>/<source>`: of most nodes none has. */
  ownEntries: boolean;
  /** What a WORKFLOW node wraps. */
  module: Level | null;
  connections: Connection[];
}

export interface Primitive {
  id: string;
  type: InputType;
  label: string;
  value: string | boolean | null;
  /** Whether the label makes it a named input of the workflow. */
  named: boolean;
}

/** A port of a module: a node of it, or a port of a module inside of it. */
export interface OutputPort {
  node: string;
  inner: string | null;
}

export interface Connection {
  source: string;
  from: 'primitive' | 'step' | 'splitter' | 'module';
  /** Which output of a module; empty for all others. */
  port: string;
  carries: 'value' | 'file' | 'folder' | 'item';
  param: string;
}

/** The name of a node as its users think of it: `sort` of `sort-3`. */
export const baseName = (name: string): string => name.replace(/-\d+$/, '');

/** Whether the user wrote a label for a tool or script, which makes it a named output under the rules of `readLevel`. */
export const isLabelled = ({ node, module }: LevelNode): boolean =>
  (node.meta?.label ?? '') !== '' && module === null && node.type !== 'SPLITTER';
