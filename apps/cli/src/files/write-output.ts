import { print } from '../print-records.js';
import { writeAtomically } from './write-atomically.js';

/** Whether an option names standard output. */
export const isStdout = (file: string): boolean => file === '-';

/** Writes a download to a file, or to standard output if the file is `-`. */
export async function writeOutput(file: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  if (!isStdout(file)) return writeAtomically(file, content);
  for await (const chunk of content) await print(chunk);
}
