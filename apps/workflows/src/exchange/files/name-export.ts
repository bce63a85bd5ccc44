import type { ExportFormat } from './write-document.js';

const MAX_NAME_LENGTH = 100;
/** Names that mean devices on Windows, with any ending (Microsoft, "Naming Files, Paths, and Namespaces"). */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** A file name that every system takes, from the name of a workflow: letters, digits, spaces and `._-()` are kept. */
export function nameExport(workflow: string, format: ExportFormat): string {
  const kept = workflow
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N} ._()-]+/gu, '-')
    .replaceAll(/\.{2,}/g, '.');
  const short = [...kept]
    .slice(0, MAX_NAME_LENGTH)
    .join('')
    .replaceAll(/^[. -]+|[. -]+$/g, '');
  const base = short === '' || DEVICE.test(short) ? `workflow${short && `-${short}`}` : short;
  return `${base}.${format}`;
}
