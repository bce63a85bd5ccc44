import { EgressError } from '@millrace/egress/requests/egress-error';

const FAILURES: [RegExp, string, 'transient' | 'permanent'][] = [
  [
    /out of memory|cannot allocate memory|unable to mmap|mmap failed/i,
    'git needs more memory for the repository than it may use',
    'permanent',
  ],
  [
    /couldn't find remote ref|not our ref|not a tree object|did not match any|unable to read tree|reference is not a tree/,
    'the repository has no such branch, tag or commit',
    'permanent',
  ],
  [
    /Authentication failed|could not read Username|terminal prompts disabled|error: 40[13]/,
    'the server requires other credentials',
    'permanent',
  ],
  [/error: 404|not found/, 'the repository does not exist', 'permanent'],
  [/error: 3\d\d|redirect/, 'the server redirected a request with credentials, which is not followed', 'permanent'],
  [/not valid: is this a git repository|not a git repository/, 'the URL is not that of a git repository', 'permanent'],
  [
    /protocol '?\w+'? not (supported|allowed)|transport '\w+' not allowed|not supported or disabled/,
    'the server redirected to a protocol that is not followed',
    'permanent',
  ],
  [/certificate/, 'the certificate cannot be verified', 'permanent'],
  [/bad object|corrupt|invalid path/, 'the repository is damaged', 'permanent'],
  [/error: (429|5\d\d)/, 'the server is busy', 'transient'],
  [/timed out|too slow|Timeout/, 'the server stopped sending', 'transient'],
  [
    /early EOF|hung up|reset|RPC failed|Failed to connect|unable to access|empty reply|partial file/i,
    'the connection failed',
    'transient',
  ],
];

/**
 * Describes a failure of git for the user who entered the URL. The output of git itself is not shown, because it may
 * contain the URL of the egress proxy.
 */
export function explainGitFailure(stderr: string): EgressError {
  const [, message, kind] = FAILURES.find(([pattern]) => pattern.test(stderr)) ?? [
    null,
    'git could not fetch the repository',
    'permanent',
  ];
  return new EgressError(message, { isTransient: kind === 'transient', cause: new Error('git failed') });
}
