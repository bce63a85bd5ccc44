import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeApi } from '../libs/contracts/dist/openapi/describe-api.js';
import { ROOT } from './lib/layout.mjs';

writeFileSync(join(ROOT, 'docs', 'reference', 'openapi.json'), `${JSON.stringify(describeApi(), null, 1)}\n`);
