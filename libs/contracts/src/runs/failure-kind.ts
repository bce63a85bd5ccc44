export const FAILURE_KINDS = [
  'exit_code',
  'signal',
  'timeout',
  'limit',
  'input',
  'output',
  'worker_lost',
  'platform',
  'approval',
  'other',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** End of the message of a subjob whose worker was lost too often. */
export const LOST_TOO_OFTEN = 'times while this step ran';

/** The forms of failure messages. A message of a new form needs a line here. */
const FORMS: readonly (readonly [RegExp, FailureKind])[] = [
  [/^exit code /, 'exit_code'],
  [/^ended by /, 'signal'],
  [/^timed out after /, 'timeout'],
  [/^(?:out of memory: |wrote (?:a file larger|more) than |made more than )/, 'limit'],
  [/^(?:input [^:]+: |a file cannot be an input )/, 'input'],
  [/^(?:out\/ |a path in out\/|the name of a file in out\/|the command replaced its standard output)/, 'output'],
  [new RegExp(`${LOST_TOO_OFTEN}$`), 'worker_lost'],
  [/^(?:the worker could not run |the outputs of the step could not be stored)/, 'platform'],
  [/^(?:the (?:sandbox|container) ended before |the pod of the step did not start |Kubernetes )/, 'platform'],
  [/^(?:image \S+ cannot |image \S+ was pulled, but )/, 'platform'],
  [/^rejected (?:by a user|because nobody decided in time)/, 'approval'],
  [/^(?:The disk of the worker is full|the secret variables of the run are not available)/, 'platform'],
];

/** What kind of failure the message of a failed subjob describes, normalised or not. */
export const failureKindOf = (message: string): FailureKind =>
  FORMS.find(([form]) => form.test(message))?.[1] ?? 'other';
