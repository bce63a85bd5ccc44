import { type Condition } from './condition.js';

/** Types of value that a step can have in its working directory or on its command line. */
export type InputType = 'STRING' | 'BOOLEAN' | 'FILE' | 'FOLDER';

export type Language = 'bash' | 'python' | 'node' | 'go';

/**
 * Where an input's value comes from.
 * - `value`: set on a node. With `space`, on a node of a module, whose variables are those of that space.
 * - `primitive`: an input of the workflow, by the id of its primitive node. A run may override it.
 * - `step`: the output of another step: its `out/output.txt` (`file`) or all of `out/` (`folder`). With `gather`, the output
 *   of every child of that step's task group, as `<index>/<path>` in index order.
 * - `item`: this child's item of its scope: a line, a batch of lines, or a file.
 */
export type Binding =
  | { from: 'value'; value: string | boolean; space?: string }
  | { from: 'primitive'; primitive: string }
  | { from: 'step'; step: number; port: 'file' | 'folder'; gather: boolean }
  | { from: 'item'; scope: number };

export interface StepInput {
  /** Parameter name, without the `/<source>` that a connection appends. */
  param: string;
  /**
   * Directory below `in/` for a file or a folder: the name of the node or primitive that it comes from, or
   * `<module>/<output>` for a module with several outputs in use. Null for text and flags that are set on the node.
   */
  source: string | null;
  type: InputType;
  order: number;
  /** Flag. Empty: positional argument. Null: no argument, as for a script's files without a flag. */
  command: string | null;
  binding: Binding;
}

export type Program =
  | {
      kind: 'script';
      language: Language;
      source: string;
      args: string[];
      /** Absent: none. */
      image?: string;
    }
  | {
      kind: 'command';
      image: string | null;
      command: string[];
      args: string[];
      /** Flag before the path of the output; `>` redirects standard output. */
      outputCommand: string | null;
      /** Path of the output below `out/`; empty for `out/` itself, null for the file port `output.txt`. */
      outputParameter: string | null;
    }
  | { kind: 'split' }
  | ApprovalProgram;

/** A step that a person decides on: it occupies no slot, and ends when somebody approves or rejects it, or when it expires. */
export interface ApprovalProgram {
  kind: 'approval';
  /** What the person decides, shown with the request; may be empty. */
  message: string;
  /** The weakest role in the run's space that may decide. */
  role: 'execute' | 'write' | 'owner';
  /** Null: it never expires. */
  expiresAfterSeconds: number | null;
  /** The decision when it expires. */
  onExpiry: 'approve' | 'reject';
}

/**
 * What a failure of a step means. `fail`: the run fails, and nothing that depends on the step runs. `continue`: the failed
 * children are left out; steps that gather get the others. `empty`: a failed child counts as one with an empty output.
 */
export type OnError = 'fail' | 'continue' | 'empty';

/** How many children may fail under `continue` and `empty`; if more do, the step counts as `fail`. */
export type FailThreshold = { count: number } | { percent: number };

/** One node that does work, as the engine and the worker process it. */
export interface Step {
  /** Position in `Plan.steps`, which are in topological order. */
  index: number;
  /** Node name; inside a module the path `<module node>/<node>`. */
  node: string;
  label: string;
  /** `SPLIT` is the hidden split step of a node with a `distribution`; it has that node's name. */
  type: 'TOOL' | 'SCRIPT' | 'SPLITTER' | 'SPLIT' | 'APPROVAL';
  program: Program;
  /** In command-line order: by `order`, then by parameter name. */
  inputs: StepInput[];
  environment: Record<string, string>;
  /** Space of the variables in a module's environment; absent: the space of the run. */
  space?: string;
  segment: number;
  /** Scope whose children each run this step; null: the step runs once. */
  scope: number | null;
  retries: number;
  timeoutSeconds: number | null;
  cache: boolean;
  network: boolean;
  size: 'small' | 'medium' | 'large';
  /** Name of the fleet that runs the step; absent: any. */
  fleet?: string;
  /** Labels that its fleet must have, sorted by name; absent: none. */
  labels?: Record<string, string>;
  /** Absent: `fail`. */
  onError?: Exclude<OnError, 'fail'>;
  /** Absent: any number of children may fail. Present with `onError` only. */
  failThreshold?: FailThreshold;
  /** The step runs only if the condition is true; otherwise it is skipped. It is the first step of its segment. */
  when?: Condition;
}

/** A distribution: one split step, and all steps that run once per item. */
export interface Scope {
  index: number;
  mode: 'line' | 'batch' | 'file';
  /** Requested number of batches; null unless `mode` is `batch`. */
  splits: number | null;
  /** Index of the split step (type SPLITTER or SPLIT). */
  split: number;
}

/** A chain of steps that one worker executes without a round trip to the engine. */
export interface Segment {
  index: number;
  /** Step indexes in order of execution, at least one. */
  steps: number[];
  scope: number | null;
  /**
   * Segments that must end first. `each`: the child of the same index, in the same scope. `all`: all children.
   * A segment in a scope also depends on its scope's split, which is listed here as `all`. `ordersOnly`: no data comes from
   * there, so it does not matter whether a tolerated failure or a condition left the other segment without a result.
   */
  needs: { segment: number; how: 'each' | 'all'; ordersOnly?: true }[];
}

export const PLAN_FORMATS = [1, 2, 3, 4] as const;
export type PlanFormat = (typeof PLAN_FORMATS)[number];

/** A compiled workflow version. Pure data: the same version always compiles to the same bytes. */
export interface Plan {
  /**
   * 2 if a text of a module uses variables, which belong to the module's space. A worker that supports format 1 only would
   * use those of the run's space, and therefore rejects the plan. 3 if a step has `onError`, `when` or a need that only
   * orders, or waits for an approval. 4 if a step has `fleet` or `labels`, which earlier engines and workers ignore.
   */
  format: PlanFormat;
  steps: Step[];
  /** In topological order. */
  segments: Segment[];
  scopes: Scope[];
  /**
   * Inputs of the workflow: primitive nodes by id. Also, by path, inputs of modules with their default (`<module>/<id>`),
   * and files that are set on a node (`<node>/<param>`). A run fetches each of them once.
   */
  primitives: Record<string, PlanPrimitive>;
  /** Named outputs of the workflow. */
  outputs: { label: string; step: number }[];
  /** Greatest number of tasks that can run at once; null if a scope makes it unbounded. */
  widest: number | null;
}

export interface PlanPrimitive {
  type: 'STRING' | 'BOOLEAN' | 'FILE' | 'FOLDER';
  /** Empty if the input is not named. */
  label: string;
  /** Default; null if the run must provide a value. */
  value: string | boolean | null;
  /** Space of the variables in a module's default; absent: the space of the run. */
  space?: string;
  /** The user who saved the module whose default names an output; absent: the user who saved the run's version. */
  author?: string;
}
