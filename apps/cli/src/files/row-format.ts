import { CliError } from '../cli-error.js';

export interface RowFormat {
  format: 'csv' | 'ndjson' | 'json';
  encoding?: 'gzip' | 'zstd';
}

const FORMATS: Record<string, RowFormat['format']> = { csv: 'csv', ndjson: 'ndjson', jsonl: 'ndjson', json: 'json' };
const ENCODINGS: Record<string, NonNullable<RowFormat['encoding']>> = { gz: 'gzip', zst: 'zstd' };

/**
 * Chooses the format of a file with rows by its name: `hosts.csv`, `hosts.jsonl.gz`.
 * @param format replaces the extension
 * @throws CliError if the format is not known
 */
export function chooseRowFormat(path: string, format?: RowFormat['format']): RowFormat {
  const [, name = path, compression = ''] = /^(.*?)\.?(gz|zst)?$/i.exec(path) ?? [];
  const encoding = ENCODINGS[compression.toLowerCase()];
  const chosen = format ?? FORMATS[/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''];
  if (chosen === undefined)
    throw new CliError(`The format of ${path} is not known by its name. Use --format csv, ndjson or json.`);
  return { format: chosen, ...(encoding && { encoding }) };
}
