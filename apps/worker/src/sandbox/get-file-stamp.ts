import type { BigIntStats } from 'node:fs';

/** Differs after every change of a file's content, name or mode. A command can set all parts of it except the time of change. */
export const getFileStamp = ({ ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string =>
  [ino, size, mode, mtimeNs, ctimeNs].join(' ');
