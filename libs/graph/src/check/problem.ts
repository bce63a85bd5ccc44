/** Problems that prevent a workflow from running. */
export const ERROR_CODES = [
  'malformed',
  'bad_text',
  'bad_name',
  'too_many_nodes',
  'too_many_edges',
  'too_large',
  'duplicate_name',
  'bad_edge',
  'unknown_node',
  'unknown_port',
  'unknown_param',
  'duplicate_edge',
  'type_mismatch',
  'missing_input',
  'unknown_input',
  'bad_value',
  'tool_without_command',
  'script_without_source',
  'cycle',
  'unknown_module',
  'invalid_module',
  'module_recursion',
  'nesting_too_deep',
  'unpinned_module',
  'bad_distribution',
  'distribution_without_connection',
  'distribution_twice',
  'bad_fail_threshold',
  'bad_condition',
  'unknown_reference',
  'bad_approval',
  'bad_placement',
  'more_problems',
] as const;

/** Problems with which a workflow runs, but probably not as intended. */
export const WARNING_CODES = [
  'name_mismatch',
  'unknown_input',
  'unused_primitive',
  'unconnected_node',
  'unreachable_node',
  'unused_splitter',
  'unused_input',
  'flagless_boolean',
  'duplicate_label',
  'empty_workflow',
  'unknown_field',
  'unknown_variable',
  'bad_placeholder',
  'misplaced_variable',
  'unknown_library_module',
  'unpinned_module',
  'image_without_tag',
  'unused_field',
  'reference_as_text',
  'more_problems',
] as const;

export type ProblemCode = (typeof ERROR_CODES)[number] | (typeof WARNING_CODES)[number];

/** An error or a warning about a workflow. `message` and `hint` are sentences for its users. */
export interface Problem {
  code: ProblemCode;
  message: string;
  /** A node or an input of the workflow; `<module>/<node>` for a node inside of a module. */
  node?: string;
  /** An input or an output of the node. */
  port?: string;
  /** A field of the data: its keys joined with dots. */
  path?: string;
  /** In the text of a condition: where the problem is, 0-based, in UTF-16 code units. */
  position?: number;
  /** What is accepted at that position, for people to read. */
  expected?: string[];
  /** What to do about it. */
  hint?: string;
  /** The nodes along a cycle, the first repeated at the end; absent if they are too many to list. */
  nodes?: string[];
}

const MAX_LISTED_PROBLEMS = 200;
/** Problems per list for which similar names are searched. */
const MAX_SUGGESTIONS = 20;
/** Size of one list as JSON, so that a response with errors and warnings stays below 1 MiB. */
const MAX_LIST_BYTES = 400 * 1024;
/** The longest valid path has nine names of 255 characters and fits. */
const MAX_FIELD_LENGTH = 2_500;

const encoder = new TextEncoder();

/** Collects problems. Lists the first 200 and counts the rest, so that a response stays readable and small. */
export class Problems {
  private readonly listed: Problem[] = [];
  private readonly seen = new Set<string>();
  private suggestions = 0;
  private bytes = 0;
  private isIncomplete = false;
  private isFull = false;

  /** How many problems were added, including those that are not listed. */
  count = 0;

  /** `suggest` returns a better hint. It searches for similar names, which is slow, so it is called for 20 problems only. */
  add(problem: Problem, suggest?: () => string | undefined): void {
    if (this.isFull) {
      this.count += 1;
      return;
    }
    const short = shorten(problem);
    const identity = JSON.stringify([short.code, short.node, short.port, short.path, short.message]);
    if (this.seen.has(identity)) return;
    this.seen.add(identity);
    this.count += 1;
    const hint = suggest !== undefined && this.suggestions++ < MAX_SUGGESTIONS ? suggest() : undefined;
    const whole = hint === undefined ? short : { ...short, hint: cut(hint) };
    this.bytes += encoder.encode(JSON.stringify(whole)).length;
    this.isFull = this.listed.length === MAX_LISTED_PROBLEMS || this.bytes > MAX_LIST_BYTES;
    if (!this.isFull) this.listed.push(whole);
  }

  /** Whether the list is full, so that the caller stops searching. The count is a lower bound from then on. */
  shouldStop(): boolean {
    this.isIncomplete ||= this.isFull;
    return this.isIncomplete;
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  list(): Problem[] {
    const more = this.count - this.listed.length;
    if (more === 0) return [...this.listed];
    const noun = more === 1 ? 'problem is' : 'problems are';
    const message = `${this.isIncomplete ? 'At least ' : ''}${more} more ${noun} not listed.`;
    return [...this.listed, { code: 'more_problems', message, hint: 'Fix the listed problems first.' }];
  }
}

function shorten(problem: Problem): Problem {
  const short: Problem = { ...problem, message: cut(problem.message) };
  for (const field of ['node', 'port', 'path', 'hint'] as const) {
    const text = problem[field];
    if (text !== undefined) short[field] = cut(text);
  }
  if (problem.expected !== undefined) short.expected = problem.expected.map(cut);
  return short;
}

const cut = (text: string): string =>
  text.length > MAX_FIELD_LENGTH ? `${text.slice(0, MAX_FIELD_LENGTH).toWellFormed()}…` : text;

/** Thrown if a workflow is compiled that `validateWorkflow` would reject. */
export class InvalidWorkflowError extends Error {
  constructor(readonly problems: Problem[]) {
    super(`The workflow is not valid. ${problems[0]?.message ?? ''}`.trimEnd());
    this.name = 'InvalidWorkflowError';
  }
}
