import { router } from './router.js';

interface Preloadable {
  preload?: () => Promise<unknown>;
}

/** Loads the scripts of the page at the present address while its session is still being checked. */
export function preloadPage(): void {
  const [matchedRoutes] = router.getMatchedRoutes(router.latestLocation.pathname);
  for (const { options } of matchedRoutes) {
    const component = options.component as Preloadable | undefined;
    // The router loads them again, and shows the problem, if this fails.
    component?.preload?.().catch(() => undefined);
  }
}
