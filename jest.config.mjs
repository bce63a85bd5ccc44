import { readdirSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';

const MEMORY_PER_WORKER = 3 * 2 ** 30;

/** One Jest for the whole tree; `.spec.ts` is pure, `.int.spec.ts` uses real servers, `.e2e.spec.ts` drives a whole system. */
export default {
  rootDir: import.meta.dirname,
  roots: [
    '<rootDir>/apps',
    '<rootDir>/libs',
    '<rootDir>/e2e',
    '<rootDir>/scripts',
    '<rootDir>/deploy',
    '<rootDir>/bench',
  ],
  testMatch: ['**/*.spec.ts', '**/*.spec.mjs'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  runtime: '<rootDir>/scripts/lib/test/worker-runtime.mjs',
  testEnvironment: '<rootDir>/scripts/lib/test/worker-environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^@millrace/dashboard/package.json$': '<rootDir>/apps/dashboard/package.json',
    // Jest finds the tests that a change affects by these paths; the packages' `exports` are not enough for that.
    '^@millrace/client$': '<rootDir>/libs/client/src/index.ts',
    ...Object.fromEntries(
      ['apps', 'libs'].flatMap((folder) =>
        readdirSync(join(import.meta.dirname, folder)).map((name) => [
          `^@millrace/${name}/(.*)$`,
          `<rootDir>/${folder}/${name}/src/$1.ts`,
        ]),
      ),
    ),
  },
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          target: 'es2023',
          keepClassNames: true,
        },
        module: { type: 'es6' },
      },
    ],
  },
  injectGlobals: false,
  // Longer than any timeout inside a test, so that a failure names the missing condition and not only the time.
  testTimeout: 300_000,
  // Half of the suites mostly wait, so there is one worker more than cores. Each may need 3 GB: for itself and for the system that it starts.
  maxWorkers: Math.max(2, Math.min(availableParallelism() + 1, 4, Math.floor(totalmem() / MEMORY_PER_WORKER))),
  testSequencer: '<rootDir>/scripts/lib/test/test-sequencer.mjs',
  reporters: ['default', ['<rootDir>/scripts/lib/test/hang-reporter.mjs', { minutes: 15 }]],
  // Jest never frees the modules that a suite has loaded. The larger a process is, the longer it takes to start another.
  workerIdleMemoryLimit: '1GB',
};
