import { type FileRef, type FileSet, INLINE_FILES, fileRef } from '@millrace/contracts/runs/files';
import { forEachYielding } from '@millrace/service/loops/time-slice';
import { linesOf } from '@millrace/service/text/lines-of';
import type { ObjectStore } from '@millrace/storage/object-store';

/** Maximum length of all paths of inline files, so that a hundred long ones do not exceed the size of a message. */
const MAX_INLINE_CHARACTERS = 16_384;
const LINES_PER_PIECE = 1_000;

/** The files of a set, in order. */
export async function readFileSet(set: FileSet, store: ObjectStore): Promise<FileRef[]> {
  return 'files' in set ? set.files : readFileLines(await store.readAll(set.manifest));
}

/** A manifest: JSON lines, each a `FileRef`. */
async function readFileLines(content: Buffer): Promise<FileRef[]> {
  const files: FileRef[] = [];
  await forEachYielding(linesOf(content), (line) => files.push(fileRef.parse(JSON.parse(line))));
  return files;
}

/** Files as JSON lines, in pieces of a few hundred kilobytes. */
export async function encodeFileLines(files: readonly FileRef[]): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let lines: string[] = [];
  await forEachYielding(files, ({ path, sha256, size, shown }) => {
    lines.push(`${JSON.stringify({ path, sha256, size, shown })}\n`);
    if (lines.length < LINES_PER_PIECE) return;
    pieces.push(Buffer.from(lines.join('')));
    lines = [];
  });
  return [...pieces, Buffer.from(lines.join(''))];
}

/** A set for a message: a few files are part of it; many are in a stored manifest that it names. */
export async function writeFileSet(files: readonly FileRef[], store: ObjectStore): Promise<FileSet> {
  const characters = files.length > INLINE_FILES ? 0 : files.reduce((sum, file) => sum + file.path.length, 0);
  if (files.length <= INLINE_FILES && characters <= MAX_INLINE_CHARACTERS) return { files: [...files] };
  const { sha256 } = await store.put(Buffer.concat(await encodeFileLines(files)));
  return { manifest: sha256, count: files.length };
}
