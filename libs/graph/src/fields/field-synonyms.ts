/** Records of a version's data whose fields are known. */
export type RecordKind =
  | 'data'
  | 'node'
  | 'meta'
  | 'container'
  | 'script'
  | 'distribution'
  | 'input'
  | 'output'
  | 'primitive'
  | 'edge';

export interface Suggestion {
  hint: string;
  /** The field to write in its place, if there is one in the same record. */
  field?: string;
}

/** What to write in place of a field that other tools have, by its name in lower case, without `_` and `-`. */
type Synonyms = Record<string, Suggestion>;

const PROGRAM = 'container of a tool, or of the script of a script';

const NODE: Synonyms = {
  ...same('retries', ['retry', 'maxretries', 'maxretry', 'retrycount', 'attempts', 'maxattempts']),
  ...same('timeout_seconds', ['timeout', 'timeoutsecs', 'timeoutsec', 'timelimit', 'maxduration']),
  ...explain('set "timeout_seconds", in seconds', ['timeoutminutes', 'timeoutms']),
  ...same('script_type', ['language', 'lang', 'interpreter', 'scriptlanguage', 'runtime', 'shell']),
  ...same('bee_type', ['size', 'machine', 'machinetype', 'instancetype', 'resources', 'memory', 'cpu']),
  ...same('cache', ['usecache', 'caching', 'cached']),
  ...same('network', ['internet', 'networkaccess', 'allownetwork']),
  ...same('inputs', ['params', 'parameters', 'arguments', 'with']),
  ...same('workflow', ['workflowid', 'workflowversion', 'subworkflow']),
  ...same('distribution', ['distribute', 'foreach', 'matrix', 'splits', 'withitems', 'map']),
  ...inside('"environment" in the ' + PROGRAM, ['env', 'envs', 'environment', 'environmentvariables', 'envvars']),
  ...inside('"args" in the ' + PROGRAM, ['args', 'argv']),
  ...inside('"command" in "container"', ['command', 'cmd', 'entrypoint']),
  ...inside('"image" in the ' + PROGRAM, ['image', 'dockerimage']),
  ...inside('"source" in "script"', ['source', 'code', 'run']),
  ...inside('"label" in "meta"', ['label']),
  ...explain('connections decide what a node waits for', ['dependson', 'needs', 'dependencies', 'after', 'requires']),
  ...explain('a node has no condition: it runs when its inputs are there', ['if', 'when', 'condition']),
  ...explain('set "parallelism" when you start a run', ['parallelism', 'parallel', 'concurrency', 'maxparallel']),
};

/** What to do on a failed node is a field in later versions of the format only. */
const ON_FAILURE = [
  ...['onerror', 'continueonerror', 'continueonfail', 'allowfailure', 'ignoreerrors', 'ignorefailure', 'onfailure'],
  ...['failthreshold', 'failurethreshold', 'errorthreshold', 'maxfailures', 'maxfailurepercent'],
];
const NO_ON_FAILURE =
  'a node has no such field: if it fails, the run fails, and nodes that do not depend on it still run to their end';

const SYNONYMS: Partial<Record<RecordKind, Synonyms>> = {
  data: {
    ...same('nodes', ['steps', 'tasks', 'jobs', 'stages', 'activities', 'states', 'operators']),
    ...same('connections', ['edges', 'links', 'wires', 'arrows', 'transitions', 'dependencies']),
    ...same('primitiveNodes', ['inputs', 'params', 'parameters', 'arguments', 'primitives', 'inputnodes']),
    ...inside('"label" in "meta" of the nodes that make them', ['outputs', 'results']),
    ...inside('"environment" in the ' + PROGRAM, ['env', 'envs', 'environment', 'environmentvariables', 'envvars']),
    ...explain('a workflow has its schedule apart from its data: set it there', ['schedule', 'schedules', 'cron']),
  },
  node: NODE,
  meta: same('label', ['title', 'displayname', 'caption']),
  container: {
    ...same('environment', ['env', 'envs', 'environmentvariables', 'envvars']),
    ...same('command', ['cmd', 'entrypoint', 'run']),
    ...same('args', ['arguments', 'argv']),
    ...same('image', ['dockerimage', 'containerimage']),
  },
  script: {
    ...same('environment', ['env', 'envs', 'environmentvariables', 'envvars']),
    ...same('source', ['code', 'run', 'command', 'content', 'text', 'script', 'body']),
    ...same('args', ['arguments', 'argv']),
    ...inside('"script_type" on the node', ['language', 'lang', 'interpreter', 'scripttype', 'type', 'shell']),
  },
  distribution: {
    ...same('mode', ['by', 'type', 'kind']),
    ...same('splits', ['batches', 'parts', 'count', 'groups', 'chunks']),
    ...same('input', ['port', 'over', 'param', 'parameter', 'items']),
  },
  input: {
    ...same('value', ['default', 'defaultvalue', 'val']),
    ...same('command', ['flag', 'option', 'parametername']),
    ...same('multi', ['multiple']),
    hidden: { hint: 'set "visible" to false' },
    ...explain('an input must have a value or a connection unless "visible" is false', ['required', 'optional']),
  },
  primitive: {
    ...same('value', ['default', 'defaultvalue', 'val']),
    ...same('label', ['title', 'displayname']),
  },
};

/**
 * What to write in place of a field that other tools have.
 * @param own the fields that such a record has
 */
export function instead(kind: RecordKind, field: string, own: readonly string[]): Suggestion | undefined {
  const plain = field.toLowerCase().replaceAll(/[_-]/g, '');
  if (kind === 'node' && ON_FAILURE.includes(plain)) {
    return { hint: own.includes('on_error') ? 'did you mean "on_error"?' : NO_ON_FAILURE };
  }
  const known = SYNONYMS[kind];
  return known !== undefined && Object.hasOwn(known, plain) ? known[plain] : undefined;
}

function same(field: string, names: string[]): Synonyms {
  const suggestion = { hint: `did you mean "${field}"?`, field };
  return Object.fromEntries(names.map((name) => [name, suggestion]));
}

function inside(place: string, names: string[]): Synonyms {
  return explain(`write it as ${place}`, names);
}

function explain(hint: string, names: string[]): Synonyms {
  return Object.fromEntries(names.map((name) => [name, { hint }]));
}
