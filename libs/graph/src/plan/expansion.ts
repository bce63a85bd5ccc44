import { type Problems } from '../check/problem.js';
import { MAX_CONNECTIONS } from '../data/workflow-data.js';
import { type LevelNode } from '../parse/level.js';
import { type Placement } from './placement.js';
import { type Binding, type FailThreshold, type OnError, type PlanPrimitive, type Scope, type Step } from './plan.js';

/** A step before it is assigned to a segment. */
export type StepDraft = Omit<Step, 'segment'>;

/** The steps of a workflow and its modules while they are being collected. */
export interface Expansion {
  steps: StepDraft[];
  scopes: Scope[];
  primitives: Map<string, PlanPrimitive>;
  /** By step: the steps that must end before it although it takes no data from them. */
  orders: Map<number, Set<number>>;
  /** Number of bindings, orders and tests of conditions so far. The sources of a module's input multiply with the input's consumers. */
  bindingCount: number;
  errors: Problems;
}

/** State of the level that is being expanded. */
export interface LevelContext {
  /** Prefix of the level's node names: empty, or `<module>/`. */
  prefix: string;
  /** Space in which variables in this level's texts are resolved; null is the space of the run. */
  space: string | null;
  /** The user who saved the module's version; null for the workflow of the run. */
  author: string | null;
  /** Scope of the whole level if its module is distributed; otherwise null. */
  moduleScope: number | null;
  /** What a failure means for nodes of this level that do not declare it. */
  failure: FailureRule;
  /** Where the nodes of this level run, unless they say otherwise. */
  placement: Placement;
  /** Values that the outer level binds to the level's primitives, by primitive id. */
  boundPrimitives: Map<string, BoundValue[]>;
  /** Results of the nodes expanded so far, by node name. */
  results: Map<string, NodeResult>;
}

export interface FailureRule {
  onError: OnError;
  failThreshold: FailThreshold | null;
}

/** A value for an input, and its effect on the step that receives it. */
export interface BoundValue {
  binding: Binding;
  /** Directory below `in/` for a file or a folder; null for other values. */
  directory: string | null;
  /** The scope that the receiving step joins; null for none. */
  scope: number | null;
  /** Whether the value is a folder. */
  isFolder: boolean;
}

/** Counts bindings, orders and tests of conditions before they are created. Returns false and adds an error if there are too many. */
export function reserveBindings(expansion: Expansion, count: number): boolean {
  expansion.bindingCount += count;
  if (expansion.bindingCount <= MAX_CONNECTIONS) return true;
  expansion.errors.add({
    code: 'too_large',
    message: `The workflow has more than ${MAX_CONNECTIONS} connections and tests of conditions, including those of its modules.`,
    hint: 'Use fewer modules, connect fewer nodes to their inputs, or write shorter conditions.',
  });
  return false;
}

export type NodeResult =
  | { kind: 'step'; step: number }
  | { kind: 'splitter'; scope: number }
  | {
      kind: 'module';
      results: Map<string, NodeResult>;
      node: LevelNode;
      /** Its steps, from the first up to, but without, the second. */
      from: number;
      to: number;
      /** Its last steps, once they are known. */
      last?: number[];
    };
