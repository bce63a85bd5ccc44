import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage } from './read-page.js';
import { REPOSITORY } from './repository.js';

/** The TypeScript blocks of a page. */
export const readPrograms = (page: string): string[] =>
  readPage(page).flatMap(({ language, text }) => (language === 'ts' ? [text] : []));

/** The TypeScript blocks of the sections `### 1. …` of a page, by their headings. */
export function readRecipes(page: string): Map<string, string> {
  const recipes = new Map<string, string>();
  const lines = readFileSync(join(REPOSITORY, page), 'utf8').split('\n');
  for (const { language, text, line } of readPage(page)) {
    const heading = lines.slice(0, line).findLast((before) => /^##+ /.test(before)) ?? '';
    if (language !== 'ts' || !/^### \d+\. /.test(heading)) continue;
    const name = heading.slice('### '.length);
    recipes.set(name, (recipes.get(name) ?? '') + text);
  }
  return recipes;
}
