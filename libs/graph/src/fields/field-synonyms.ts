/** The kinds of record in a version's data that have known fields. */
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
  /** The field of the same record to use instead, if there is one. */
  field?: string;
}

/** Suggestions for fields of other tools, by the field's name in lower case without `_` and `-`. */
type Synonyms = Record<string, Suggestion>;

const PROGRAM = '`container` of a tool or the `script` of a script';

const NODE: Synonyms = {
  ...same('retries', ['retry', 'maxretries', 'maxretry', 'retrycount', 'attempts', 'maxattempts']),
  ...same('timeout_seconds', ['timeout', 'timeoutsecs', 'timeoutsec', 'timelimit', 'maxduration']),
  ...explain('Set `timeout_seconds`, in seconds.', ['timeoutminutes', 'timeoutms']),
  ...same('script_type', ['language', 'lang', 'interpreter', 'scriptlanguage', 'runtime', 'shell']),
  ...same('bee_type', ['size', 'machine', 'machinetype', 'instancetype', 'resources', 'memory', 'cpu']),
  ...same('cache', ['usecache', 'caching', 'cached']),
  ...same('network', ['internet', 'networkaccess', 'allownetwork']),
  ...same('inputs', ['params', 'parameters', 'arguments', 'with']),
  ...same('workflow', ['workflowid', 'workflowversion', 'subworkflow']),
  ...same('distribution', ['distribute', 'foreach', 'matrix', 'splits', 'withitems', 'map']),
  ...inside('`environment` in the ' + PROGRAM, ['env', 'envs', 'environment', 'environmentvariables', 'envvars']),
  ...inside('`args` in the ' + PROGRAM, ['args', 'argv']),
  ...inside('`container.command`', ['command', 'cmd', 'entrypoint']),
  ...inside('`image` in the ' + PROGRAM, ['image', 'dockerimage']),
  ...inside('`script.source`', ['source', 'code', 'run']),
  ...inside('`meta.label`', ['label']),
  ...explain('Remove it. The connections decide which nodes a node waits for.', [
    'dependson',
    'needs',
    'dependencies',
    'after',
    'requires',
  ]),
  ...explain('Remove it. A node has no condition: it runs as soon as its inputs are available.', [
    'if',
    'when',
    'condition',
  ]),
  ...explain('Remove it, and set `parallelism` when you start a run.', [
    'parallelism',
    'parallel',
    'concurrency',
    'maxparallel',
  ]),
};

/** Fields of other tools for the handling of failures. This format has no such field. */
const ON_FAILURE = [
  ...['onerror', 'continueonerror', 'continueonfail', 'allowfailure', 'ignoreerrors', 'ignorefailure', 'onfailure'],
  ...['failthreshold', 'failurethreshold', 'errorthreshold', 'maxfailures', 'maxfailurepercent'],
];
const NO_ON_FAILURE =
  'Remove it. If a node fails, the run fails; nodes that do not depend on the failed one still finish.';

const SYNONYMS: Partial<Record<RecordKind, Synonyms>> = {
  data: {
    ...same('nodes', ['steps', 'tasks', 'jobs', 'stages', 'activities', 'states', 'operators']),
    ...same('connections', ['edges', 'links', 'wires', 'arrows', 'transitions', 'dependencies']),
    ...same('primitiveNodes', ['inputs', 'params', 'parameters', 'arguments', 'primitives', 'inputnodes']),
    ...inside('`meta.label` of the nodes that produce them', ['outputs', 'results']),
    ...inside('`environment` in the ' + PROGRAM, ['env', 'envs', 'environment', 'environmentvariables', 'envvars']),
    ...explain('Remove it. A schedule is not part of the workflow data; set it with PUT /workflows/{id}/schedule.', [
      'schedule',
      'schedules',
      'cron',
    ]),
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
    ...inside('`script_type` on the node', ['language', 'lang', 'interpreter', 'scripttype', 'type', 'shell']),
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
    hidden: { hint: 'Set `visible` to false.' },
    ...explain('Remove it. An input needs a value or a connection unless `visible` is false.', [
      'required',
      'optional',
    ]),
  },
  primitive: {
    ...same('value', ['default', 'defaultvalue', 'val']),
    ...same('label', ['title', 'displayname']),
  },
};

/**
 * Suggests what to write instead of a field that other tools have.
 * @param own the fields of such a record
 */
export function findSynonym(kind: RecordKind, field: string, own: readonly string[]): Suggestion | undefined {
  const plain = field.toLowerCase().replaceAll(/[_-]/g, '');
  if (kind === 'node' && ON_FAILURE.includes(plain)) {
    return { hint: own.includes('on_error') ? 'Did you mean "on_error"?' : NO_ON_FAILURE };
  }
  const synonyms = SYNONYMS[kind];
  return synonyms !== undefined && Object.hasOwn(synonyms, plain) ? synonyms[plain] : undefined;
}

function same(field: string, names: string[]): Synonyms {
  const suggestion = { hint: `Did you mean "${field}"?`, field };
  return Object.fromEntries(names.map((name) => [name, suggestion]));
}

function inside(place: string, names: string[]): Synonyms {
  return explain(`Write it as ${place}.`, names);
}

function explain(hint: string, names: string[]): Synonyms {
  return Object.fromEntries(names.map((name) => [name, { hint }]));
}
