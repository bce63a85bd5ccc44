import { fileRef, INLINE_FILES, type FileRef, type FileSet } from '@millrace/contracts/runs/files';
import { type ObjectStore } from '@millrace/storage/object-store';
import { forEachYielding } from './for-each-yielding.js';

/** Paths of inline files may take so many characters together, so that a hundred long ones do not burst a message. */
const INLINE_CHARACTERS = 16_384;

/** The files of a set, in order. */
export async function readFileSet(set: FileSet, store: ObjectStore): Promise<FileRef[]> {
  return 'files' in set ? set.files : readFileLines(await store.readAll(set.manifest));
}

/** A manifest: JSON lines, each a `FileRef`. */
async function readFileLines(content: Buffer): Promise<FileRef[]> {
  const files: FileRef[] = [];
  await forEachYielding(content.toString('utf8').split('\n'), (line) => {
    if (line !== '') files.push(fileRef.parse(JSON.parse(line)));
  });
  return files;
}

export const writeFileLines = (files: readonly FileRef[]): Buffer =>
  Buffer.from(
    files.map(({ path, sha256, size, shown }) => `${JSON.stringify({ path, sha256, size, shown })}\n`).join(''),
  );

/** Puts files into a message, or where they are many into a stored manifest that the message names. */
export async function writeFileSet(files: readonly FileRef[], store: ObjectStore): Promise<FileSet> {
  const characters = files.length > INLINE_FILES ? 0 : files.reduce((sum, file) => sum + file.path.length, 0);
  if (files.length <= INLINE_FILES && characters <= INLINE_CHARACTERS) return { files: [...files] };
  const { sha256 } = await store.put(writeFileLines(files));
  return { manifest: sha256, count: files.length };
}
