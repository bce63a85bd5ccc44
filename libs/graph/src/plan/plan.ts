/** What a step may put into its working directory or on its command line. */
export type InputType = 'STRING' | 'BOOLEAN' | 'FILE' | 'FOLDER';

export type Language = 'bash' | 'python' | 'node' | 'go';

/**
 * Where an input's value comes from.
 * - `value`: written on a node. With `space`, on a node of a module: its variables are those of that space.
 * - `primitive`: an input of the workflow, by the id of its primitive node; a run may override it.
 * - `step`: what another step left in `out/`: its `out/output.txt` (`file`) or all of it (`folder`). With `gather`,
 *   every child of that step's task group, as `<index>/<path>` in index order.
 * - `item`: this child's share of what its scope splits: a line, a batch of lines, or a file.
 */
export type Binding =
  | { from: 'value'; value: string | boolean; space?: string }
  | { from: 'primitive'; primitive: string }
  | { from: 'step'; step: number; port: 'file' | 'folder'; gather: boolean }
  | { from: 'item'; scope: number };

export interface StepInput {
  /** Parameter name, without the source that a connection adds to it. */
  param: string;
  /**
   * Directory below `in/` that a file or folder is put into: the name of the node or primitive it comes from, for a
   * module with several outputs in use `<module>/<output>`. Null for text and flags written on the node itself.
   */
  source: string | null;
  type: InputType;
  order: number;
  /** Flag; positional when empty; no argument at all when null, as are a script's files without a flag. */
  command: string | null;
  binding: Binding;
}

export type Program =
  | { kind: 'script'; language: Language; source: string; args: string[] }
  | {
      kind: 'command';
      image: string | null;
      command: string[];
      args: string[];
      /** Flag that tells where to write; `>` is standard output. */
      outputCommand: string | null;
      /** Where to write, below `out/`; empty for `out/` itself, null for the file port `output.txt`. */
      outputParameter: string | null;
    }
  | { kind: 'split' };

/** One node that does work, as the engine and the worker see it. */
export interface Step {
  /** Position in `Plan.steps`, which are in topological order. */
  index: number;
  /** Node name; inside a module the path `<module node>/<node>`. */
  node: string;
  label: string;
  /** `SPLIT` is the hidden splitting of a node that declares `distribution`; it shares that node's name. */
  type: 'TOOL' | 'SCRIPT' | 'SPLITTER' | 'SPLIT';
  program: Program;
  /** In command line order: by `order`, ties by parameter name. */
  inputs: StepInput[];
  environment: Record<string, string>;
  /** Space whose variables the environment takes, in a module; absent: the space of the run. */
  space?: string;
  segment: number;
  /** The task group's scope whose children each run this step; null runs once. */
  scope: number | null;
  retries: number;
  timeoutSeconds: number | null;
  cache: boolean;
  network: boolean;
  size: 'small' | 'medium' | 'large';
}

/** A distribution: one splitting step, and all steps that run once for each of its items. */
export interface Scope {
  index: number;
  mode: 'line' | 'batch' | 'file';
  /** Wanted number of batches; null unless `mode` is `batch`. */
  splits: number | null;
  /** The step that does the splitting (type SPLITTER or SPLIT). */
  split: number;
}

/** Steps that one worker runs one after the other without coming back to the engine in between. */
export interface Segment {
  index: number;
  /** Step indexes in order of execution; at least one. */
  steps: number[];
  scope: number | null;
  /**
   * Segments that must end first. `each`: the same child of a segment of the same scope. `all`: all of it.
   * A segment in a scope also waits for its scope's split, which is listed here as `all`.
   */
  needs: { segment: number; how: 'each' | 'all' }[];
}

export const PLAN_FORMATS = [1, 2] as const;
export type PlanFormat = (typeof PLAN_FORMATS)[number];

/** A workflow version, compiled. Pure data: the same version gives the same plan, to the byte. */
export interface Plan {
  /**
   * 2 where a text of a module takes variables, which are those of the module's space. A worker that knows only format 1
   * would take those of the run's space, and refuses the plan instead.
   */
  format: PlanFormat;
  steps: Step[];
  /** In topological order. */
  segments: Segment[];
  scopes: Scope[];
  /**
   * Inputs of the workflow: primitive nodes by id. Also, by path, inputs of modules that are left at their default
   * (`<module>/<id>`), and files that are named on a node (`<node>/<param>`): all are brought in once for the run.
   */
  primitives: Record<string, PlanPrimitive>;
  /** Named outputs: nodes whose label differs from their name without `-n`. */
  outputs: { label: string; step: number }[];
  /** No more tasks than that can run at once; null with a scope, which has no bound. */
  widest: number | null;
}

export interface PlanPrimitive {
  type: 'STRING' | 'BOOLEAN' | 'FILE' | 'FOLDER';
  /** Empty where the input is not named. */
  label: string;
  /** Default; null where the run must give one. */
  value: string | boolean | null;
  /** Space whose variables the default takes, in a module; absent: the space of the run. */
  space?: string;
  /** Who saved the module whose default names an output; absent: who saved the version of the run. */
  author?: string;
}
