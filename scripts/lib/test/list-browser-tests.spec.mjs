import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../layout.mjs';
import { chooseBrowserTests, listBrowserTests } from './list-browser-tests.mjs';

describe('listBrowserTests', () => {
  it('finds the journeys, and no other files', () => {
    const tests = listBrowserTests();
    expect(tests).toContain('apps/dashboard/e2e/opening.journey.ts');
    expect(tests.filter((test) => !test.endsWith('.journey.ts'))).toEqual([]);
  });
});

describe('chooseBrowserTests', () => {
  const [opening, signIn] = ['apps/dashboard/e2e/opening.journey.ts', 'apps/dashboard/e2e/account/sign-in.journey.ts'];
  const choose = (/** @type {string[]} */ ...paths) => chooseBrowserTests([opening, signIn], paths);

  it.each([[''], ['.'], ['apps'], ['apps/dashboard'], ['apps/dashboard/'], ['./apps/dashboard/e2e']])(
    'chooses all tests below "%s"',
    (path) => {
      expect(choose(path)).toEqual([opening, signIn]);
    },
  );

  it('chooses all tests if no path is named', () => {
    expect(choose()).toEqual([opening, signIn]);
  });

  it('chooses by a file, by the start of a name, and by an absolute path', () => {
    expect(choose(opening)).toEqual([opening]);
    expect(choose('apps/dashboard/e2e/account/sign')).toEqual([signIn]);
    expect(choose(join(ROOT, 'apps/dashboard/e2e/open'))).toEqual([opening]);
  });

  it.each([['libs/graph'], ['e2e'], ['apps/gateway'], ['apps/dashboard/src']])('chooses none for %s', (path) => {
    expect(choose(path)).toEqual([]);
  });

  it('chooses the tests of each path', () => {
    expect(choose('libs/graph', opening)).toEqual([opening]);
  });
});
