import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './repository.js';

/** A fenced block of a page: commands, or the output of the commands before it. */
export interface Block {
  /** Such as `sh`, `json` or `text`. */
  language: string;
  /** Why the block is not executed: the text after `not-here:` in the line that opens it. */
  notHere: string | undefined;
  text: string;
  line: number;
}

/** The fenced blocks of a Markdown page, in order (CommonMark, section 4.5). */
export function readPage(page: string): Block[] {
  const source = readFileSync(join(REPOSITORY, page), 'utf8');
  return [...source.matchAll(/^( *)```(\w+)(?: not-here: (.+))?\n([^]*?)^\1```$/gm)].map((match) => {
    const [, indent = '', language = '', notHere, body = ''] = match;
    const line = source.slice(0, match.index).split('\n').length;
    return { language, notHere, text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''), line };
  });
}
