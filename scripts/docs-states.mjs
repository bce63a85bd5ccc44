import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderStates } from './lib/docs/render-states.mjs';
import { listStateMachines } from './lib/docs/state-machines.mjs';
import { ROOT } from './lib/layout.mjs';

const importBuilt = (/** @type {string} */ file) =>
  import(join(ROOT, file.replace('/src/', '/dist/').replace(/\.ts$/, '.js')));
writeFileSync(join(ROOT, 'docs/architecture/states.md'), renderStates(await listStateMachines(importBuilt)));
