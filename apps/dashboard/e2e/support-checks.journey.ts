import { expectAccessible } from './support/expect-accessible.js';
import { expect, signUp, test } from './support/test.js';

/** It has the policy of the app, and no scripts. */
const PLAIN_PAGE = '/icon.svg';

test(
  'a violation of the content security policy is a problem of the page',
  { tag: '@once' },
  async ({ page, problems }) => {
    await page.goto(PLAIN_PAGE);
    expect(await problems.collect()).toEqual([]);
    await page.evaluate(() => document.documentElement.setAttribute('style', 'color: red'));
    expect((await problems.collect()).join('\n')).toContain('Policy violation: style-src-attr blocks inline');
    problems.allow(/Policy violation: style-src-attr/);
    problems.allow(/Console error: Applying inline style violates/);
  },
);

test(
  'an uncaught error and an error in the console are problems of the page',
  { tag: '@once' },
  async ({ page, problems }) => {
    await page.goto(PLAIN_PAGE);
    await page.evaluate(() => {
      console.error('a message for developers');
      setTimeout(() => {
        throw new Error('a defect');
      });
    });
    await expect.poll(async () => (await problems.collect()).join('\n')).toMatch(/Uncaught error: Error: a defect/);
    expect((await problems.collect()).join('\n')).toMatch(/Console error: a message for developers/);
    problems.allow(/a defect|a message for developers/);
  },
);

test('an accessibility failure names the rule and the element', { tag: '@once' }, async ({ page }) => {
  await page.setContent('<html lang="en"><title>A page</title><main><h1>A page</h1><img src="data:,"></main>');
  await expect(expectAccessible(page)).rejects.toThrow(/image-alt \(critical\)[^]*  img\n/);
  await page.setContent('<html lang="en"><title>A page</title><main><h1>A page</h1></main>');
  await expectAccessible(page);
});

test(
  'the account of a test is signed in by cookies, and a second account in a session of its own',
  { tag: '@once' },
  async ({ account, signedIn, openAs }) => {
    const other = await signUp(account.url);
    const otherPage = await openAs(other);
    for (const [page, { email }] of [[signedIn, account] as const, [otherPage, other] as const]) {
      await page.goto(PLAIN_PAGE);
      const me = await page.evaluate(async () => (await fetch('/api/users/me')).json() as Promise<unknown>);
      expect(me).toMatchObject({ email });
    }
  },
);
