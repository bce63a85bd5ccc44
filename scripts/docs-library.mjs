import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeModules, MADE_PART } from '../libs/library/dist/describe-modules.js';
import { readBuiltIns } from '../libs/library/dist/read-built-ins.js';
import { ROOT } from './lib/layout.mjs';

const path = join(ROOT, 'docs', 'reference', 'library.md');
const [written = ''] = readFileSync(path, 'utf8').split(MADE_PART);
writeFileSync(path, written + describeModules(await readBuiltIns()));
