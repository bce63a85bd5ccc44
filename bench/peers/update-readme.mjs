import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/layout.mjs';
import { readLatestResult, replaceSection } from './readme-section.mjs';

/** Writes the table of the latest result into the README. */
const readme = join(ROOT, 'README.md');
writeFileSync(readme, replaceSection(readFileSync(readme, 'utf8'), readLatestResult()));
