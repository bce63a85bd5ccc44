import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { pagePaths } from '@millrace/contracts/kit/page-paths';

const AREAS = join(import.meta.dirname, '../areas');

/** Paths of all routes, with `$` for each parameter. */
const ROUTES = globSync('**/*route*.ts', { cwd: AREAS }).flatMap((file) =>
  [...readFileSync(join(AREAS, file), 'utf8').matchAll(/\bpath: '([^']+)'/g)].map(([, path = '']) =>
    path.replaceAll(/\$\w+/g, '$'),
  ),
);

it.each(Object.entries(pagePaths))('the dashboard has the page to which other programs link: %s', (_name, path) => {
  expect(ROUTES).toContain(typeof path === 'string' ? path : path('$', '$'));
});
