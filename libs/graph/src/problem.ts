export type ProblemCode =
  | 'malformed'
  | 'bad_text'
  | 'bad_name'
  | 'too_many_nodes'
  | 'too_many_edges'
  | 'too_large'
  | 'duplicate_name'
  | 'name_mismatch'
  | 'bad_edge'
  | 'unknown_node'
  | 'unknown_port'
  | 'unknown_param'
  | 'duplicate_edge'
  | 'type_mismatch'
  | 'missing_input'
  | 'unknown_input'
  | 'bad_value'
  | 'tool_without_command'
  | 'script_without_source'
  | 'cycle'
  | 'unknown_module'
  | 'invalid_module'
  | 'module_recursion'
  | 'nesting_too_deep'
  | 'bad_distribution'
  | 'distribution_without_connection'
  | 'distribution_twice'
  | 'unused_primitive'
  | 'unconnected_node'
  | 'unused_splitter'
  | 'unused_input'
  | 'flagless_boolean'
  | 'duplicate_label'
  | 'empty_workflow'
  | 'more_problems';

/** Something wrong with a workflow. `node` may be a path into modules; `path` leads to a field of the data. */
export interface Problem {
  code: ProblemCode;
  message: string;
  node?: string;
  port?: string;
  path?: string;
  hint?: string;
}

const MOST_KEPT = 200;
const MOST_HINTS = 20;

/** Collects problems; keeps the first 200 and counts the rest, so that an answer stays readable and small. */
export class Problems {
  private readonly kept: Problem[] = [];
  private readonly seen = new Set<string>();
  private count = 0;

  /** `hint` is a function because looking for similar names is slow: it is asked for the first few only. */
  add(problem: Problem, hint?: () => string | undefined): void {
    const identity = JSON.stringify([problem.code, problem.node, problem.port, problem.message]);
    if (this.seen.has(identity)) return;
    this.count += 1;
    if (this.count > MOST_KEPT) return;
    this.seen.add(identity);
    const text = this.count <= MOST_HINTS ? hint?.() : undefined;
    this.kept.push(text === undefined ? problem : { ...problem, hint: text });
  }

  get none(): boolean {
    return this.count === 0;
  }

  list(): Problem[] {
    const more = this.count - this.kept.length;
    return more > 0 ? [...this.kept, { code: 'more_problems', message: `and ${more} more` }] : [...this.kept];
  }
}

/** Thrown where a workflow is used that `validateWorkflow` would refuse. */
export class InvalidWorkflowError extends Error {
  constructor(readonly problems: Problem[]) {
    super(`the workflow is not valid: ${problems[0]?.message ?? 'unknown problem'}`);
    this.name = 'InvalidWorkflowError';
  }
}
