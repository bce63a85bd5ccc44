import { type Problems } from '../check/problem.js';
import { MAX_CONNECTIONS } from '../data/workflow-data.js';
import { type LevelNode } from '../parse/level.js';
import { type Binding, type PlanPrimitive, type Scope, type Step } from './plan.js';

/** A step before it knows its segment. */
export type Draft = Omit<Step, 'segment'>;

/** What has been put together so far while a workflow and its modules become steps. */
export interface Expansion {
  steps: Draft[];
  scopes: Scope[];
  primitives: Map<string, PlanPrimitive>;
  /** How many bindings there are; several sources on a module's input multiply with its consumers. */
  bindings: number;
  errors: Problems;
}

/** One level on its way into the plan. */
export interface Frame {
  /** Path in front of the names of this level: empty, or `<module>/`. */
  prefix: string;
  /** Space in which variables written on this level are resolved; null is the space of the run. */
  space: string | null;
  /** Who saved the version of the module that this level is; null for the workflow of the run. */
  author: string | null;
  /** Scope that all of this level belongs to, because the module it comes from is distributed. */
  forced: number | null;
  /** What is bound to the level's primitives from outside, by primitive id. */
  given: Map<string, Bound[]>;
  /** What became of the nodes done so far. */
  results: Map<string, Result>;
}

/** Where a value comes from, and what that means for who receives it. */
export interface Bound {
  binding: Binding;
  /** Directory below `in/` for a file or a folder; null where nothing is put there. */
  directory: string | null;
  /** The scope that the receiver joins by this. */
  scope: number | null;
  /** An item, or a whole file, of which the receiver may make either. */
  folder: boolean;
}

/** Counts bindings before they are made. False, and an error, where they become too many. */
export function spendBindings(into: Expansion, count: number): boolean {
  into.bindings += count;
  if (into.bindings <= MAX_CONNECTIONS) return true;
  into.errors.add({
    code: 'too_large',
    message: `with its modules this comes to more than ${MAX_CONNECTIONS} connections`,
    hint: 'use fewer of its modules, or connect fewer nodes to their inputs',
  });
  return false;
}

export type Result =
  | { kind: 'step'; step: number }
  | { kind: 'splitter'; scope: number }
  | { kind: 'module'; results: Map<string, Result>; node: LevelNode };
