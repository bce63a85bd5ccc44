/** What makes a workflow one that cannot run. */
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
  'more_problems',
] as const;

/** What runs, but hardly as it is meant. */
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
  'more_problems',
] as const;

export type ProblemCode = (typeof ERROR_CODES)[number] | (typeof WARNING_CODES)[number];

/** Something wrong with a workflow. */
export interface Problem {
  code: ProblemCode;
  message: string;
  /** A node or an input of the workflow; a path into modules where it lies inside of one, `<module>/<node>`. */
  node?: string;
  /** An input or an output of the node. */
  port?: string;
  /** A field of the data, its keys with dots between. */
  path?: string;
  hint?: string;
  /** Of a cycle: the nodes along it, the first repeated at the end; absent where they are too many to list. */
  nodes?: string[];
}

const MAX_KEPT = 200;
const MAX_HINTS = 20;
/** Of one list as JSON: with errors and warnings an answer stays below 1 MiB. */
const MAX_BYTES = 400 * 1024;
/** A path of nine names of 255 characters, the longest that can be valid, fits. */
const MAX_FIELD_LENGTH = 2_500;

const encoder = new TextEncoder();

/** Collects problems; keeps the first 200 and counts the rest, so that an answer stays readable and small. */
export class Problems {
  private readonly kept: Problem[] = [];
  private readonly seen = new Set<string>();
  private asked = 0;
  private bytes = 0;
  private stopped = false;
  private full = false;

  /** How many there are, those not kept included. */
  count = 0;

  /** `hint` is a function because looking for similar names is slow: it is asked for the first few only. */
  add(problem: Problem, hint?: () => string | undefined): void {
    if (this.full) {
      this.count += 1;
      return;
    }
    const short = shorten(problem);
    const identity = JSON.stringify([short.code, short.node, short.port, short.path, short.message]);
    if (this.seen.has(identity)) return;
    this.seen.add(identity);
    this.count += 1;
    const found = hint !== undefined && this.asked++ < MAX_HINTS ? hint() : undefined;
    const whole = found === undefined ? short : { ...short, hint: cut(found) };
    this.bytes += encoder.encode(JSON.stringify(whole)).length;
    this.full = this.kept.length === MAX_KEPT || this.bytes > MAX_BYTES;
    if (!this.full) this.kept.push(whole);
  }

  /** Says that whoever looks for problems gave up before the end; true where there is no use in looking on. */
  stopWhenFull(): boolean {
    this.stopped ||= this.full;
    return this.stopped;
  }

  get none(): boolean {
    return this.count === 0;
  }

  list(): Problem[] {
    const more = this.count - this.kept.length;
    const message = this.stopped ? `and ${more} more at least` : `and ${more} more`;
    return more > 0 ? [...this.kept, { code: 'more_problems', message }] : [...this.kept];
  }
}

function shorten(problem: Problem): Problem {
  const short: Problem = { ...problem, message: cut(problem.message) };
  for (const field of ['node', 'port', 'path', 'hint'] as const) {
    const text = problem[field];
    if (text !== undefined) short[field] = cut(text);
  }
  return short;
}

const cut = (text: string): string =>
  text.length > MAX_FIELD_LENGTH ? `${text.slice(0, MAX_FIELD_LENGTH).toWellFormed()}…` : text;

/** Thrown where a workflow is used that `validateWorkflow` would refuse. */
export class InvalidWorkflowError extends Error {
  constructor(readonly problems: Problem[]) {
    super(`the workflow is not valid: ${problems[0]?.message ?? 'unknown problem'}`);
    this.name = 'InvalidWorkflowError';
  }
}
