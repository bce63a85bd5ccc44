import type { Literal } from '@millrace/query/parse/expression';
import { type Expression, type FactName } from '../plan/condition.js';

/** A condition whose names are found in its level. The steps are known only when the level is expanded. */
export interface NamedCondition {
  text: string;
  expression: Expression<NamedSubject>;
  /** Names of the nodes that it refers to. */
  nodes: Set<string>;
  /** Ids of the level's inputs that it refers to. */
  inputs: Set<string>;
  /** Number of tests and values, which limits how large a plan can become. */
  weight: number;
  /** Unquoted values that are compared as texts, and look like references. */
  referenceLikeValues: Literal[];
}

export type NamedSubject =
  | { from: 'input'; id: string; position: number }
  /** `port` is the output of a module, and otherwise empty. */
  | { from: 'node'; node: string; port: string; fact: FactName; position: number };
