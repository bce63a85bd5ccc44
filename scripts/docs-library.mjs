import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeModules, GENERATED_PART } from '../libs/library/dist/describe-modules.js';
import { readBuiltIns } from '../libs/library/dist/read-built-ins.js';
import { ROOT } from './lib/layout.mjs';

const path = join(ROOT, 'docs', 'reference', 'library.md');
const [introduction = ''] = readFileSync(path, 'utf8').split(GENERATED_PART);
writeFileSync(path, introduction + describeModules(await readBuiltIns()));
