import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOperations } from './read-operations.mjs';
import { renderOperations } from './render-operations.mjs';
import { renderResources } from './render-resources.mjs';
import { renderTypes } from './render-types.mjs';

/** Writes the types, the operations and the methods of the client to `src/generated`, from the contract. */
const FOLDER = join(import.meta.dirname, '..', 'src', 'generated');

const { methods, schemas, tags } = readOperations();
mkdirSync(FOLDER, { recursive: true });
writeFileSync(join(FOLDER, 'types.ts'), await renderTypes(methods, schemas));
writeFileSync(join(FOLDER, 'operations.ts'), renderOperations(methods));
writeFileSync(join(FOLDER, 'resources.ts'), renderResources(methods, tags));
