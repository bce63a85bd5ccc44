import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const LIBS = fileURLToPath(new URL('../..', import.meta.url));

it.each(['client', 'contracts'])('the package %s allows bundlers to drop modules that a page does not use', (lib) => {
  const folder = join(LIBS, lib);
  const { sideEffects } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { sideEffects?: boolean };
  expect(sideEffects).toBe(false);
  // Bundlers would also drop a module that is imported only for its side effect.
  const importers = readSources(folder).filter(({ text }) => /^import '/m.test(text));
  expect(importers.map(({ path }) => path)).toEqual([]);
});

it.each(['client', 'contracts'])('the package %s imports no modules of Node', (lib) => {
  const importers = readSources(join(LIBS, lib)).filter(({ text }) => /from 'node:/.test(text));
  expect(importers.map(({ path }) => path)).toEqual([]);
});

const readSources = (folder: string): { path: string; text: string }[] =>
  readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !path.startsWith('testing'))
    .map((path) => ({ path, text: readFileSync(join(folder, 'src', path), 'utf8') }));
