import { expectAccessible } from './support/expect-accessible.js';
import { expect, test } from './support/test.js';

test('a violation of the content security policy is a problem of the page', async ({ page, problems }) => {
  await page.goto('/');
  expect(await problems.collect()).toEqual([]);
  await page.evaluate(() => document.body.setAttribute('style', 'color: red'));
  expect((await problems.collect()).join('\n')).toContain('Policy violation: style-src-attr blocks inline');
  problems.allow(/Policy violation: style-src-attr/);
  problems.allow(/Console error: Applying inline style violates/);
});

test('an uncaught error and an error in the console are problems of the page', async ({ page, problems }) => {
  await page.goto('/');
  await page.evaluate(() => {
    console.error('a message for developers');
    setTimeout(() => {
      throw new Error('a defect');
    });
  });
  await expect.poll(async () => (await problems.collect()).join('\n')).toMatch(/Uncaught error: Error: a defect/);
  expect((await problems.collect()).join('\n')).toMatch(/Console error: a message for developers/);
  problems.allow(/a defect|a message for developers/);
});

test('an accessibility failure names the rule and the element', async ({ page }) => {
  await page.setContent('<html lang="en"><title>A page</title><main><h1>A page</h1><img src="data:,"></main>');
  await expect(expectAccessible(page)).rejects.toThrow(/image-alt \(critical\)[^]*  img\n/);
  await page.setContent('<html lang="en"><title>A page</title><main><h1>A page</h1></main>');
  await expectAccessible(page);
});
