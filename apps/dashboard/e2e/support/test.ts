import { expect, test as base, type BrowserContext, type Page } from '@playwright/test';
import { signUp, type Account } from '../../../../e2e/support/sign-up.js';
import { signIn } from './sign-in.js';
import { ProblemWatch } from './watch-problems.js';

interface Fixtures {
  /** A new user with a vault of its own, and a client that seeds data over the REST API. */
  account: Account;
  /** The page of the test, with `account` signed in. It is still blank. */
  signedIn: Page;
  /** Opens a page in another browser session with another account signed in. */
  openAs: (account: Account) => Promise<Page>;
  /** Fails the test if its pages violate the content security policy or cause errors. `problems.allow(/…/)` accepts expected ones. */
  problems: ProblemWatch;
}

/** A problem to allow for a visitor without a session, which the app finds out by a request. */
export const NO_SESSION = /Console error: Failed to load resource: .* status of 401/;

/** A problem to allow if the session ends while a page is open: the server then ends the page's stream. */
export const ENDED_STREAM = /ERR_INCOMPLETE_CHUNKED_ENCODING .*\/stream/;

export const test = base.extend<Fixtures>({
  problems: [
    async ({ context }, use) => {
      const watch = new ProblemWatch();
      await watch.watch(context);
      await use(watch);
      const found = await watch.collect();
      if (found.length > 0) throw new Error(`The pages of this test caused problems:\n  ${found.join('\n  ')}`);
    },
    { auto: true },
  ],

  account: async ({ baseURL }, use) => {
    await use(await signUp(baseURL));
  },

  signedIn: async ({ page, context, account }, use) => {
    await signIn(context, account);
    await use(page);
  },

  openAs: async ({ browser, problems }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (account) => {
      // Playwright applies the options of the project to it.
      const context = await browser.newContext();
      opened.push(context);
      await problems.watch(context);
      await signIn(context, account);
      return context.newPage();
    });
    await problems.collect();
    await Promise.all(opened.map((context) => context.close()));
  },
});

export { expect };
export { signUp, type Account };
