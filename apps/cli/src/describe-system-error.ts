const REASONS: Record<string, string> = {
  ENOENT: 'no such file or folder exists',
  EACCES: 'you do not have the permission',
  EPERM: 'you do not have the permission',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it already exists',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your disk quota is used up',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
};

const ACTIONS: Record<string, string> = {
  open: 'open',
  read: 'read',
  write: 'write',
  mkdir: 'create the folder',
  rename: 'replace',
  scandir: 'list the folder',
  spawn: 'start',
};

export const isSystemError = (error: unknown): error is NodeJS.ErrnoException & { dest?: string } =>
  typeof error === 'object' && error !== null && 'syscall' in error && typeof error.syscall === 'string';

/**
 * Describes an error of the operating system in words. Node's own message has the code, the call and, if it is a rename, two
 * paths:
 * "EACCES: permission denied, rename 'a.b2f1' -> 'a'".
 */
export function describeSystemError(error: NodeJS.ErrnoException & { dest?: string }): string {
  const { code = '', syscall = '', dest, path = dest } = error;
  const reason = REASONS[code] ?? error.message.replace(/^[A-Z0-9]+: ([^,]*).*$/s, '$1');
  const [call = ''] = syscall.split(' ');
  return `Cannot ${ACTIONS[call] ?? 'use'} ${dest ?? path ?? 'a file'}: ${reason}.`;
}
