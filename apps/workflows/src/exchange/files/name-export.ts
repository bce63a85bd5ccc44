import type { ExportFormat } from './write-document.js';

const MAX_NAME_LENGTH = 100;
/** Names of devices on Windows, with any extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * Makes a file name that every system accepts from the name of a workflow. Letters, digits, spaces and `._-()` stay.
 */
export function nameExport(workflow: string, format: ExportFormat): string {
  const replaced = workflow
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N} ._()-]+/gu, '-')
    .replaceAll(/\.{2,}/g, '.');
  const short = [...replaced]
    .slice(0, MAX_NAME_LENGTH)
    .join('')
    .replaceAll(/^[. -]+|[. -]+$/g, '');
  const base = short === '' || DEVICE.test(short) ? `workflow${short && `-${short}`}` : short;
  return `${base}.${format}`;
}
