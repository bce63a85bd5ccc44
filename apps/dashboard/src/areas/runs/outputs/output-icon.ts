import type { Output } from '@millrace/client';
import type { IconName } from '../../../ui/icon.js';

const ICONS: Record<string, IconName> = {
  ...{ json: 'braces', jsonl: 'table', ndjson: 'table', csv: 'table', tsv: 'table' },
  ...{
    png: 'image',
    jpg: 'image',
    jpeg: 'image',
    gif: 'image',
    webp: 'image',
    svg: 'image',
    avif: 'image',
    bmp: 'image',
  },
  ...{ bin: 'file', gz: 'file', zip: 'file', tar: 'file', pdf: 'file', sqlite: 'file' },
};

/** The icon of an output, by the extension of its name. */
export const iconOf = ({ format }: Pick<Output, 'format'>): IconName => {
  const extension = format.toLowerCase();
  return Object.hasOwn(ICONS, extension) ? (ICONS[extension] ?? 'fileText') : 'fileText';
};
