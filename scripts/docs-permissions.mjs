import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describePermissions } from '../libs/contracts/dist/describe-permissions.js';
import { ROOT } from './lib/layout.mjs';

writeFileSync(join(ROOT, 'docs', 'reference', 'permissions.md'), describePermissions());
