import { z } from 'zod';

/** Nodes and connections in one version. */
export const MAX_NODES = 5_000;
export const MAX_EDGES = 20_000;
/** Steps and connections of a version, including those of its modules. */
export const MAX_STEPS = 20_000;
export const MAX_CONNECTIONS = 100_000;
/** Levels of modules inside of modules. */
export const MAX_NESTING = 8;

const dataType = z.enum(['STRING', 'BOOLEAN', 'FILE', 'FOLDER']);
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const record = <T extends z.ZodType>(value: T) => z.record(z.string(), value).nullish();
/** Entries of a record inside of a node, such as its inputs: one per connection, and the declared ones. */
export const MAX_ENTRIES = MAX_EDGES + 5_000;
/** More than a command line can have. The schema checks the length before the words. */
const MAX_WORDS = 10_000;
const words = <T extends z.ZodType>(word: T) => z.array(z.unknown()).max(MAX_WORDS).pipe(z.array(word));
const environment = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).nullish();
const args = words(z.union([z.string(), z.number(), z.boolean()])).nullish();

export const nodeInput = z.looseObject({
  type: dataType,
  order: z.number().nullish(),
  value: scalar.optional(),
  /** Command-line flag; empty for a positional argument. */
  command: z.string().nullish(),
  /** Whether the input accepts any number of connections, including none. */
  multi: z.boolean().nullish(),
  /** False if the node does not use this input, which may have no value then. */
  visible: z.boolean().nullish(),
  description: z.string().nullish(),
});

export const nodeOutput = z.looseObject({
  type: z.string().nullish(),
  order: z.number().nullish(),
  /** The input, or the flag, that names the tool's output file; `output_command` takes precedence. */
  parameter_name: z.string().nullish(),
});

export const distribution = z.looseObject({
  input: z.string(),
  mode: z.enum(['line', 'batch', 'file']),
  splits: z.int().min(1).max(1_000_000).nullish(),
});

/** One year, after which nobody expects a decision. */
const MAX_EXPIRY_SECONDS = 31_536_000;

export const approval = z.looseObject({
  message: z.string().max(2_000).nullish(),
  role: z.enum(['execute', 'write', 'owner']).nullish(),
  expires_after_seconds: z.int().min(1).max(MAX_EXPIRY_SECONDS).nullish(),
  on_expiry: z.enum(['approve', 'reject']).nullish(),
});

export const workflowNode = z.looseObject({
  id: z.string().nullish(),
  /** The library module that the node was created from, and its version; a run ignores both. */
  uses: z.unknown().optional(),
  module_version: z.unknown().optional(),
  name: z.string().nullish(),
  type: z.enum(['TOOL', 'SCRIPT', 'SPLITTER', 'WORKFLOW', 'APPROVAL']),
  meta: z.looseObject({ label: z.string().nullish() }).nullish(),
  inputs: record(nodeInput),
  outputs: record(nodeOutput),
  bee_type: z.enum(['small', 'medium', 'large']).nullish(),
  /** Name of the fleet that runs the node. */
  fleet: z.string().nullish(),
  /** Labels that the workers of the node must have. */
  labels: record(z.string()),
  container: z
    .looseObject({
      image: z.string().nullish(),
      command: z.union([z.string(), words(z.string())]).nullish(),
      args,
      environment,
    })
    .nullish(),
  script: z.looseObject({ source: z.string().nullish(), image: z.string().nullish(), args, environment }).nullish(),
  script_type: z.enum(['bash', 'python', 'node', 'go']).nullish(),
  output_command: z.string().nullish(),
  /** Key of the wrapped workflow in `Modules`, on a WORKFLOW node. */
  workflow: z.string().nullish(),
  distribution: distribution.nullish(),
  retries: z.int().min(0).max(100).nullish(),
  /** Two weeks at most, because timers count milliseconds in 31 bits. */
  timeout_seconds: z.int().min(1).max(1_209_600).nullish(),
  cache: z.boolean().nullish(),
  network: z.boolean().nullish(),
  /** Absent: `fail`; inside of a module, that of the module's node. */
  on_error: z.enum(['fail', 'continue', 'empty']).nullish(),
  /** A number of children, or a percentage such as `10%`. */
  fail_threshold: z.union([z.number(), z.string()]).nullish(),
  /** A condition, as `readCondition` parses it. */
  when: z.string().nullish(),
  approval: approval.nullish(),
});

export const primitiveNode = z.looseObject({
  id: z.string().nullish(),
  name: z.string().nullish(),
  type: dataType,
  label: z.string().nullish(),
  value: scalar.optional(),
});

const endpoint = z.looseObject({ id: z.string().min(1) });

export const connection = z.looseObject({ source: endpoint, destination: endpoint });

/** Everything except the nodes and connections, which `parseWorkflow` reads individually. */
export const workflowShape = z.looseObject({
  nodes: record(z.unknown()),
  connections: z.array(z.unknown()).nullish(),
  primitiveNodes: record(primitiveNode),
  outputNodes: record(z.unknown()),
  annotations: record(z.unknown()),
  config: record(z.unknown()),
});

/**
 * The data of a workflow version as its users write it (docs/reference/workflow-data.md). Unknown keys are
 * accepted everywhere, so that a version is returned as it was saved.
 */
export interface WorkflowData {
  nodes?: Record<string, WorkflowNode> | null | undefined;
  connections?: Edge[] | null | undefined;
  primitiveNodes?: Record<string, PrimitiveNode> | null | undefined;
  [unknown: string]: unknown;
}
/** A connection as written. Validation ignores all its other fields. */
export interface Edge {
  source: { id: string };
  destination: { id: string };
}
export type WorkflowNode = z.infer<typeof workflowNode>;
export type NodeInput = z.infer<typeof nodeInput>;
export type PrimitiveNode = z.infer<typeof primitiveNode>;

/** A workflow version that a WORKFLOW node wraps. */
export interface ModuleVersion {
  /** The workflow that it is a version of. */
  workflow_id: string;
  data: unknown;
  /** Space of that workflow. The module's variables are resolved in it; absent: in the space of the run. */
  space?: string;
  /** Id of the version. */
  version?: string;
  /** The user who saved the version. */
  author?: string;
}

/**
 * The versions that WORKFLOW nodes wrap, by the string in their `workflow` field. The caller includes the modules of
 * modules, too (see `listModules`).
 */
export type Modules = Record<string, ModuleVersion>;
