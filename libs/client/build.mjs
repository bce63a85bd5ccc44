import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

/**
 * Builds the package: JavaScript with the parts of the contract that it uses, and declarations. What users install needs no other
 * package of this repository.
 */
const ROOT = import.meta.dirname;
const DIST = join(ROOT, 'dist');
const ENTRIES = ['index', 'core', 'operations', 'validation'];

rmSync(DIST, { recursive: true, force: true });
await build({
  input: Object.fromEntries(ENTRIES.map((name) => [name, join(ROOT, 'src', `${name}.ts`)])),
  external: ['zod', 'eventsource-parser'],
  platform: 'neutral',
  output: { dir: DIST, chunkFileNames: 'chunks/[name].js', sourcemap: true },
});

// The compiler follows imports into the contract, so the declarations of both packages are written side by side.
const declarations = mkdtempSync(join(ROOT, '.declarations-'));
try {
  execFileSync('tsc', ['-p', join(ROOT, 'tsconfig.build.json'), '--outDir', declarations], { stdio: 'inherit' });
  cpSync(join(declarations, 'client', 'src'), DIST, { recursive: true });
} finally {
  rmSync(declarations, { recursive: true, force: true });
}
