import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { installNode, installPacked, OTHER_NODES, runProgram } from './support/packages.js';
import { readPrograms, readRecipes } from './support/read-programs.js';
import { REPOSITORY } from './support/repository.js';
import { signUp } from './support/sign-up.js';

const README = 'libs/client/README.md';
const recipes = readRecipes(README);

let folder: string;
let project: string;
let files: string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-client-'));
  project = join(folder, 'project');
  files = await installPacked(project, 'libs/client');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the package has its code, its types and its README, and installs nothing of this repository', () => {
  expect(files.filter((path) => !path.startsWith('dist/')).toSorted()).toEqual(['README.md', 'package.json']);
  expect(files).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'dist/validation.js']));
  const manifest = join(project, 'node_modules/@millrace/client/package.json');
  const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies: object };
  expect(Object.keys(dependencies)).toEqual(['eventsource-parser']);
});

/** The recipes as one program. An import is valid anywhere at its top level. */
const program = () => [readPrograms(README)[0], ...recipes.values()].join('\n');

describe('the types of the package', () => {
  const check = (options: object) => {
    writeFileSync(join(project, 'recipes.ts'), program());
    const compilerOptions = { strict: true, noEmit: true, target: 'es2022', skipLibCheck: false, ...options };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['recipes.ts'] }));
    const tsc = join(REPOSITORY, 'node_modules/typescript/bin/tsc');
    return spawnSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' }).stdout;
  };
  const nodeTypes = { types: ['node'], typeRoots: [join(REPOSITORY, 'node_modules/@types')] };

  it.each([
    ['Node.js', { module: 'nodenext', lib: ['es2023'], ...nodeTypes }],
    ['a bundler', { module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom'], ...nodeTypes }],
    [
      'strict optional properties',
      { module: 'nodenext', lib: ['es2023', 'dom'], exactOptionalPropertyTypes: true, ...nodeTypes },
    ],
  ])('fit a program for %s', (_, options) => {
    expect(check(options)).toBe('');
  });
});

describe('the recipes of the README', () => {
  it('are twelve', () => {
    expect(recipes.size).toBe(12);
  });

  it.each([process.versions.node, ...OTHER_NODES])('run with Node.js %s', async (version) => {
    const { url, access } = await signUp();
    const node = version === process.versions.node ? process.execPath : await installNode(folder, version);
    writeFileSync(join(project, 'recipes.mjs'), program());
    const output = await runProgram(node, join(project, 'recipes.mjs'), { MILLRACE_URL: url, MILLRACE_TOKEN: access });
    const expected = [
      /^47 of 47 bytes$/m,
      /^FAILED 1 failed$/m,
      /^\d+ check-1 FAILED$/m,
      /^1 of 3 in check-1: /m,
      /^checking broken\.example\.org$/m,
      /^host=c\.example\.org$/m,
      /host: 'a\.example\.org',\s+port: 443,/,
      /^1 of 2 – 1 failed$/m,
      /^validation_error \{ 'body\.parallelism': /m,
      /^true$/m,
    ];
    for (const pattern of expected) expect(output).toMatch(pattern);
  });
});

describe('a bundle for browsers', () => {
  // As a command, because rolldown does not work within Jest's module registry.
  const bundle = (code: string) => {
    const [entry, file] = [join(project, 'entry.js'), join(project, 'bundle.js')];
    writeFileSync(entry, code);
    const rolldown = join(REPOSITORY, 'node_modules/rolldown/bin/cli.mjs');
    const flags = ['--file', file, '--format', 'iife', '--minify', '--platform', 'browser'];
    execFileSync(process.execPath, [rolldown, entry, ...flags], { stdio: 'pipe' });
    return readFileSync(file, 'utf8');
  };
  const LIST = `for await (const run of client.runs.list()) names.push(run.name);`;
  const ALL = `import { MillraceClient } from '@millrace/client';
    globalThis.main = async () => { const names = []; const client = new MillraceClient({ baseUrl: 'http://millrace' }); ${LIST} return names.join(); };`;
  const CORE = `import { CoreClient } from '@millrace/client/core'; import { runs } from '@millrace/client/operations';
    globalThis.main = async () => { const names = []; const client = { runs: { list: () => new CoreClient({ baseUrl: 'http://millrace' }).list(runs.list) } }; ${LIST} return names.join(); };`;

  it.each([
    ['MillraceClient', ALL, 15_000],
    ['CoreClient', CORE, 5_000],
  ])('that lists runs with %s is small, and runs without Node.js', async (_, code, limit) => {
    const script = bundle(code);
    expect(gzipSync(script).length).toBeLessThan(limit);
    const body = JSON.stringify({ results: [{ name: 'nightly' }], count: 1, next: null, previous: null });
    const browser = {
      ...{ AbortController, AbortSignal, Blob, DOMException, Headers, ReadableStream, Response, TextDecoder },
      ...{ TextEncoder, TransformStream, URL, URLSearchParams, clearTimeout, crypto, setTimeout },
      fetch: (url: string) =>
        Promise.resolve(new Response(url === 'http://millrace/api/runs?page_size=1000&page=1' ? body : '{}')),
    };
    runInNewContext(script, browser);
    expect(await (browser as unknown as { main: () => Promise<string> }).main()).toBe('nightly');
  });
});
