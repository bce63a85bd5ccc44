/** The kinds of record in a version's data that have known fields. */
export type RecordKind =
  | 'data'
  | 'node'
  | 'meta'
  | 'container'
  | 'script'
  | 'distribution'
  | 'approval'
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
  ...same('labels', ['tags', 'nodeselector', 'selector', 'runson', 'taints', 'tolerations']),
  ...same('fleet', ['queue', 'pool', 'group', 'workergroup', 'taskqueue', 'agentpool', 'cluster']),
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
  ...explain('Remove it. The connections order the nodes: one from "output/<node>" to "input/<node>" passes no data.', [
    'dependson',
    'needs',
    'dependencies',
    'after',
    'requires',
  ]),
  ...same('when', ['if', 'condition', 'runif', 'onlyif']),
  ...explain('Write the opposite condition as `when`.', ['unless', 'skipif']),
  ...same('on_error', ['continueonerror', 'continueonfail', 'allowfailure', 'ignoreerrors', 'ignorefailure']),
  ...same('on_error', ['onfailure', 'onfail']),
  ...same('fail_threshold', ['failurethreshold', 'errorthreshold', 'maxfailures', 'maxfailurepercent']),
  ...same('approval', ['approve', 'manual', 'confirm', 'confirmation', 'gate']),
  ...explain('Remove it, and set `parallelism` when you start a run.', [
    'parallelism',
    'parallel',
    'concurrency',
    'maxparallel',
  ]),
};

const SYNONYMS: Partial<Record<RecordKind, Synonyms>> = {
  data: {
    ...same('nodes', ['steps', 'tasks', 'jobs', 'stages', 'activities', 'states', 'operators']),
    ...same('connections', ['edges', 'links', 'wires', 'arrows', 'transitions', 'dependencies']),
    ...same('primitiveNodes', ['inputs', 'params', 'parameters', 'arguments', 'primitives', 'inputnodes']),
    ...inside('`meta.label` of the nodes that produce them', ['outputs', 'results']),
    ...inside('`environment` in the ' + PROGRAM, ['env', 'envs', 'environment', 'environmentvariables', 'envvars']),
    ...explain('Remove it. A schedule is not part of the workflow data; set it with `PUT /workflows/{id}/schedule`.', [
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
  approval: {
    ...same('message', ['text', 'description', 'prompt', 'question', 'instructions']),
    ...same('role', ['approver', 'approvers', 'roles', 'who', 'reviewers']),
    ...same('expires_after_seconds', ['timeout', 'timeoutseconds', 'expires', 'expiry', 'expiresafter']),
    ...same('on_expiry', ['ontimeout', 'onexpire', 'default', 'defaultaction']),
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

/** Suggests what to write instead of a field that other tools have. */
export function findSynonym(kind: RecordKind, field: string): Suggestion | undefined {
  const plain = field.toLowerCase().replaceAll(/[_-]/g, '');
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
