import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface DocsPage {
  /** Path below `docs/`, such as `guides/runs.md`. */
  name: string;
  title: string;
  text: string;
}

/** The pages of the documentation that help users, in the order of their names. */
export type DocsPages = readonly DocsPage[];

/** What contributors need is not for users of the MCP server. */
const FOLDERS = ['.', 'guides', 'reference'];

/** The same path from `src`, where Jest runs, and from `dist`. */
const DOCS = fileURLToPath(new URL('../../../../docs', import.meta.url));

/** Reads the documentation of this installation; no pages if it was installed without. */
export function readDocs(folder = DOCS): DocsPages {
  return FOLDERS.flatMap((part) => listPages(folder, part)).map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text };
  });
}

function listPages(folder: string, part: string): string[] {
  try {
    const files = readdirSync(join(folder, part)).filter((file) => file.endsWith('.md') && file !== 'README.md');
    return files.toSorted().map((file) => (part === '.' ? file : `${part}/${file}`));
  } catch {
    return [];
  }
}
