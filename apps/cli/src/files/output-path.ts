import type { Output } from '@millrace/sdk/records';
import { CliError } from '../cli-error.js';

/** Where an output is put below the folder of downloads: `<label>/<path>`, a child's `<label>/<index>/<path>`. */
export function outputPath({ label, task_index: index, path }: Pick<Output, 'label' | 'task_index' | 'path'>): string {
  const parts = [...label.split('/'), ...(index === undefined ? [] : [String(index)]), ...path.split('/')];
  // The names come from the server, and from there out of a workflow that others may have written.
  const bad = parts.some((part) => part === '' || part === '.' || part === '..' || /[\0\\]/.test(part));
  if (bad) throw new CliError(`The output "${label}" has a path outside of the folder: ${path}`);
  return parts.join('/');
}
