import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const LIBS = fileURLToPath(new URL('../..', import.meta.url));

it.each(['sdk', 'contracts'])('%s lets bundlers drop the modules that a page does not use', (lib) => {
  const folder = join(LIBS, lib);
  const { sideEffects } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { sideEffects?: boolean };
  expect(sideEffects).toBe(false);
  // A module that is imported for its effect alone would be dropped, too.
  const forEffect = readSources(folder).filter(({ text }) => /^import '/m.test(text));
  expect(forEffect.map(({ path }) => path)).toEqual([]);
});

it.each(['sdk', 'contracts'])('%s imports nothing of Node', (lib) => {
  const ofNode = readSources(join(LIBS, lib)).filter(({ text }) => /from 'node:/.test(text));
  expect(ofNode.map(({ path }) => path)).toEqual([]);
});

const readSources = (folder: string): { path: string; text: string }[] =>
  readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !path.startsWith('testing'))
    .map((path) => ({ path, text: readFileSync(join(folder, 'src', path), 'utf8') }));
