import type { BigIntStats } from 'node:fs';

/** What is another one after every change of a file's content, name or mode. A command can set all but the time of change. */
export const getFileStamp = ({ ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string =>
  [ino, size, mode, mtimeNs, ctimeNs].join(' ');
