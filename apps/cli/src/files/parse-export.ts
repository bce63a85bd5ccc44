import { parse } from 'yaml';
import type { FileMetadata } from './file-metadata.js';

type Exported = Record<string, unknown> & { name: string; metadata: FileMetadata; data: Record<string, unknown> };

/** Parses a file that the server has just exported. Long ones are JSON, which the YAML parser reads slowly. */
export function parseExport(text: string): Exported {
  try {
    return JSON.parse(text) as Exported;
  } catch {
    return parse(text) as Exported;
  }
}
