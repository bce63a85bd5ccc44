import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { build } from 'rolldown';

/**
 * Builds the package as JavaScript without dependencies: what it uses of other packages is part of it, and commands are chunks
 * that are loaded when they run.
 */
const ROOT = import.meta.dirname ?? dirname(new URL(import.meta.url).pathname);
const DIST = join(ROOT, 'dist');

rmSync(DIST, { recursive: true, force: true });
const { output } = await build({
  input: join(ROOT, 'src', 'main.ts'),
  platform: 'node',
  // All files are in one folder, so that `../package.json` is the package of each.
  output: {
    dir: DIST,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    minify: { compress: true, mangle: false },
    sourcemap: true,
  },
});
writeFileSync(join(DIST, 'THIRD-PARTY-LICENSES.txt'), describeLicenses(output));

// `millrace mcp` serves the pages for users.
const DOCS = join(ROOT, '..', '..', 'docs');
for (const part of ['get-started.md', 'glossary.md', 'guides', 'reference']) {
  cpSync(join(DOCS, part), join(DIST, 'docs', part), {
    recursive: true,
    filter: (path) => extname(path) === '' || path.endsWith('.md'),
  });
}

/**
 * The licenses of the packages that are part of the output, which their authors require.
 * @param {readonly import('rolldown').OutputChunk[] | readonly (import('rolldown').OutputChunk | import('rolldown').OutputAsset)[]} chunks
 */
function describeLicenses(chunks) {
  const modules = chunks.flatMap((chunk) => ('moduleIds' in chunk ? chunk.moduleIds : []));
  const folders = new Set(modules.flatMap((id) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []));
  return [...folders]
    .toSorted()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
      return `${name} ${version} (${license})\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(72)}\n\n`);
}
