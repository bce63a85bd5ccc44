import { EgressError } from '@millrace/egress/requests/egress-error';

const KNOWN: [RegExp, string, 'transient' | 'lasting'][] = [
  [
    /out of memory|cannot allocate memory|unable to mmap|mmap failed/i,
    'git needs more memory for the repository than it may use',
    'lasting',
  ],
  [
    /couldn't find remote ref|not our ref|not a tree object|did not match any|unable to read tree|reference is not a tree/,
    'the repository has no such branch, tag or commit',
    'lasting',
  ],
  [
    /Authentication failed|could not read Username|terminal prompts disabled|error: 40[13]/,
    'the server requires other credentials',
    'lasting',
  ],
  [/error: 404|not found/, 'the repository does not exist', 'lasting'],
  [/error: 3\d\d|redirect/, 'the server redirected a request with credentials, which is not followed', 'lasting'],
  [/not valid: is this a git repository|not a git repository/, 'the URL is not that of a git repository', 'lasting'],
  [
    /protocol '?\w+'? not (supported|allowed)|transport '\w+' not allowed|not supported or disabled/,
    'the server redirected to a protocol that is not followed',
    'lasting',
  ],
  [/certificate/, 'the certificate cannot be verified', 'lasting'],
  [/bad object|corrupt|invalid path/, 'the repository is damaged', 'lasting'],
  [/error: (429|5\d\d)/, 'the server is busy', 'transient'],
  [/timed out|too slow|Timeout/, 'the server stopped sending', 'transient'],
  [
    /early EOF|hung up|reset|RPC failed|Failed to connect|unable to access|empty reply|partial file/i,
    'the connection failed',
    'transient',
  ],
];

/**
 * Describes a failure of git for the user who entered the URL. The output of git is not passed on, because it may
 * contain the URL of our proxy.
 */
export function explainGitFailure(stderr: string): EgressError {
  const [, message, kind] = KNOWN.find(([pattern]) => pattern.test(stderr)) ?? [
    null,
    'git could not fetch the repository',
    'lasting',
  ];
  return new EgressError(message, { isTransient: kind === 'transient', cause: new Error('git failed') });
}
