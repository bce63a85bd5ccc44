import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OperationExamples } from '@millrace/contracts/openapi/examples/operation-example';
import { REPOSITORY } from '../support/repository.js';

const FOLDER = join(REPOSITORY, 'libs/contracts/src/openapi/examples');

/** Stores recorded examples, in one file for each service. */
export function writeExamples(examples: OperationExamples): void {
  const services = Map.groupBy(Object.entries(examples), ([name]) => name.split('.')[0] ?? '');
  for (const [service, entries] of services) {
    const sorted = Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
    const text = `import type { OperationExamples } from './operation-example.js';

/** Recorded by \`npm run docs:examples\`; do not edit. */
export const ${service.toUpperCase()}_EXAMPLES: OperationExamples = ${JSON.stringify(sorted, null, 2)};
`;
    writeFileSync(join(FOLDER, `${service}.recorded.ts`), text);
  }
}
